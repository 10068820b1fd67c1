/*
 * Files that are either complete or missing: a crash or a full disk leaves the
 * old file or the new one.  A new file is written under a temporary name
 * (".NAME.XXXXXX.tmp") in the same directory, flushed to the disk, and renamed.
 * Readers ignore names that begin with a dot; directory_clean() removes the
 * remains of a crash.
 */
#ifndef CORE_BASE_FILES_FILE_H
#define CORE_BASE_FILES_FILE_H

#include <sys/stat.h>

#include "core/base/files/directory.h"

/* Open a name in the directory with openat(2), close-on-exec; a symbolic link
   is refused (ERROR_UNSAFE).  O_CREAT makes it with the mode 0600, or 0660 in a
   shared directory.  -1: the text is the system's; the caller adds the purpose
   of the file. */
int file_open(const struct directory *, const char *name, int flags,
    struct error *);

/* Write all bytes with write(2).  Returns 0, or -1 with errno set. */
int file_put(int fd, const char *text, size_t size);

/* Replace `name` in the directory by a new file, whose mode is that of
   file_open(), not the old file's.  Returns 0 if it is on the disk.  -1: the
   old file remains; but with ERROR_UNCONFIRMED the new one is there, and the
   disk could not confirm it. */
int file_replace_at(const struct directory *, const char *name,
    const char *text, size_t size, struct error *);
/* Do the same in a directory named by a user, through symbolic links. */
int file_replace(const char *directory, const char *name, const char *text,
    size_t size, struct error *);

/* Return a new temporary name for `name`, ".NAME.XXXXXX.tmp", which the caller
   frees. */
char *file_temporary_name(const char *name);
/* Whether an entry of a directory is a temporary name for `name`. */
bool file_is_temporary(const char *entry, const char *name);

/*
 * The two halves of a replacement, for several files at once.  file_stage()
 * writes and flushes the text of `name` with exactly this mode under a
 * temporary name, which it returns and the caller frees (NULL: failed).
 * file_show() then renames that file to `name`; directory_sync() must flush
 * this.  Either removes the temporary file if it fails.
 */
char *file_stage(const struct directory *, const char *name, mode_t,
    const char *text, size_t size, struct error *);
int file_show(const struct directory *, const char *temporary, const char *name,
    struct error *);

/* Write a new file into a directory that has no readers yet: not flushed, no
   temporary name.  -1: for example, the name exists; a partly written file
   stays.  Call directory_sync_all() before the directory becomes visible. */
int file_write(const struct directory *, const char *name, const char *text,
    size_t size, struct error *);

/* Do the same and return the open descriptor, for its locks. */
int file_open_new(const struct directory *, const char *name, const char *text,
    size_t size, struct error *);

/* Make a private file (0600 everywhere) and flush it and its name to the disk:
   for secrets.  ERROR_EXISTS if the name exists, even as a symbolic link.  A
   partly written file is removed. */
int file_create(const char *path, const char *text, size_t size,
    struct error *);

/* Remove `name`, with the results of file_replace_at(); 0 also if missing. */
int file_remove(const struct directory *, const char *name, struct error *);

/* Return true if no file has this path, or if this process may neither look it
   up nor enter the home directory `home` (NULL: ignored), as after a change of
   user. */
bool file_is_missing(const char *path, const char *home);

/*
 * Read a whole file as a NUL-terminated text of *size bytes, NUL bytes kept,
 * which the caller frees.  NULL: unreadable (ERROR_NOT_FOUND: missing);
 * or ERROR_INVALID: not a regular file, or more than `limit` bytes.
 */
char *file_read(const char *path, size_t limit, size_t *size, struct error *);
/* Do the same and fill *st. */
char *file_read_as(const char *path, size_t limit, size_t *size,
    struct stat *st, struct error *);
/* Do the same for a name in the directory; refuses a symbolic link and a file
   that has other names (ERROR_UNSAFE). */
char *file_read_at(const struct directory *, const char *name, size_t limit,
    size_t *size, struct error *);
char *file_read_at_as(const struct directory *, const char *name, size_t limit,
    size_t *size, struct stat *, struct error *);

/* Do as file_read(), file_read_at() and stream_read(), with a text that is
   shorter than FILE_ROOM in `room`: allocating it takes longer than reading it.
   The caller ends the text with stream_release(). */
enum { FILE_ROOM = 4096 };
char *file_read_into(const char *path, size_t limit, char room[FILE_ROOM],
    size_t *size, struct error *);
char *file_read_at_into(const struct directory *, const char *name,
    size_t limit, char room[FILE_ROOM], size_t *size, struct error *);
char *stream_read_into(int fd, const char *name, size_t limit,
    char room[FILE_ROOM], size_t *size, struct error *);
void stream_release(char *text, const char room[FILE_ROOM]);

/* Return -1 if the open file has a second name (ERROR_UNSAFE): it may be a link
   made by a user with write permission for the directory but not the file. */
int file_check_single(int fd, const char *directory, const char *name,
    struct error *);

/* Read the rest of a descriptor, which may be a pipe, like file_read(), with
   the same limit and results; the descriptor stays open.  Errors call it
   `name`. */
char *stream_read(int fd, const char *name, size_t limit, size_t *size,
    struct error *);

#endif
