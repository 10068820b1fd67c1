/*
 * Installing files together: first the directories, then each file under a
 * temporary name, and when all are on the disk, the names.
 */
#include "core/base/files/file_set.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/strvec.h"

/* A file being installed; files of one directory share its descriptor. */
struct staged {
	const struct file_set_entry *entry;
	struct directory *directory; /* the file's directory */
	char *temporary;	     /* NULL: not written yet */
};

struct installation {
	const struct directory *top;
	struct staged *files;
	struct directory *directories; /* at most one per entry */
	size_t count;
	size_t directory_count;
	struct strvec made; /* paths of new directories */
	mode_t mask;	    /* the umask */
};

bool
file_set_is_path(const char *path)
{
	const char *p;
	size_t len;

	for (p = path; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == '\177')
			return false;
	for (p = path;; p += len + 1) {
		len = strcspn(p, "/");
		if (len == 0 || (len <= 2 && strncmp(p, "..", len) == 0))
			return false;
		if (p[len] == '\0')
			return true;
	}
}

/* Setting the umask is the only way to read it. */
static mode_t
current_umask(void)
{
	const mode_t mask = umask(077);

	(void)umask(mask);
	return mask;
}

/* Make the directory if it is missing, and remember that. */
static int
make_directory(const struct directory *above, const char *name,
    const char *path, struct strvec *made, struct error *e)
{
	if (FAULT_POINT("mkdir") == 0 && mkdirat(above->fd, name, 0777) == 0) {
		strvec_add(made, path);
		return 0;
	}
	return errno == EEXIST ?
	    0 :
	    error_set_errno(e, "cannot make directory %s/%s", above->path,
		name);
}

/* Open the directory of the path's file, part by part.  With `made`, make
   missing parts. */
static int
open_above(const struct directory *top, const char *path, struct strvec *made,
    struct directory *above, struct error *e)
{
	const char *part = path, *slash;
	struct directory next;
	char *name, *so_far;
	int status = 0;

	*above = (struct directory){ .fd = fcntl(top->fd, F_DUPFD_CLOEXEC, 0),
		.path = xstrdup(top->path) };
	if (above->fd == -1)
		return error_set_errno(e, "cannot open directory %s",
		    top->path);
	while (status == 0 && (slash = strchr(part, '/')) != NULL) {
		name = xasprintf("%.*s", (int)(slash - part), part);
		so_far = xasprintf("%.*s", (int)(slash - path), path);
		if (made != NULL)
			status = make_directory(above, name, so_far, made, e);
		if (status == 0) {
			status = directory_open_below(above, name, &next, e);
			directory_close(above);
			*above = next;
		}
		free(so_far);
		free(name);
		part = slash + 1;
	}
	return status;
}

/* Unlink the path below the directory: a file, or with AT_REMOVEDIR an empty
   directory.  Returns 0 also if it does not exist. */
static int
remove_path(const struct directory *top, const char *path, int flags,
    struct error *e)
{
	struct directory above;
	struct error reason;
	int status = open_above(top, path, NULL, &above, &reason);

	if (status == 0 &&
	    (FAULT_POINT("unlink") != 0 ||
		(unlinkat(above.fd, path_base_name(path), flags) != 0 &&
		    errno != ENOENT)))
		status = error_set_errno(&reason, "cannot remove %s/%s",
		    top->path, path);
	directory_close(&above);
	return status == 0 || reason.code == ERROR_NOT_FOUND ?
	    0 :
	    error_copy(e, &reason);
}

int
file_set_remove(const struct directory *top, const char *path, struct error *e)
{
	char *above, *slash;

	if (remove_path(top, path, 0, e) != 0)
		return -1;
	above = xstrdup(path);
	while ((slash = strrchr(above, '/')) != NULL) {
		*slash = '\0';
		/* A directory with contents of others stays. */
		(void)remove_path(top, above, AT_REMOVEDIR, NULL);
	}
	free(above);
	return 0;
}

/* If a directory cannot be read, the remains in it stay. */
void
file_set_clean(const struct directory *top, const char *path)
{
	struct directory above;
	struct dirent *entry;
	DIR *dir = NULL;

	if (open_above(top, path, NULL, &above, NULL) == 0)
		dir = directory_names_open(&above, NULL);
	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (file_is_temporary(entry->d_name, path_base_name(path)))
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir != NULL)
		(void)closedir(dir);
	directory_close(&above);
}

/* Find the entry's directory: that of the entry before it, or a new one. */
static int
find_directory(struct installation *in, size_t i, struct error *e)
{
	const char *path = in->files[i].entry->path;
	const size_t size = (size_t)(path_base_name(path) - path);
	const char *before;
	struct directory *d = &in->directories[in->directory_count];

	if (i > 0) {
		before = in->files[i - 1].entry->path;
		if ((size_t)(path_base_name(before) - before) == size &&
		    strncmp(before, path, size) == 0) {
			in->files[i].directory = d - 1;
			return 0;
		}
	}
	in->directory_count++;
	in->files[i].directory = d;
	return open_above(in->top, path, &in->made, d, e);
}

/* Write one file under its temporary name. */
static int
stage_file(struct installation *in, struct staged *f, struct error *e)
{
	const char *name = path_base_name(f->entry->path);
	struct stat st;

	if (fstatat(f->directory->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode))
		return error_set(e,
		    "%s/%s is a directory, but must be a file; move it away",
		    f->directory->path, name);
	f->temporary = file_stage(f->directory, name,
	    f->entry->mode & ~in->mask, f->entry->text, f->entry->size, e);
	return f->temporary != NULL ? 0 : -1;
}

/* Remove all files that have no name yet, and the new directories that are
   empty. */
static void
take_back(struct installation *in)
{
	size_t i;

	for (i = 0; i < in->count; i++)
		if (in->files[i].temporary != NULL)
			(void)unlinkat(in->files[i].directory->fd,
			    in->files[i].temporary, 0);
	for (i = in->made.count; i > 0; i--)
		(void)remove_path(in->top, in->made.items[i - 1], AT_REMOVEDIR,
		    NULL);
}

/* Rename all files, and flush all directories to the disk. */
static int
show_files(struct installation *in, struct error *e)
{
	struct staged *f;
	size_t i;
	int status = 0;

	for (i = 0; i < in->count && status == 0; i++) {
		f = &in->files[i];
		status = file_show(f->directory, f->temporary,
		    path_base_name(f->entry->path), e);
		free(f->temporary);
		f->temporary = NULL;
	}
	for (i = 0; i < in->directory_count && status == 0; i++)
		status = directory_sync(&in->directories[i], e);
	return status == 0 ? 0 : error_recode(e, ERROR_UNCONFIRMED);
}

int
file_set_install(const struct directory *top,
    const struct file_set_entry *entries, size_t count, struct error *e)
{
	struct installation in = { .top = top,
		.count = count,
		.mask = current_umask(),
		.files = xcalloc(count, sizeof(*in.files)),
		.directories = xcalloc(count, sizeof(*in.directories)) };
	size_t i;
	int status = 0;

	strvec_init(&in.made);
	for (i = 0; i < count && status == 0; i++) {
		in.files[i].entry = &entries[i];
		status = find_directory(&in, i, e);
		if (status == 0)
			status = stage_file(&in, &in.files[i], e);
	}
	if (status == 0)
		status = show_files(&in, e);
	if (status != 0)
		take_back(&in);
	for (i = 0; i < count; i++)
		free(in.files[i].temporary);
	for (i = 0; i < in.directory_count; i++)
		directory_close(&in.directories[i]);
	strvec_release(&in.made);
	free(in.directories);
	free(in.files);
	return status;
}
