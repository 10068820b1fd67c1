/*
 * The objects of this user's IPUJobs, in files; what an IPUJob's own directory
 * holds is job_entry.c's.
 */
#include "core/kube/runtime/job_store.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/directory_tree.h"
#include "core/base/files/file.h"
#include "core/base/memstream.h"
#include "core/base/name.h"
#include "core/kube/yaml/yaml_write.h"
#include "core/state/state.h"

enum { STORE_LOCK_MS = 30000 };

static const char	suffix[] = ".json";

static const char *const kind_directories[JOB_KINDS] = {
	[JOB_IPUJOB] = "ipujobs", [JOB_CONFIG_MAP] = "configmaps",
	[JOB_SECRET] = "secrets", [JOB_CLAIM] = "claims"
};

/* Of the user alone: a shared state, or a server's, is not. */
static bool
job_store_is_own(const char *state)
{
	struct stat	st;

	return lstat(state, &st) != 0 ? errno == ENOENT :
	    S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	    !directory_is_shared(st.st_mode);
}

/* Where it is; NULL: there is no place. */
static char *
job_store_path(struct error *e)
{
	const char		*xdg = getenv("XDG_STATE_HOME");
	const char		*home = getenv("HOME");
	struct state_paths	 paths;
	char			 resolved[PATH_MAX];
	char			*path;

	if (paths_find(&paths, e) != 0)
		return NULL;
	if (job_store_is_own(paths.directory))
		return xasprintf("%s/jobs", paths.directory);
	if (xdg != NULL && xdg[0] == '/')
		path = xasprintf("%s/ipubox-jobs", xdg);
	else if (home != NULL && home[0] == '/')
		path = xasprintf("%s/.local/state/ipubox-jobs", home);
	else {
		(void)error_set(e, "no place for the jobs: the state "
		    "directory %s is not yours alone, and HOME is not set",
		    paths.directory);
		return NULL;
	}
	if (directory_resolve(path, resolved, sizeof(resolved), e) != 0) {
		(void)error_prefix(e, "folder %s of the jobs", path);
		free(path);
		return NULL;
	}
	free(path);
	return xstrdup(resolved);
}

/* A directory with a dot before its name is an IPUJob that was being made or
   removed. */
static void
remove_unfinished(const struct directory *d)
{
	DIR		*dir = directory_open_names(d, NULL);
	struct dirent	*entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] == '.' &&
		    strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			(void)directory_tree_remove(d->fd, entry->d_name);
	(void)closedir(dir);
}

/* Of all kinds in all namespaces. */
static void
job_store_clean(const struct job_store *s)
{
	struct directory	  d;
	enum job_kind		  kind;
	char			**spaces;
	long			  count = job_store_spaces(s, &spaces, NULL), i;

	directory_clean(&s->directory);
	for (i = 0; i < count; i++)
		for (kind = 0; kind < JOB_KINDS; kind++) {
			if (job_store_directory(s, spaces[i], kind, false, &d,
			    NULL) == 0) {
				directory_clean(&d);
				if (kind == JOB_IPUJOB)
					remove_unfinished(&d);
			}
			directory_close(&d);
		}
	if (count != -1)
		directory_names_free(spaces, count);
}

/* Only who has taken the store writes there: while nobody has, what is half
   written was left by a kill, and may be of a Secret. */
static void
job_store_tidy(const struct job_store *s)
{
	const int	fd = lock_open(&s->directory, O_RDWR, NULL);

	if (fd == -1)
		return;
	if (lock_take(fd, s->directory.path, 0, NULL) == 0)
		job_store_clean(s);
	(void)close(fd);
}

int
job_store_open(struct job_store *s, bool make, struct error *e)
{
	char	*path;
	int	 status;

	s->directory = DIRECTORY_NONE;
	s->lock = -1;
	if ((path = job_store_path(e)) == NULL)
		return -1;
	status = make ? directory_make(&s->directory, path, e) :
	    directory_open_resolved(&s->directory, path, e);
	if (status != 0)
		(void)error_prefix(e, "folder %s of the jobs", path);
	else
		job_store_tidy(s);
	free(path);
	return status;
}

void
job_store_close(struct job_store *s)
{
	job_store_drop(s);
	directory_close(&s->directory);
}

int
job_store_take(struct job_store *s, struct error *e)
{
	int	fd = lock_open(&s->directory, O_RDWR | O_CREAT, e);

	if (fd == -1)
		return error_prefix(e, "cannot open %s/lock",
		    s->directory.path);
	if (lock_take(fd, s->directory.path, STORE_LOCK_MS, e) != 0) {
		(void)close(fd);
		return -1;
	}
	s->lock = fd;
	return 0;
}

void
job_store_drop(struct job_store *s)
{
	if (s->lock != -1)
		(void)close(s->lock);
	s->lock = -1;
}

int
job_store_directory(const struct job_store *s, const char *space,
    enum job_kind kind, bool make, struct directory *out, struct error *e)
{
	struct directory	above;
	int			status;

	*out = DIRECTORY_NONE;
	if (name_check("namespace", space, e) != 0)
		return -1;
	status = make ? directory_make_below(&s->directory, space, &above,
	    e) : directory_open_below(&s->directory, space, &above, e);
	if (status == 0)
		status = make ? directory_make_below(&above,
		    kind_directories[kind], out, e) :
		    directory_open_below(&above, kind_directories[kind], out,
		    e);
	directory_close(&above);
	return status;
}

/* "NAME.json", to be freed; NULL: it cannot be a name. */
static char *
job_store_file_name(const char *name, struct error *e)
{
	return name_check("name", name, e) == 0 ? xasprintf("%s%s", name,
	    suffix) : NULL;
}

struct yaml_node *
job_store_read(const struct job_store *s, struct yaml_arena *arena,
    const char *space, enum job_kind kind, const char *name, struct error *e)
{
	struct directory	  d;
	struct yaml_node	**documents, *node = NULL;
	char			 *file = job_store_file_name(name, e), *text =
	    NULL;
	size_t			  size;
	long			  count = -1;

	if (file == NULL)
		return NULL;
	if (job_store_directory(s, space, kind, false, &d, e) == 0 &&
	    (text = file_read_at(&d, file, YAML_BYTES_MAX, &size, e)) != NULL)
		count = yaml_parse(arena, file, text, size, &documents, e);
	if (count > 0)
		node = documents[0];
	else if (count == 0)
		(void)error_set_code(e, ERROR_DAMAGED, "%s/%s: there is "
		    "nothing in it", d.path, file);
	directory_close(&d);
	free(text);
	free(file);
	return node;
}

int
job_store_write(const struct job_store *s, const char *space,
    enum job_kind kind, const char *name, const struct yaml_node *node,
    struct error *e)
{
	struct directory	 d;
	struct memstream	 m;
	char			*file = job_store_file_name(name, e), *text;
	size_t			 size;
	int			 status;

	if (file == NULL)
		return -1;
	yaml_write_json(memstream_open(&m), node);
	text = memstream_close(&m, &size);
	status = job_store_directory(s, space, kind, true, &d, e);
	if (status == 0)
		status = file_replace_at(&d, file, text, size, e);
	directory_close(&d);
	free(text);
	free(file);
	return status;
}

int
job_store_remove(const struct job_store *s, const char *space,
    enum job_kind kind, const char *name, struct error *e)
{
	struct directory	 d;
	struct stat		 st;
	char			*file = job_store_file_name(name, e);
	int			 status = -1, number;

	if (file == NULL)
		return -1;
	if (job_store_directory(s, space, kind, false, &d, e) == 0) {
		if (fstatat(d.fd, file, &st, AT_SYMLINK_NOFOLLOW) != 0)
			status = error_set_errno(e, "%s", name);
		else if (kind == JOB_CLAIM &&
		    (number = directory_tree_remove(d.fd, name)) != 0)
			status = error_set_number(e, number,
			    "cannot remove %s/%s", d.path, name);
		else
			status = file_remove(&d, file, e);
	}
	directory_close(&d);
	free(file);
	return status;
}

/* Sorted as they come; what is no name of ours, as "lock", is left out. */
long
job_store_spaces(const struct job_store *s, char ***names, struct error *e)
{
	struct stat	st;
	long		count = directory_names(&s->directory, "", names, e);
	long		i, kept = 0;

	for (i = 0; i < count; i++) {
		if (fstatat(s->directory.fd, (*names)[i], &st,
		    AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
			(*names)[kept++] = (*names)[i];
		else
			free((*names)[i]);
	}
	return count == -1 ? -1 : kept;
}

/* An IPUJob is a directory, the others are files. */
long
job_store_names(const struct job_store *s, const char *space,
    enum job_kind kind, char ***names, struct error *e)
{
	struct directory	d;
	struct error		reason;
	long			count = -1, i;

	if (job_store_directory(s, space, kind, false, &d, &reason) != 0) {
		directory_close(&d);
		*names = NULL;
		return reason.code == ERROR_NOT_FOUND ? 0 :
		    error_copy(e, &reason);
	}
	count = directory_names(&d, kind == JOB_IPUJOB ? "" : suffix, names,
	    e);
	directory_close(&d);
	for (i = 0; i < count && kind != JOB_IPUJOB; i++)
		(*names)[i][strlen((*names)[i]) - strlen(suffix)] = '\0';
	return count;
}

/* The path of a place of that name in a directory, made where it is not there:
   to be freed; NULL: why not. */
static char *
job_store_make_place(const struct directory *all, const char *what,
    const char *name, struct error *e)
{
	struct directory	 below = DIRECTORY_NONE;
	char			*path = NULL;

	if (name_check(what, name, e) == 0 &&
	    directory_make_below(all, name, &below, e) == 0)
		path = xstrdup(below.path);
	directory_close(&below);
	return path;
}

char *
job_store_claim(const struct job_store *s, const char *space,
    const char *name, struct error *e)
{
	struct directory	 claims;
	char			*path = NULL;

	if (job_store_directory(s, space, JOB_CLAIM, true, &claims, e) == 0)
		path = job_store_make_place(&claims, "claim", name, e);
	directory_close(&claims);
	return path;
}

/* A directory of the namespace that is no kind's; the caller closes it in any
   case. */
static int
make_in_space(const struct job_store *s, const char *space, const char *name,
    struct directory *d, struct error *e)
{
	struct directory	above = DIRECTORY_NONE;
	int			status = -1;

	*d = DIRECTORY_NONE;
	if (name_check("namespace", space, e) == 0 &&
	    directory_make_below(&s->directory, space, &above, e) == 0)
		status = directory_make_below(&above, name, d, e);
	directory_close(&above);
	return status;
}

char *
job_store_host(const struct job_store *s, const char *space, struct error *e)
{
	struct directory	 d;
	char			*path = NULL;

	if (make_in_space(s, space, "host", &d, e) == 0)
		path = xstrdup(d.path);
	directory_close(&d);
	return path;
}

char *
job_store_served(const struct job_store *s, const char *space,
    const char *name, struct error *e)
{
	struct directory	 volumes;
	char			*path = NULL;

	if (make_in_space(s, space, "volumes", &volumes, e) == 0)
		path = job_store_make_place(&volumes, "volume", name, e);
	directory_close(&volumes);
	return path;
}
