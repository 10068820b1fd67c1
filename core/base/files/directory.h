/*
 * Directories that are opened once, so that what follows happens in the one
 * that was opened and checked, whatever takes its name meanwhile.
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
	char *path; /* what messages call it */
};

/* None that is open: for what is closed whether or not it was opened. */
#define DIRECTORY_NONE \
	(struct directory) \
	{ \
		.fd = -1, .path = NULL \
	}

/*
 * Directories are their owner's alone (0700, files in them 0600).  In one that
 * its group may write and that hands its group down (2770), the group may read
 * and write what is made there too: 2770 and 0660.
 */
bool directory_is_shared(mode_t mode);

/* Whether what this user made may be relied on: the caller, and root. */
bool directory_is_trusted(uid_t);

/*
 * The path without symbolic links and dots into `out`, also where its last
 * parts do not exist.  Each part is opened and looked at in turn: refused is a
 * link of somebody else than the caller or root (ERROR_UNSAFE).  Other texts
 * are the system's, the caller says what it wanted the path for.
 */
int directory_resolve(const char *path, char *out, size_t size, struct error *);

/*
 * Open it as the caller names it, through symbolic links.  -1: the text is the
 * system's, as above.
 */
int directory_open(struct directory *, const char *path, struct error *);

/*
 * Open a path that directory_resolve() gave: no symbolic link is followed in
 * any part of it (ERROR_UNSAFE).  _make: what is missing is made, with its
 * names flushed, as directory_is_shared() says.
 */
int directory_open_resolved(struct directory *, const char *path,
    struct error *);
int directory_make(struct directory *, const char *path, struct error *);

/* The same for the directory `name` in one that is open. */
int directory_open_below(const struct directory *, const char *name,
    struct directory *below, struct error *);
int directory_make_below(const struct directory *, const char *name,
    struct directory *below, struct error *);

/* Close it; fine for one that could not be opened, or DIRECTORY_NONE. */
void directory_close(struct directory *);

/* Flush what is open to the disk, file or directory. -1 and errno. */
int directory_flush(int fd);

/* Flush its names to the disk. */
int directory_sync(const struct directory *, struct error *);

/* Flush it and the files in it to the disk. */
int directory_sync_all(const struct directory *, struct error *);

/* Remove the temporary files (file.h) that a crash left in it. */
void directory_clean(const struct directory *);

/* Remove `name` and the files in it. 0 also where there is none. */
int directory_remove_below(const struct directory *, const char *name,
    struct error *);

/* All its names, as they come, for readdir(3) and closedir(3); NULL: it cannot
   be read. */
DIR *directory_open_names(const struct directory *, struct error *);

/*
 * The names in it that end with `suffix` and begin with no dot, sorted.
 * Returns their number or -1; the caller gives them back with
 * directory_names_free().
 */
long directory_names(const struct directory *, const char *suffix,
    char ***names, struct error *);
void directory_names_free(char **names, long count);
/* How many there are, or -1. */
long directory_count(const struct directory *, const char *suffix,
    struct error *);

/* What stands after the last '/' of a path; never NULL, not allocated. */
const char *path_base_name(const char *path);

/* What stands before it: ".", "/" or a directory.  The caller frees it. */
char *path_directory_name(const char *path);

#endif
