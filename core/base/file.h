/*
 * Files that are complete or not there: what a crash or a full disk leaves is
 * the old file or the new one.
 *
 * A new file is written under a temporary name (".NAME.XXXXXX.tmp") in the
 * same directory, flushed to the disk, and renamed.  Readers take no name that
 * begins with a dot; file_clean() removes what a crash left behind.
 */
#ifndef CORE_BASE_FILE_H
#define CORE_BASE_FILE_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/*
 * Files are their owner's alone (0600, directories 0700).  In a directory that
 * its group may write and that hands its group down (2770), the group may read
 * and write what is made there too: 0660 and 2770.
 */
bool	file_is_shared(mode_t directory_mode);

/*
 * open(2) of DIRECTORY/NAME, which must not be a symbolic link (ERROR_UNSAFE);
 * made where the flags have O_CREAT.  Closed in programs that are executed.
 * -1: the text is the system's, the caller says what it wanted the file for.
 */
int	file_open(const char *directory, const char *name, int flags,
	    struct error *);

/*
 * Put a file in place of DIRECTORY/NAME.  0: it is on the disk.
 * -1: the old one is still there; but with ERROR_UNCONFIRMED the new one is,
 * and the disk could not confirm it.
 */
int	file_replace(const char *directory, const char *name, const char *text,
	    size_t size, struct error *);

/*
 * Write a new file into a directory that nobody reads yet: not flushed, no
 * temporary name.  file_sync_all() follows before the directory is shown.
 */
int	file_write(const char *directory, const char *name, const char *text,
	    size_t size, struct error *);

/* As file_write(), but the file stays open, for its locks: the descriptor. */
int	file_open_new(const char *directory, const char *name, const char *text,
	    size_t size, struct error *);

/*
 * Make the file and flush it and its name to the disk, its owner's alone (0600)
 * wherever it is: for secrets.  ERROR_EXISTS where there is one of that name, a
 * symbolic link as well; what was written in part is gone again.
 */
int	file_create(const char *path, const char *text, size_t size,
	    struct error *);

/* Remove DIRECTORY/NAME, as file_replace(); 0 also where there is none. */
int	file_remove(const char *directory, const char *name, struct error *);

/*
 * Whether a file that could not be read is not there.  One in a home which the
 * caller may not even enter, as after a change of user, is not the caller's
 * and counts as missing; NULL: it is in no home.
 */
bool	file_is_missing(const char *path, const char *home);

/* Flush the directory's names to the disk. */
int	file_sync_directory(const char *directory, struct error *);

/*
 * Flush the name of a file or directory that was made, changed or removed, with
 * those beside it.  0 also where this user may write the directory above and
 * not read it: then it cannot be flushed.
 */
int	file_sync_above(const char *path, struct error *);

/* Flush the directory and the files in it to the disk. */
int	file_sync_all(const char *directory, struct error *);

/* Remove the temporary files that a crash left in the directory. */
void	file_clean(const char *directory);

/* Remove a directory and the files in it. 0 also where there is none. */
int	file_remove_directory(const char *directory, struct error *);

/* Make it and those above it, their names flushed; 0 also if it is there. */
int	file_make_directory(const char *directory, struct error *);

/*
 * The names in the directory that end with `suffix` and begin with no dot,
 * sorted.  Returns their number or -1 (ERROR_NOT_FOUND: no such directory); the
 * caller gives them back with file_names_free().
 */
long	file_names(const char *directory, const char *suffix, char ***names,
	    struct error *);
void	file_names_free(char **names, long count);

struct stat;

/*
 * The whole file as a NUL-terminated text of *size bytes, NUL bytes kept.
 * The caller frees it.  NULL when it cannot be read (ERROR_NOT_FOUND where
 * there is none), is not a regular file or is larger than `limit` bytes
 * (ERROR_INVALID).
 */
char		*file_read(const char *path, size_t limit, size_t *size,
		    struct error *);
/*
 * The same with more flags of open(2), as O_NOFOLLOW, which refuses a symbolic
 * link (ERROR_UNSAFE); *st is the file's.
 */
char		*file_read_as(const char *path, int flags, size_t limit,
		    size_t *size, struct stat *st, struct error *);

#endif
