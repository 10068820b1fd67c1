/*
 * The directory of a profile and what is put into it.  Files come whole: each
 * is written under a temporary name and renamed, so that a kill leaves the
 * whole file or none, and perhaps ".NAME.XXXXXX.tmp", which the next run
 * removes.
 */
#ifndef IPU_PROFILE_PROFILE_FILES_H
#define IPU_PROFILE_PROFILE_FILES_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/files/file_set.h"

/* The directory and those above it, for whoever the umask lets read. */
int	profile_files_make_directory(const char *path, struct error *);

/* Refuse now what cannot be written at the end. */
int	profile_files_check(const char *directory, const char *name,
	    struct error *);

/*
 * Remove the file of an earlier run, and what a killed one left of it.  What a
 * user put there instead, as a FIFO or a link, stays and is written into.
 */
void	profile_files_remove(const char *directory, const char *name);

/*
 * Write them all: regular files together (file_set.h), then what a
 * user put there; nobody else writes them at that time.  The mode of the
 * entries does not count: whoever the umask lets read may read.
 */
int	profile_files_write(const char *directory,
	    const struct file_set_entry *, size_t count, struct error *);

#endif
