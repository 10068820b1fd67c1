/*
 * A new pod, written beside the old one and put in its place at once.
 *
 *	1  STATE/new/agents, clusters, ...	written and flushed
 *	2  pod.ini, staged = yes		from here on the new pod counts
 *	3  STATE/new/KIND -> STATE/KIND		one by one; again after a kill
 *	4  pod.ini, staged = no			done
 *
 * A kill before 2 leaves the old pod and remains in STATE/new.  After a later
 * kill the next process that opens the state does steps 3 and 4.
 */
#include "core/state/commit.h"

#include <sys/stat.h>

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "core/state/object.h"
#include "core/state/state_internal.h"
#include "core/state/store.h"

/* The directories that a new pod replaces, and users/, to which it adds. */
enum {
	STAGE_AGENTS,
	STAGE_CLUSTERS,
	STAGE_ALLOCATIONS,
	STAGE_PARTITIONS,
	STAGE_USERS,
	STAGE_KINDS
};
static const char *const staged_directories[STAGE_KINDS] = { "agents",
	"clusters", "allocations", "partitions", "users" };
static const char new_directory[] = "new";

/* Write an object's text into the staged directory of its kind; free the
   text. */
static int
stage_object(const struct directory *kind, const char *name, char *text,
    struct error *e)
{
	char *file = xasprintf("%s.ini", name);
	int status = file_write(kind, file, text, strlen(text), e);

	free(text);
	free(file);
	return status;
}

/* Write all objects of staged_directories[place]. */
static int
stage_kind(const struct directory *d, size_t place, const struct store *s,
    struct error *e)
{
	const struct object_kind *kind = patch_kinds;
	char name[KIND_NAME_SIZE];
	int i, status = 0;

	if (place == STAGE_USERS)
		return s->new_user == NULL ?
		    0 :
		    stage_object(d, s->new_user->name,
			user_store_text(s->new_user), e);
	while (strcmp(kind->directory, staged_directories[place]) != 0)
		kind++;
	for (i = 0; i < kind->count(s) && status == 0; i++) {
		kind->name(s, i, name);
		status = stage_object(d, name, kind->text(s, i), e);
	}
	return status;
}

/* Remove what a failed or killed attempt left. */
static int
unstage(const struct directory *new, struct error *e)
{
	size_t i;
	int status = 0;

	for (i = 0; i < STAGE_KINDS && status == 0; i++)
		status = directory_remove_below(new, staged_directories[i], e);
	return status;
}

/* Write and flush everything below `new`, a directory per kind. */
static int
stage_kinds(const struct directory *new, const struct store *s, struct error *e)
{
	struct directory kinds[STAGE_KINDS];
	size_t i;
	int status = unstage(new, e);

	for (i = 0; i < STAGE_KINDS; i++)
		kinds[i] = DIRECTORY_NONE;
	for (i = 0; i < STAGE_KINDS && status == 0; i++)
		status = directory_make_below(new, staged_directories[i],
		    &kinds[i], e);
	for (i = 0; i < STAGE_KINDS && status == 0; i++)
		status = stage_kind(&kinds[i], i, s, e);
	for (i = 0; i < STAGE_KINDS && status == 0; i++)
		status = directory_sync_all(&kinds[i], e);
	for (i = 0; i < STAGE_KINDS; i++)
		directory_close(&kinds[i]);
	return status;
}

/* Do step 1.  Also make users/ beside it, for the new user of step 3. */
static int
stage(const struct directory *d, const struct store *s, struct error *e)
{
	struct directory new, users = DIRECTORY_NONE;
	int status;

	status = directory_make_below(d, new_directory, &new, e);
	if (status == 0)
		status = directory_make_below(d,
		    staged_directories[STAGE_USERS], &users, e);
	if (status == 0 && (status = stage_kinds(&new, s, e)) != 0)
		(void)unstage(&new, NULL);
	if (status == 0)
		/* A killed attempt may have left `new`. */
		status = directory_sync(d, e);
	directory_close(&users);
	directory_close(&new);
	return status;
}

/* Check that the files, which will be removed, include no directory. */
static int
check_flat(const struct directory *d, struct error *e)
{
	struct stat st;
	char **names;
	long i, count = directory_names(d, "", &names, e);
	int status = 0;

	if (count == -1)
		return -1;
	for (i = 0; i < count && status == 0; i++)
		if (fstatat(d->fd, names[i], &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISDIR(st.st_mode))
			status = error_set(e,
			    "%s/%s is a directory in a place for files only; "
			    "remove it",
			    d->path, names[i]);
	directory_names_free(names, count);
	return status;
}

int
commit_check(const struct directory *d, struct error *e)
{
	struct directory kind;
	struct error reason;
	size_t i;
	int status = 0;

	if (faccessat(d->fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
		return error_set_errno(e, "cannot write directory %s", d->path);
	for (i = 0; i < STAGE_KINDS && status == 0; i++) {
		status = directory_open_below(d, staged_directories[i], &kind,
		    &reason);
		if (status == 0 &&
		    faccessat(kind.fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
			status = error_set_errno(&reason,
			    "cannot write directory %s", kind.path);
		else if (status == 0)
			status = check_flat(&kind, &reason);
		else if (reason.code == ERROR_NOT_FOUND)
			status = 0;
		directory_close(&kind);
	}
	return status == 0 ? 0 : error_copy(e, &reason);
}

/* A failure to write pod.ini is passed on unchanged: file_replace() knows
   whether the disk has the new text, the old one, or perhaps the new one. */
int
commit_pod(const struct directory *d, const struct store *s, struct error *e)
{
	struct store_identity identity = s->identity;
	struct error reason;

	identity.staged = true;
	identity.patched = false;
	if (stage(d, s, &reason) != 0) {
		(void)unlinkat(d->fd, new_directory, AT_REMOVEDIR);
		/* The new pod does not count yet, so nothing is unconfirmed. */
		if (reason.code == ERROR_UNCONFIRMED)
			reason.code = ERROR_IO;
		return error_copy(e, &reason);
	}
	if (store_write_identity(d, &identity, e) != 0)
		return -1;
	/* The new pod counts; the next process that opens the state finishes
	   it. */
	return commit_finish(d, &identity, e) == 0 ?
	    0 :
	    error_recode(e, ERROR_UNCONFIRMED);
}

int
commit_new_pod(const struct directory *d, const struct pod *pod, bool secure,
    const struct user *default_user, struct error *e)
{
	struct store s = { .pod = *pod,
		.new_user = default_user,
		.identity.secure = secure };

	(void)strlcpy(s.identity.name, pod->name, sizeof(s.identity.name));
	arc4random_buf(s.identity.id, sizeof(s.identity.id));
	return commit_pod(d, &s, e);
}

/* Move new/KIND to KIND in the state, unless done: a kill may have come between
   any two steps. */
static int
commit_one(const struct directory *d, const struct directory *new,
    const char *kind, struct error *e)
{
	struct stat st;

	if (fstatat(new->fd, kind, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return 0;
	if (directory_remove_below(d, kind, e) != 0)
		return -1;
	if (FAULT_POINT("rename") != 0 ||
	    renameat(new->fd, kind, d->fd, kind) != 0)
		return error_set_errno(e, "cannot rename %s/%s to %s/%s",
		    new->path, kind, d->path, kind);
	return 0;
}

/* Move all files from one directory to the other, and flush it. */
static int
move_files(const struct directory *from, const struct directory *to,
    struct error *e)
{
	char **names;
	long i, count = directory_names(from, ".ini", &names, e);
	int status = 0;

	if (count == -1)
		return -1;
	for (i = 0; i < count && status == 0; i++)
		if (FAULT_POINT("rename") != 0 ||
		    renameat(from->fd, names[i], to->fd, names[i]) != 0)
			status = error_set_errno(e,
			    "cannot rename %s/%s to %s/%s", from->path,
			    names[i], to->path, names[i]);
	directory_names_free(names, count);
	return status == 0 ? directory_sync(to, e) : -1;
}

/* Move the files of new/users to users; done if it is gone. */
static int
commit_users(const struct directory *d, const struct directory *new,
    struct error *e)
{
	const char *users = staged_directories[STAGE_USERS];
	struct directory from, to = DIRECTORY_NONE;
	struct error reason;
	int status;

	if (directory_open_below(new, users, &from, &reason) != 0) {
		directory_close(&from);
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	}
	status = directory_open_below(d, users, &to, e);
	if (status == 0)
		status = move_files(&from, &to, e);
	directory_close(&to);
	directory_close(&from);
	return status == 0 ? directory_remove_below(new, users, e) : -1;
}

/* Do step 3; done if `new` is gone. */
static int
commit_staged(const struct directory *d, struct error *e)
{
	struct directory new;
	struct error reason;
	size_t i;
	int status;

	if (directory_open_below(d, new_directory, &new, &reason) != 0) {
		directory_close(&new);
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	}
	for (i = 0, status = 0; i < STAGE_USERS && status == 0; i++)
		status = commit_one(d, &new, staged_directories[i], e);
	if (status == 0)
		status = commit_users(d, &new, e);
	directory_close(&new);
	return status;
}

/* Every step may be done already.  pod.ini records the end only after all of
   them, and after the flush of their directory. */
int
commit_finish(const struct directory *d, struct store_identity *identity,
    struct error *e)
{
	if (!identity->staged)
		return 0;
	if ((identity->patched ? patch_finish(d, e) : commit_staged(d, e)) !=
		0 ||
	    directory_sync(d, e) != 0)
		return -1;
	identity->staged = identity->patched = false;
	if (store_write_identity(d, identity, e) != 0)
		return -1;
	(void)unlinkat(d->fd, new_directory, AT_REMOVEDIR);
	return 0;
}
