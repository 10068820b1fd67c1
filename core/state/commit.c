/*
 * A whole new pod, written beside the old one and put in its place at once.
 *
 *	1  STATE/new/agents, clusters, ...	written and flushed
 *	2  pod.ini, staged = yes		from here on the new pod counts
 *	3  STATE/new/KIND -> STATE/KIND		one by one; again after a kill
 *	4  pod.ini, staged = no			done
 *
 * A kill before 2 leaves the old pod and rubbish in STATE/new; a kill behind
 * it leaves steps 3 and 4 to whoever opens the state next.
 */
#include "core/state/commit.h"

#include <sys/stat.h>

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/fault.h"
#include "core/base/file.h"
#include "core/state/object.h"
#include "core/state/partition_file.h"
#include "core/state/store.h"
#include "core/state/user_store.h"

/* The directories that a new pod replaces, and one that it adds to. */
static const char *const staged_directories[] = {
	"agents", "clusters", "allocations", "partitions"
};
static const char	commit_users_directory[] = "users";

/* An object's text into DIRECTORY/new/KIND/NAME.ini; frees the text. */
static int
stage_object(const char *directory, const char *kind, const char *name,
    char *text, struct error *e)
{
	char	*path = xasprintf("%s/new/%s", directory, kind);
	char	*file = xasprintf("%s.ini", name);
	int	 status = file_write(path, file, text, strlen(text), e);

	free(text);
	free(file);
	free(path);
	return status;
}

/* Every object of the pod, and the user who comes with it. */
static int
stage_objects(const char *directory, const struct store *s, struct error *e)
{
	const struct pod	*pod = &s->pod;
	char			 name[2 * NAME_SIZE];
	int			 i;

	for (i = 0; i < pod->cluster_count; i++)
		if (stage_object(directory, "clusters", pod->clusters[i].name,
		    object_cluster_text(pod, i), e) != 0)
			return -1;
	for (i = 0; i < pod->allocation_count; i++)
		if (stage_object(directory, "allocations",
		    pod->allocations[i].name, object_allocation_text(pod, i),
		    e) != 0)
			return -1;
	for (i = 0; i < pod->agent_count; i++) {
		object_agent_name(pod, &pod->agents[i], name, sizeof(name));
		if (stage_object(directory, "agents", name,
		    object_agent_text(pod, i, &pod->agents[i]), e) != 0)
			return -1;
	}
	for (i = 0; i < s->partition_count; i++)
		if (stage_object(directory, "partitions", s->partitions[i].name,
		    partition_file_text(pod, &s->partitions[i]), e) != 0)
			return -1;
	return s->new_user == NULL ? 0 : stage_object(directory,
	    commit_users_directory,
	    s->new_user->name, user_store_text(s->new_user), e);
}

/*
 * Call `f` for each of the staged directories under DIRECTORY/new, users/
 * last.
 */
static int
each_staged(const char *directory, int (*f)(const char *, struct error *),
    struct error *e)
{
	char	*path;
	size_t	 i;
	int	 status = 0;

	for (i = 0; i <= ARRAY_SIZE(staged_directories) && status == 0; i++) {
		path = xasprintf("%s/new/%s", directory,
		    i < ARRAY_SIZE(staged_directories) ? staged_directories[i] :
		    commit_users_directory);
		status = f(path, e);
		free(path);
	}
	return status;
}

/* Step 1.  users/ is made beside it as well, for what joins it in step 3. */
static int
stage(const char *directory, const struct store *s, struct error *e)
{
	char	*users = xasprintf("%s/%s", directory, commit_users_directory);
	int	 status = -1;

	/* What an attempt left that was killed before it counted. */
	if (each_staged(directory, file_remove_directory, e) == 0 &&
	    each_staged(directory, file_make_directory, e) == 0 &&
	    file_make_directory(users, e) == 0 &&
	    stage_objects(directory, s, e) == 0 &&
	    each_staged(directory, file_sync_all, e) == 0)
		/* `new` may be there from an attempt that was killed. */
		status = file_sync_directory(directory, e);
	free(users);
	return status;
}

/*
 * A failure to write pod.ini is reported as it is: file_replace() knows
 * whether the disk has the new text, the old one, or perhaps the new one.
 */
int
commit_pod(const char *directory, const struct store *s, struct error *e)
{
	struct store_identity	identity = s->identity;
	struct error		 reason;
	char			*path;

	identity.staged = true;
	if (stage(directory, s, &reason) != 0) {
		(void)each_staged(directory, file_remove_directory, NULL);
		path = xasprintf("%s/new", directory);
		(void)rmdir(path);
		free(path);
		/* Whatever the disk could not confirm does not count. */
		if (reason.code == ERROR_UNCONFIRMED)
			reason.code = ERROR_IO;
		return error_copy(e, &reason);
	}
	if (store_write_identity(directory, &identity, e) != 0)
		return -1;
	/* The new pod counts; whoever opens the state next finishes it. */
	return commit_finish(directory, &identity, e) == 0 ? 0 :
	    error_recode(e, ERROR_UNCONFIRMED);
}

int
commit_new_pod(const char *directory, const struct pod *pod,
    const struct user *default_user, struct error *e)
{
	struct store	s = { .pod = *pod, .new_user = default_user,
	    .identity.secure = default_user != NULL };

	(void)strlcpy(s.identity.name, pod->name, sizeof(s.identity.name));
	arc4random_buf(s.identity.id, sizeof(s.identity.id));
	return commit_pod(directory, &s, e);
}

/*
 * DIRECTORY/new/KIND takes the place of DIRECTORY/KIND, if it has not
 * already: a kill may have come between any two of them.
 */
static int
commit_one(const char *directory, const char *kind, struct error *e)
{
	struct stat	 st;
	char		*from = xasprintf("%s/new/%s", directory, kind);
	char		*to = xasprintf("%s/%s", directory, kind);
	int		 status = 0;

	if (stat(from, &st) == 0) {
		status = file_remove_directory(to, e);
		if (status == 0 && (FAULT_POINT("rename") != 0 ||
		    rename(from, to) != 0))
			status = error_set_errno(e, "cannot rename %s to %s",
			    from, to);
	}
	free(to);
	free(from);
	return status;
}

/* What stands in DIRECTORY/new/users joins DIRECTORY/users. */
static int
commit_users(const char *directory, struct error *e)
{
	struct error	 reason;
	char		*from = xasprintf("%s/new/%s", directory,
	    commit_users_directory);
	char		*to = xasprintf("%s/%s", directory,
	    commit_users_directory);
	char		**names, *old, *new;
	long		 i, count = file_names(from, ".ini", &names, &reason);
	int		 status = 0;

	if (count == -1 && reason.code != ERROR_NOT_FOUND)
		status = error_copy(e, &reason);
	for (i = 0; i < count && status == 0; i++) {
		old = xasprintf("%s/%s", from, names[i]);
		new = xasprintf("%s/%s", to, names[i]);
		if (FAULT_POINT("rename") != 0 || rename(old, new) != 0)
			status = error_set_errno(e, "cannot rename %s to %s",
			    old, new);
		free(new);
		free(old);
	}
	if (count != -1) {
		file_names_free(names, count);
		if (status == 0 && (status = file_sync_directory(to, e)) == 0)
			status = file_remove_directory(from, e);
	}
	free(to);
	free(from);
	return status;
}

/*
 * Every step may be done already.  pod.ini says so only behind all of them,
 * and behind the flush of the directory that they are in.
 */
int
commit_finish(const char *directory, struct store_identity *identity,
    struct error *e)
{
	char	*path;
	size_t	 i;
	int	 status = 0;

	if (!identity->staged)
		return 0;
	for (i = 0; i < ARRAY_SIZE(staged_directories) && status == 0; i++)
		status = commit_one(directory, staged_directories[i], e);
	if (status == 0)
		status = commit_users(directory, e);
	if (status == 0)
		status = file_sync_directory(directory, e);
	if (status == 0) {
		identity->staged = false;
		status = store_write_identity(directory, identity, e);
	}
	if (status == 0) {
		path = xasprintf("%s/new", directory);
		(void)rmdir(path);
		free(path);
	}
	return status;
}

