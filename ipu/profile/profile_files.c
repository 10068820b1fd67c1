/*
 * Files of a profile on disk: checked before the run, removed at its start and
 * written at its end.  A kill leaves the whole file or none, and perhaps
 * ".NAME.XXXXXX.tmp", which the next run removes.
 */
#include "ipu/profile/profile_internal.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file_link.h"
#include "core/collective/collective_way.h"

enum { LOCK_SECONDS = 5 };

int
profile_files_lock(const char *directory)
{
	const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd != -1)
		(void)collective_file_lock_directory(fd, LOCK_SECONDS, NULL);
	return fd;
}

int
profile_files_make_directory(const char *path, struct error *e)
{
	char *part = xstrdup(path), *c = part, kept;
	int status = 0;

	do {
		c++;
		if (*c != '/' && *c != '\0')
			continue;
		kept = *c;
		*c = '\0';
		if (mkdir(part, 0777) == -1 && errno != EEXIST)
			status = error_set_errno(e,
			    "cannot create directory %s", part);
		*c = kept;
	} while (*c != '\0' && status == 0);
	free(part);
	return status;
}

int
profile_files_check(const char *directory, const char *name, struct error *e)
{
	char *path = xasprintf("%s/%s", directory, name);
	int status = output_file_check(path, OUTPUT_STREAM, e);

	if (status != 0)
		(void)error_prefix(e, "cannot write %s", path);
	free(path);
	return status;
}

/* Whether a user put something there: it exists and is not a regular file. */
static bool
is_special_file(const char *directory, const char *name)
{
	char *path = xasprintf("%s/%s", directory, name);
	struct stat st;
	const bool is = lstat(path, &st) == 0 && !S_ISREG(st.st_mode);

	free(path);
	return is;
}

void
profile_files_remove(const char *directory, const char *name)
{
	struct directory d;
	const int lock = profile_files_lock(directory);

	if (directory_open(&d, directory, NULL) == 0) {
		file_set_clean(&d, name);
		if (!is_special_file(directory, name))
			(void)unlinkat(d.fd, name, 0);
	}
	directory_close(&d);
	if (lock != -1)
		(void)close(lock);
}

/* Write into a FIFO, or replace the file that a link points to. */
static int
write_into(const char *directory, const struct file_set_entry *f,
    struct error *e)
{
	char *path = xasprintf("%s/%s", directory, f->path);
	int status = output_file_write(path, OUTPUT_STREAM, f->text, f->size,
	    e);

	free(path);
	return status;
}

int
profile_files_write(const char *directory, const struct file_set_entry *files,
    size_t count, struct error *e)
{
	struct file_set_entry *set = xcalloc(count, sizeof(*set));
	struct directory d;
	size_t regular = 0, i;
	const int lock = profile_files_lock(directory);
	int status = directory_open(&d, directory, e);

	if (status != 0)
		(void)error_prefix(e, "cannot open %s", directory);
	for (i = 0; i < count; i++) {
		if (is_special_file(directory, files[i].path))
			continue;
		file_set_clean(&d, files[i].path);
		set[regular] = files[i];
		set[regular++].mode = 0666;
	}
	if (status == 0 && regular > 0)
		status = file_set_install(&d, set, regular, e);
	for (i = 0; i < count && status == 0; i++)
		if (is_special_file(directory, files[i].path))
			status = write_into(directory, &files[i], e);
	directory_close(&d);
	if (lock != -1)
		(void)close(lock);
	free(set);
	return status;
}
