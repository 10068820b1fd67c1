/*
 * Files that are complete or not there: a crash or a full disk leaves the old
 * file or the new one.  A new file is written under a temporary name
 * (".NAME.XXXXXX.tmp") in the same directory, flushed to the disk, and renamed.
 * Readers take no name that begins with a dot; directory_clean() removes what a
 * crash left behind.
 */
#ifndef CORE_BASE_FILES_FILE_H
#define CORE_BASE_FILES_FILE_H

#include <sys/stat.h>

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"

/*
 * openat(2) of a name in the directory, which must not be a symbolic link
 * (ERROR_UNSAFE); made where the flags have O_CREAT.  Close-on-exec.  -1: the
 * text is the system's, the caller says what it wanted the file for.
 */
int file_open(const struct directory *, const char *name, int flags,
    struct error *);

/* Write all bytes, whatever write(2) takes at once.  -1 and errno. */
int file_put(int fd, const char *text, size_t size);

/*
 * Put a file in place of `name` in the directory.  0: it is on the disk.
 * -1: the old one is still there; but with ERROR_UNCONFIRMED the new one is,
 * and the disk could not confirm it.
 */
int file_replace_at(const struct directory *, const char *name,
    const char *text, size_t size, struct error *);
/* The same in a directory that a user named, through symbolic links. */
int file_replace(const char *directory, const char *name, const char *text,
    size_t size, struct error *);

/* A new name for a temporary file of `name`, ".NAME.XXXXXX.tmp", which the
   caller frees; and whether an entry of a directory has such a name. */
char *file_temporary_name(const char *name);
bool file_is_temporary(const char *entry, const char *name);

/*
 * The two halves of it, for files that come together: write and flush the text
 * of `name` with the mode, which the umask does not change, under a temporary
 * name that the caller frees (NULL: it failed), then give it its name, which
 * directory_sync() flushes, or remove it where that fails.
 */
char *file_stage(const struct directory *, const char *name, mode_t,
    const char *text, size_t size, struct error *);
int file_show(const struct directory *, const char *temporary, const char *name,
    struct error *);

/*
 * Write a file of a new name into a directory that nobody reads yet: not
 * flushed, no temporary name.  directory_sync_all() follows before the
 * directory is shown.
 */
int file_write(const struct directory *, const char *name, const char *text,
    size_t size, struct error *);

/* As file_write(), but the file stays open, for its locks: the descriptor. */
int file_open_new(const struct directory *, const char *name, const char *text,
    size_t size, struct error *);

/*
 * Make the file and flush it and its name to the disk, its owner's alone (0600)
 * wherever it is: for secrets.  ERROR_EXISTS where there is one of that name, a
 * symbolic link as well; what was written in part is gone again.
 */
int file_create(const char *path, const char *text, size_t size,
    struct error *);

/* Remove `name`, as file_replace_at(); 0 also where there is none. */
int file_remove(const struct directory *, const char *name, struct error *);

/*
 * Whether a file that could not be read is not there.  One in a home which the
 * caller may not even enter, as after a change of user, is not the caller's
 * and counts as missing; NULL: it is in no home.
 */
bool file_is_missing(const char *path, const char *home);

/*
 * The whole file as a NUL-terminated text of *size bytes, NUL bytes kept.
 * The caller frees it.  NULL when it cannot be read (ERROR_NOT_FOUND where
 * there is none), is not a regular file or is larger than `limit` bytes
 * (ERROR_INVALID).
 */
char *file_read(const char *path, size_t limit, size_t *size, struct error *);
/* The same, and *st is the file's. */
char *file_read_as(const char *path, size_t limit, size_t *size,
    struct stat *st, struct error *);
/*
 * The same of a name in the directory; a symbolic link and a file that has
 * other names are refused (ERROR_UNSAFE).
 */
char *file_read_at(const struct directory *, const char *name, size_t limit,
    size_t *size, struct error *);

/*
 * Refuse an open file that has another name elsewhere (ERROR_UNSAFE): whoever
 * may write the directory, and not the file, can have linked it there.
 */
int file_check_single(int fd, const char *directory, const char *name,
    struct error *);

/* The same of what is left in a descriptor, which stays open; errors call it
   `name`. */
char *stream_read(int fd, const char *name, size_t limit, size_t *size,
    struct error *);

#endif
