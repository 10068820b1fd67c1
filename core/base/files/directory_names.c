/*
 * The names in an open directory.
 */
#include "core/base/files/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* Return true if the name ends with the suffix; "" always matches. */
static bool
has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);

	return n >= s && strcmp(name + n - s, suffix) == 0;
}

/* Return true if a name is listed: temporary files begin with a dot. */
static bool
directory_lists(const char *name, const char *suffix)
{
	return name[0] != '.' && has_suffix(name, suffix);
}

/* Its own descriptor is O_PATH. */
DIR *
directory_names_open(const struct directory *d, struct error *e)
{
	const int fd = openat(d->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd != -1 ? fdopendir(fd) : NULL;

	if (dir == NULL) {
		(void)error_set_errno(e, "cannot open directory %s", d->path);
		if (fd != -1)
			(void)close(fd);
	}
	return dir;
}

/* Clear errno before each readdir(3): NULL is both the end and a failure, and
   only errno tells them apart. */
long
directory_names(const struct directory *d, const char *suffix, char ***names,
    struct error *e)
{
	DIR *dir = directory_names_open(d, e);
	struct dirent *entry;
	size_t count = 0, room = 16;

	if (dir == NULL)
		return -1;
	*names = xcalloc(room, sizeof(**names));
	while ((errno = 0, entry = readdir(dir)) != NULL) {
		if (!directory_lists(entry->d_name, suffix))
			continue;
		if (count == room) {
			room *= 2;
			*names = xreallocarray(*names, room, sizeof(**names));
		}
		(*names)[count++] = xstrdup(entry->d_name);
	}
	if (errno != 0) {
		(void)error_set_errno(e, "cannot read directory %s", d->path);
		(void)closedir(dir);
		directory_names_free(*names, (long)count);
		return -1;
	}
	(void)closedir(dir);
	qsort(*names, count, sizeof(**names), text_compare);
	return (long)count;
}

long
directory_names_count(const struct directory *d, const char *suffix,
    struct error *e)
{
	DIR *dir = directory_names_open(d, e);
	struct dirent *entry;
	long count = 0;

	if (dir == NULL)
		return -1;
	while ((errno = 0, entry = readdir(dir)) != NULL)
		count += directory_lists(entry->d_name, suffix);
	if (errno != 0)
		count = error_set_errno(e, "cannot read directory %s", d->path);
	(void)closedir(dir);
	return count;
}

void
directory_names_free(char **names, long count)
{
	while (count > 0)
		free(names[--count]);
	free(names);
}
