/*
 * Directories with their contents, by descriptor, so that a replaced directory
 * is not entered.
 */
#include "core/base/files/file_set.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TREE_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* Open a directory and make it readable if needed, as an overlay's work
   directory: by its descriptor's name, because fchmod(2) does not take
   O_PATH. */
static int
open_whatever_mode(int above, const char *name)
{
	char own[64];
	int fd = openat(above, name, TREE_FLAGS), path;

	if (fd != -1 || errno != EACCES)
		return fd;
	path = openat(above, name,
	    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (path == -1)
		return -1;
	(void)snprintf(own, sizeof(own), "/proc/self/fd/%d", path);
	if (chmod(own, S_IRWXU) == 0)
		fd = openat(above, name, TREE_FLAGS);
	(void)close(path);
	return fd;
}

int
directory_tree_empty(int fd)
{
	DIR *dir;
	struct dirent *entry;
	int copy = openat(fd, ".", TREE_FLAGS), number, last = 0;

	if (copy == -1 || (dir = fdopendir(copy)) == NULL) {
		number = errno;
		if (copy != -1)
			(void)close(copy);
		return number;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    unlinkat(fd, entry->d_name, 0) == 0)
			continue;
		number = directory_tree_remove(fd, entry->d_name);
		if (number != 0)
			last = number;
	}
	(void)closedir(dir);
	return last;
}

int
directory_tree_remove(int above, const char *name)
{
	int fd, number;

	if (unlinkat(above, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	fd = open_whatever_mode(above, name);
	if (fd == -1)
		return errno == ENOENT ? 0 : errno;
	/* Entries of a directory without write permission cannot be removed. */
	(void)fchmod(fd, S_IRWXU);
	number = directory_tree_empty(fd);
	(void)close(fd);
	if (unlinkat(above, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	return number != 0 ? number : errno;
}
