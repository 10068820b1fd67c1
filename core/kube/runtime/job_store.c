/*
 * The objects of this user's IPUJobs, in files; job_entry.c has the directory
 * of an IPUJob.
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
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/yaml/yaml.h"
#include "core/state/state.h"

enum {
	STORE_LOCK_MS = 30000,
	TIDY_LOCK_MS = 2000 /* to remove one job */
};

static const char suffix[] = ".json";

static const char *const kind_directories[JOB_KINDS] = {
	[JOB_IPUJOB] = "ipujobs",
	[JOB_CONFIG_MAP] = "configmaps",
	[JOB_SECRET] = "secrets",
	[JOB_CLAIM] = "claims"
};

/* Whether the state belongs to the user alone; a shared state, or a server's,
   does not. */
static bool
job_store_is_own(const char *state)
{
	struct stat st;

	return lstat(state, &st) != 0 ?
	    errno == ENOENT :
	    S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		!directory_is_shared(st.st_mode);
}

/* Return the store's path; NULL: it has no place. */
static char *
job_store_path(struct error *e)
{
	const char *xdg = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	struct state_paths paths;
	char resolved[PATH_MAX];
	char *path;

	if (paths_find(&paths, e) != 0)
		return NULL;
	if (job_store_is_own(paths.directory))
		return xasprintf("%s/jobs", paths.directory);
	if (xdg != NULL && xdg[0] == '/')
		path = xasprintf("%s/ipubox-jobs", xdg);
	else if (home != NULL && home[0] == '/')
		path = xasprintf("%s/.local/state/ipubox-jobs", home);
	else {
		(void)error_set(e,
		    "the jobs have no directory: HOME is %s, and the "
		    "state directory %s belongs to another user or is shared; "
		    "set HOME",
		    home == NULL ? "not set" : "not an absolute path",
		    paths.directory);
		return NULL;
	}
	if (directory_resolve(path, resolved, sizeof(resolved), e) != 0) {
		(void)error_prefix(e, "directory %s of the jobs", path);
		free(path);
		return NULL;
	}
	free(path);
	return xstrdup(resolved);
}

/* Return whether there are directories with a dot in front: IPUJobs of a
   creation or removal that was interrupted or is under way.  `and_remove`
   removes them. */
static bool
find_unfinished(const struct directory *d, bool and_remove)
{
	DIR *dir = directory_names_open(d, NULL);
	struct dirent *entry;
	bool found = false;

	if (dir == NULL)
		return false;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] == '.' &&
		    strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0) {
			found = true;
			if (and_remove)
				(void)directory_tree_remove(d->fd,
				    entry->d_name);
		}
	(void)closedir(dir);
	return found;
}

/* Return whether a namespace has unfinished IPUJobs.  `clean` removes them, and
   half-written files of all kinds. */
static bool
store_is_unfinished(const struct job_store *s, bool clean)
{
	struct directory d;
	enum job_kind kind;
	char **spaces;
	long count = job_store_spaces(s, &spaces, NULL), i;
	bool found = false;

	if (clean)
		directory_clean(&s->directory);
	for (i = 0; i < count; i++)
		for (kind = 0; kind < JOB_KINDS; kind++) {
			if (job_store_directory(s, spaces[i], kind, false, &d,
				NULL) == 0) {
				if (clean)
					directory_clean(&d);
				if (kind == JOB_IPUJOB)
					found |= find_unfinished(&d, clean);
			}
			directory_close(&d);
		}
	if (count != -1)
		directory_names_free(spaces, count);
	return found;
}

/* Clean only with the lock, which writers hold: half-written files are then
   leftovers of a kill, perhaps of a Secret. */
void
job_store_tidy(const struct job_store *s)
{
	const int fd = lock_open(&s->directory, O_RDWR, NULL);

	if (fd == -1)
		return;
	if (lock_take(fd, s->directory.path, 0, NULL) == 0 ||
	    (store_is_unfinished(s, false) &&
		lock_take(fd, s->directory.path, TIDY_LOCK_MS, NULL) == 0))
		(void)store_is_unfinished(s, true);
	(void)close(fd);
}

int
job_store_open(struct job_store *s, bool make, struct error *e)
{
	char *path;
	int status;

	s->directory = DIRECTORY_NONE;
	s->lock = -1;
	if ((path = job_store_path(e)) == NULL)
		return -1;
	status = make ? directory_make(&s->directory, path, e) :
			directory_open_resolved(&s->directory, path, e);
	if (status != 0)
		(void)error_prefix(e, "directory %s of the jobs", path);
	else
		job_store_tidy(s);
	free(path);
	return status;
}

void
job_store_close(struct job_store *s)
{
	job_store_unlock(s);
	directory_close(&s->directory);
}

int
job_store_lock(struct job_store *s, struct error *e)
{
	int fd = lock_open(&s->directory, O_RDWR | O_CREAT, e);

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
job_store_unlock(struct job_store *s)
{
	if (s->lock != -1)
		(void)close(s->lock);
	s->lock = -1;
}

/* Open a directory of the namespace; the caller closes it in any case. */
static int
open_in_space(const struct job_store *s, const char *space, const char *name,
    bool make, struct directory *out, struct error *e)
{
	struct directory above = DIRECTORY_NONE;
	int status;

	*out = DIRECTORY_NONE;
	if (name_check("namespace", space, e) != 0)
		return -1;
	status = make ? directory_make_below(&s->directory, space, &above, e) :
			directory_open_below(&s->directory, space, &above, e);
	if (status == 0)
		status = make ? directory_make_below(&above, name, out, e) :
				directory_open_below(&above, name, out, e);
	directory_close(&above);
	return status;
}

int
job_store_directory(const struct job_store *s, const char *space,
    enum job_kind kind, bool make, struct directory *out, struct error *e)
{
	return open_in_space(s, space, kind_directories[kind], make, out, e);
}

char *
job_store_place(const struct job_store *s, const char *space,
    enum job_place place, const char *name, struct error *e)
{
	static const struct {
		const char *directory, *what;
	} places[] = {
		[JOB_PLACE_CLAIM] = { "claims", "claim" },
		[JOB_PLACE_SERVED] = { "volumes", "volume" },
		[JOB_PLACE_HOST] = { "host", NULL },
	};
	struct directory all, d = DIRECTORY_NONE;
	char *path = NULL;
	int status = open_in_space(s, space, places[place].directory, true,
	    &all, e);

	if (status == 0 && places[place].what == NULL)
		path = xstrdup(all.path);
	else if (status == 0 && name_check(places[place].what, name, e) == 0 &&
	    directory_make_below(&all, name, &d, e) == 0)
		path = xstrdup(d.path);
	directory_close(&d);
	directory_close(&all);
	return path;
}

/* Return "NAME.json", which the caller frees; NULL: invalid name. */
static char *
job_store_file_name(const char *name, struct error *e)
{
	return name_check("name", name, e) == 0 ?
	    xasprintf("%s%s", name, suffix) :
	    NULL;
}

struct yaml_node *
job_store_read_in(const struct directory *d, struct yaml_arena *arena,
    const char *file, struct error *e)
{
	struct yaml_node **documents, *node = NULL;
	char *path, *text;
	size_t size;
	long count;

	text = file_read_at(d, file, YAML_BYTES_MAX, &size, e);
	if (text == NULL)
		return NULL;
	path = xasprintf("%s/%s", d->path, file);
	count = yaml_parse(arena, path, text, size, &documents, e);
	if (count > 0)
		node = documents[0];
	else if (count == 0)
		(void)error_set_code(e, ERROR_DAMAGED, "%s: is empty", path);
	free(path);
	free(text);
	return node;
}

int
job_store_write_in(const struct directory *d, const char *file,
    const struct yaml_node *node, struct error *e)
{
	struct memstream m;
	char *text;
	size_t size;
	int status;

	yaml_write_json(memstream_open(&m), node);
	text = memstream_close(&m, &size);
	status = file_replace_at(d, file, text, size, e);
	free(text);
	return status;
}

struct yaml_node *
job_store_read(const struct job_store *s, struct yaml_arena *arena,
    const char *space, enum job_kind kind, const char *name, struct error *e)
{
	struct directory d;
	struct yaml_node *node = NULL;
	char *file = job_store_file_name(name, e);

	if (file == NULL)
		return NULL;
	if (job_store_directory(s, space, kind, false, &d, e) == 0)
		node = job_store_read_in(&d, arena, file, e);
	directory_close(&d);
	free(file);
	return node;
}

int
job_store_write(const struct job_store *s, const char *space,
    enum job_kind kind, const char *name, const struct yaml_node *node,
    struct error *e)
{
	struct directory d;
	char *file = job_store_file_name(name, e);
	int status;

	if (file == NULL)
		return -1;
	status = job_store_directory(s, space, kind, true, &d, e);
	if (status == 0)
		status = job_store_write_in(&d, file, node, e);
	directory_close(&d);
	free(file);
	return status;
}

int
job_store_remove(const struct job_store *s, const char *space,
    enum job_kind kind, const char *name, struct error *e)
{
	struct directory d;
	struct stat st;
	char *file = job_store_file_name(name, e);
	int status = -1, number;

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

/* Other files, such as "lock", are skipped. */
long
job_store_spaces(const struct job_store *s, char ***names, struct error *e)
{
	struct stat st;
	long count = directory_names(&s->directory, "", names, e);
	long i, kept = 0;

	for (i = 0; i < count; i++) {
		if (fstatat(s->directory.fd, (*names)[i], &st,
			AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISDIR(st.st_mode))
			(*names)[kept++] = (*names)[i];
		else
			free((*names)[i]);
	}
	return count == -1 ? -1 : kept;
}

/* An IPUJob is a directory, other objects are files. */
long
job_store_names(const struct job_store *s, const char *space,
    enum job_kind kind, char ***names, struct error *e)
{
	struct directory d;
	struct error reason;
	long count = -1, i;

	if (job_store_directory(s, space, kind, false, &d, &reason) != 0) {
		directory_close(&d);
		*names = NULL;
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	}
	count = directory_names(&d, kind == JOB_IPUJOB ? "" : suffix, names, e);
	directory_close(&d);
	for (i = 0; i < count && kind != JOB_IPUJOB; i++)
		(*names)[i][strlen((*names)[i]) - strlen(suffix)] = '\0';
	return count;
}
