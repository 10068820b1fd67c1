/*
 * Installing the SDK in this order: the directory and its lock, the existing
 * marker, the files, remains of an older version, the new marker.
 */
#include "core/state/sdk/sdk.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"
#include "core/base/formats/encoding.h"
#include "core/base/strvec.h"

struct sdk_target {
	struct directory top;
	int lock;     /* locked directory, or -1 */
	bool made;    /* the directory is new */
	char *before; /* text of the marker; or NULL */
	size_t before_size;
	struct sdk_marker marker; /* existing marker */
	char *bytes;		  /* all files, unpacked */
	char *written_by;	  /* text of that file */
	struct file_set_entry *entries;
	size_t count;
};

/* Names the ipubox that wrote the SDK, between the quotation marks. */
static const char written_by_path[] = "lib/ipubox_file.h";

/* ---- the directory ---- */

/* Check that an existing path is a directory. */
static int
check_place(const char *path, bool *exists, struct error *e)
{
	struct stat st;

	if (strchr(path, ':') != NULL || strchr(path, '\n') != NULL)
		return error_set(e,
		    "'%s': variables such as PYTHONPATH cannot hold a path "
		    "with ':' or a line break; choose another name",
		    path);
	*exists = stat(path, &st) == 0;
	if (*exists)
		return S_ISDIR(st.st_mode) ?
		    0 :
		    error_set(e, "%s is not a directory", path);
	if (errno != ENOENT)
		return error_set_errno(e, "cannot examine %s", path);
	if (lstat(path, &st) == 0)
		return error_set(e,
		    "%s is a symbolic link that leads nowhere; remove it",
		    path);
	return 0;
}

/* Refuse a directory that another user can change: programs of this user run
   what is installed there. */
static int
check_private(const struct directory *d, struct error *e)
{
	struct stat st;

	if (fstat(d->fd, &st) != 0)
		return error_set_errno(e, "cannot look at %s", d->path);
	if (!directory_is_trusted(st.st_uid))
		return error_set_code(e, ERROR_UNSAFE,
		    "%s belongs to uid %u, which could change the SDK; choose "
		    "a folder of your own",
		    d->path, (unsigned)st.st_uid);
	if ((st.st_mode & S_IWOTH) != 0 ||
	    ((st.st_mode & S_IWGRP) != 0 && !directory_is_shared(st.st_mode)))
		return error_set_code(e, ERROR_UNSAFE,
		    "others may write %s, and could change the SDK; chmod go-w "
		    "%s",
		    d->path, d->path);
	if (fstatat(d->fd, "..", &st, 0) == 0 &&
	    (st.st_mode & (S_IWOTH | S_ISVTX)) == S_IWOTH)
		return error_set_code(e, ERROR_UNSAFE,
		    "others may write the directory above %s, and could "
		    "replace the SDK; chmod o-w or chmod +t that directory",
		    d->path);
	return 0;
}

/* Lock the directory, because two installations would remove each other's
   files.  The lock is on the directory itself, so that no lock file stays. */
static int
lock_directory(struct sdk_target *s, struct error *e)
{
	s->lock = openat(s->top.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->lock == -1)
		return error_set_errno(e, "cannot open %s", s->top.path);
	if (flock(s->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return 0; /* or a file system without locks */
	return error_set_code(e, ERROR_BUSY,
	    "another ipubox is writing the SDK into %s; wait until it is done",
	    s->top.path);
}

static int
sdk_install_open_place(struct sdk_target *s, const char *path, struct error *e)
{
	bool exists = false;

	if (check_place(path, &exists, e) != 0)
		return -1;
	if (!exists && (FAULT_POINT("mkdir") != 0 || mkdir(path, 0777) != 0)) {
		if (errno == ENOENT)
			return error_set(e,
			    "cannot make %s: its parent directory is missing; "
			    "make it with mkdir -p",
			    path);
		return error_set_errno(e, "cannot make %s", path);
	}
	s->made = !exists;
	if (directory_open(&s->top, path, e) != 0)
		return error_prefix(e, "cannot open %s", path);
	return check_private(&s->top, e) == 0 ? lock_directory(s, e) : -1;
}

/* ---- existing contents ---- */

/* Whether it contains files, except the file system's lost+found. */
static bool
holds_files(const struct sdk_target *s)
{
	const int fd = fcntl(s->lock, F_DUPFD_CLOEXEC, 0);
	DIR *dir = fd != -1 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	bool found = false;

	while (dir != NULL && !found && (entry = readdir(dir)) != NULL)
		found = strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    strcmp(entry->d_name, "lost+found") != 0;
	if (dir != NULL)
		(void)closedir(dir);
	else if (fd != -1)
		(void)close(fd);
	return found;
}

/* Read the marker; with `force`, an unreadable one counts as missing. */
static int
sdk_install_read_marker(struct sdk_target *s, bool force, struct error *e)
{
	struct error reason;

	/* Left by a run that was killed at its first byte. */
	file_set_clean(&s->top, SDK_MARKER_NAME);
	s->before = file_read_at(&s->top, SDK_MARKER_NAME, SDK_MARKER_SIZE_MAX,
	    &s->before_size, &reason);
	if (s->before == NULL && reason.code == ERROR_NOT_FOUND) {
		if (force || !holds_files(s))
			return 0;
		return error_set(e,
		    "%s holds files that are not an SDK of ipubox; choose "
		    "another directory, or use --force",
		    s->top.path);
	}
	if (s->before == NULL)
		return error_copy(e, &reason);
	if (sdk_marker_parse(&s->marker, s->before, s->before_size, &reason) ==
	    0)
		return 0;
	sdk_marker_release(&s->marker);
	free(s->before);
	s->before = NULL;
	return force ?
	    0 :
	    error_set(e,
		"%s/%s is damaged: %s; --force uses the directory anyway",
		s->top.path, SDK_MARKER_NAME, reason.text);
}

/* ---- the files ---- */

static int
unpack(struct sdk_target *s, struct error *e)
{
	const struct embedded_sdk_file *f;
	size_t size = 0, used = 0, unpacked;

	for (f = embedded_sdk; f->path != NULL; f++, s->count++)
		size += f->size;
	s->bytes = (char *)gzip_unpack("the SDK inside this file",
	    embedded_sdk_packed, embedded_sdk_packed_size, size, &unpacked, e);
	if (s->bytes == NULL)
		return -1;
	assert(unpacked == size);
	s->entries = xcalloc(s->count, sizeof(*s->entries));
	for (f = embedded_sdk; f->path != NULL; f++) {
		s->entries[f - embedded_sdk] =
		    (struct file_set_entry){ .path = f->path,
			    .mode = f->mode,
			    .text = s->bytes + used,
			    .size = f->size };
		used += f->size;
	}
	return 0;
}

/* Fill in our own file.  A path that C and Python would read differently is
   left out. */
static void
put_written_by(struct sdk_target *s, const char *self)
{
	struct file_set_entry *f = s->entries;

	if (self == NULL || strpbrk(self, "\"\\?\n") != NULL)
		return;
	while (strcmp(f->path, written_by_path) != 0)
		f++;
	/* The empty string is at the end: ""\n. */
	s->written_by = xasprintf("%.*s%s\"\n", (int)f->size - 2, f->text,
	    self);
	f->text = s->written_by;
	f->size = strlen(f->text);
}

static bool
is_new(const struct sdk_target *s, const char *path)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (strcmp(s->entries[i].path, path) == 0)
			return true;
	return false;
}

/* An unfinished marker lists all files that may be ours, so that a run after a
   kill can remove obsolete ones. */
static int
write_marker(const struct sdk_target *s, bool complete, struct error *e)
{
	struct sdk_marker marker = { .complete = complete };
	size_t i, size;
	char *text;
	int status;

	(void)strlcpy(marker.version, IPUBOX_VERSION, sizeof(marker.version));
	for (i = 0; i < s->count; i++)
		strvec_add(&marker.paths, s->entries[i].path);
	for (i = 0; i < s->marker.paths.count && !complete; i++)
		if (!is_new(s, s->marker.paths.items[i]))
			strvec_add(&marker.paths, s->marker.paths.items[i]);
	text = sdk_marker_text(&marker, &size);
	status = file_set_install(&s->top,
	    &(struct file_set_entry){ .path = SDK_MARKER_NAME,
		.mode = 0644,
		.text = text,
		.size = size },
	    1, e);
	free(text);
	sdk_marker_release(&marker);
	return status;
}

/* Restore the marker as it was before. */
static void
restore_marker(const struct sdk_target *s)
{
	if (s->before == NULL)
		(void)file_set_remove(&s->top, SDK_MARKER_NAME, NULL);
	else
		(void)file_set_install(&s->top,
		    &(struct file_set_entry){ .path = SDK_MARKER_NAME,
			.mode = 0644,
			.text = s->before,
			.size = s->before_size },
		    1, NULL);
}

/* Remove temporary files of a killed run; none can be in use. */
static void
clean(const struct sdk_target *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		file_set_clean(&s->top, s->entries[i].path);
}

/* Remove Python's compiled files of a removed module: a directory with nothing
   else would still be an (empty) package. */
static void
remove_compiled(const struct sdk_target *s, const char *path)
{
	const char *name = path_base_name(path);
	const size_t stem = strlen(name) - strlen("py");
	char *above = path_directory_name(path);
	char *cache = xasprintf("%s/__pycache__", above), *file;
	char *full = xasprintf("%s/%s", s->top.path, cache);
	struct directory d;
	char **names;
	long i, count = -1;

	if (directory_open(&d, full, NULL) == 0)
		count = directory_names(&d, ".pyc", &names, NULL);
	for (i = 0; i < count; i++)
		if (strncmp(names[i], name, stem) == 0) {
			file = xasprintf("%s/%s", cache, names[i]);
			(void)file_set_remove(&s->top, file, NULL);
			free(file);
		}
	if (count != -1)
		directory_names_free(names, count);
	directory_close(&d);
	free(full);
	free(cache);
	free(above);
}

static int
sdk_install_remove_old(const struct sdk_target *s, struct error *e)
{
	const struct strvec *old = &s->marker.paths;
	const char *path;
	size_t i;

	for (i = 0; i < old->count; i++) {
		path = old->items[i];
		if (is_new(s, path))
			continue;
		if (strlen(path) > 3 &&
		    strcmp(path + strlen(path) - 3, ".py") == 0)
			remove_compiled(s, path);
		if (file_set_remove(&s->top, path, e) != 0)
			return -1;
	}
	return 0;
}

static int
sdk_install_files(struct sdk_target *s, struct error *e)
{
	if (s->before != NULL && !s->marker.complete)
		clean(s);
	if (write_marker(s, false, e) != 0)
		return -1;
	if (file_set_install(&s->top, s->entries, s->count, e) != 0) {
		if (e == NULL || e->code != ERROR_UNCONFIRMED)
			restore_marker(s);
		return -1;
	}
	if (sdk_install_remove_old(s, e) != 0)
		return -1;
	return write_marker(s, true, e);
}

int
sdk_install(const char *path, const char *self, bool force, struct error *e)
{
	struct sdk_target s = { .top = DIRECTORY_NONE, .lock = -1 };
	const mode_t mask = umask(S_IRWXG | S_IRWXO);
	int status = unpack(&s, e);

	/* The umask decides which users may read; only this one writes. */
	(void)umask(mask | S_IWGRP | S_IWOTH);
	if (status == 0) {
		put_written_by(&s, self);
		status = sdk_install_open_place(&s, path, e);
	}
	if (status == 0)
		status = sdk_install_read_marker(&s, force, e);
	if (status == 0)
		status = sdk_install_files(&s, e);
	/* Empty again, unless a part of it could not be removed. */
	if (status != 0 && s.made)
		(void)rmdir(path);
	(void)umask(mask);
	if (s.lock != -1)
		(void)close(s.lock);
	directory_close(&s.top);
	sdk_marker_release(&s.marker);
	free(s.before);
	free(s.entries);
	free(s.written_by);
	free(s.bytes);
	return status;
}
