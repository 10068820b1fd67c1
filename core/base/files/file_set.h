/*
 * Several files below a directory that come together: what fails, as a full
 * disk does, leaves all of them as they were.  A kill leaves each of them as it
 * was or new, and perhaps temporary files, which file_set_clean() removes.
 *
 * All goes by descriptors, and no symbolic link below the directory is
 * followed.
 */
#ifndef CORE_BASE_FILES_FILE_SET_H
#define CORE_BASE_FILES_FILE_SET_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"

struct file_set_entry {
	const char *path; /* below the directory: "lib/a.c" */
	mode_t mode;	  /* less what the umask takes */
	const char *text;
	size_t size;
};

/*
 * Put the files in place of those there are, which come to stand under their
 * names at the end, after all that can fail for want of room.  Missing
 * directories are made (0777, less the umask).  Entries with the same directory
 * stand one behind the other.  -1: with ERROR_UNCONFIRMED the files may be new
 * in part, otherwise nothing has changed.
 */
int file_set_install(const struct directory *, const struct file_set_entry *,
    size_t count, struct error *);

/*
 * Remove the file, and then the directories of its path that are empty; 0 also
 * where there is none.
 */
int file_set_remove(const struct directory *, const char *path, struct error *);

/* Remove what a killed file_set_install() left beside the file. */
void file_set_clean(const struct directory *, const char *path);

/*
 * Whether the path is one below a directory and nothing else: no part of it is
 * empty, "." or "..", and there is no control character in it.
 */
bool file_set_is_path(const char *path);

/*
 * Copy `name` in the open directory to `to_name` in the other one: a regular
 * file in place of one that is there, a directory into one that is there, a
 * symbolic link as the link it is.  Modes come along, owners do not; anything
 * else, as a socket, is passed over.  -1: what could not be read or written,
 * with its name; what was copied before it stays.
 */
int directory_copy(int from, const char *name, int to, const char *to_name,
    struct error *);

/*
 * Remove the directory `name` in the open one with everything in it, whatever
 * its mode, and no symbolic link followed; what belongs to others stays, with
 * the directories above it.  0 also where there is none; else something stayed,
 * and the system's number says why.
 */
int directory_tree_remove(int above, const char *name);

/* The same of what is in an open directory, which stays itself. */
int directory_tree_empty(int fd);

#endif
