/*
 * Directories that are opened once, so that later steps happen in the directory
 * that was checked, even if its name is reused meanwhile.
 */
#ifndef CORE_BASE_FILES_DIRECTORY_H
#define CORE_BASE_FILES_DIRECTORY_H

#include <sys/types.h>

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* Its owner calls directory_close(), also after a failed call. */
struct directory {
	int fd;	    /* O_PATH, so that it need not be readable; or -1 */
	char *path; /* its name in messages */
};

/* Not open; directory_close() accepts it. */
#define DIRECTORY_NONE \
	(struct directory) \
	{ \
		.fd = -1, .path = NULL \
	}

/*
 * Whether files made in the directory are shared with its group.  Usually they
 * are private to their owner (0700, files 0600).  If the group may write the
 * directory and inherits it (2770), it may read and write new contents too:
 * 2770 and 0660.
 */
bool directory_is_shared(mode_t mode);

/* Return true for this process's effective user and root. */
bool directory_is_trusted(uid_t);

/*
 * Write the path without symbolic links and dots to `out`, even if its last
 * parts do not exist (".." after a missing part is ERROR_NOT_FOUND).  Each part
 * is opened and checked in turn; a link that is not the caller's or root's is
 * refused (ERROR_UNSAFE).  Other errors have the system's text; the caller adds
 * the purpose of the path.
 */
int directory_resolve(const char *path, char *out, size_t size, struct error *);

/* Open a path named by the caller, through symbolic links.  -1: the text is the
   system's, as above. */
int directory_open(struct directory *, const char *path, struct error *);

/* Open a path from directory_resolve() without following a symbolic link in
   any part (ERROR_UNSAFE).  The error's text is complete.  directory_make()
   makes missing parts, flushed to the disk, with the modes of
   directory_is_shared(). */
int directory_open_resolved(struct directory *, const char *path,
    struct error *);
int directory_make(struct directory *, const char *path, struct error *);

/* Do as these two for the directory `name` in an open one, which stays open. */
int directory_open_below(const struct directory *, const char *name,
    struct directory *below, struct error *);
int directory_make_below(const struct directory *, const char *name,
    struct directory *below, struct error *);

/* Close a directory, even if it failed to open or is DIRECTORY_NONE. */
void directory_close(struct directory *);

/* Flush an open file or directory to disk.  Returns 0, also on file systems
   that cannot flush directories, or -1 with errno set. */
int directory_flush(int fd);

/* Flush the directory's entries to the disk. */
int directory_sync(const struct directory *, struct error *);

/* Flush the directory and its files, except hidden ones, to the disk. */
int directory_sync_all(const struct directory *, struct error *);

/* Remove the temporary files (file.h) in the directory.  No writer may be at
   work there: its file would be removed too. */
void directory_clean(const struct directory *);

/* Remove the directory `name` and the files in it.  Returns 0 also if it does
   not exist; -1 if it has subdirectories, but files may be gone then. */
int directory_remove_below(const struct directory *, const char *name,
    struct error *);

/* Open the list of the directory's names, unordered, for readdir(3) and
   closedir(3); NULL: it cannot be read. */
DIR *directory_names_open(const struct directory *, struct error *);

/* List the directory's names that end with `suffix` and do not begin with a
   dot, sorted.  Returns their number, and the caller calls
   directory_names_free(); or -1 with nothing to free. */
long directory_names(const struct directory *, const char *suffix,
    char ***names, struct error *);
void directory_names_free(char **names, long count);
/* Return the number of these names, or -1. */
long directory_names_count(const struct directory *, const char *suffix,
    struct error *);

/* Return the part after the last '/' of a path, within it; never NULL. */
const char *path_base_name(const char *path);

/* Return the part before that '/': "." without one, "/", or a directory.  The
   caller frees it. */
char *path_directory_name(const char *path);

#endif
