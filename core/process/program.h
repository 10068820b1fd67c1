/*
 * Finding the file of a program before anything is started for it, and the
 * file of this one; and why a process could not be started.
 */
#ifndef CORE_PROCESS_PROGRAM_H
#define CORE_PROCESS_PROGRAM_H

#include "core/base/error.h"

/* Exit statuses of a program that could not be started, as a shell's. */
enum {
	PROGRAM_CANNOT_EXECUTE = 126,
	PROGRAM_NOT_FOUND = 127
};

/*
 * Look the program up: in the directories of `search` (a PATH, NULL: the usual
 * ones) unless its name holds a '/'.  0 and *path, which the caller frees, or
 * one of the statuses above and the reason.
 */
int	program_find(const char *name, const char *search, char **path,
	    struct error *);

/*
 * Why there is no new process, or thread, by the errno of fork(2): "cannot
 * start WHAT: REASON; MEND".  Returns -1.
 */
int	program_fork_error(struct error *, int number, const char *what);

/*
 * The path of this program's own file: what /proc/self/exe points at; without
 * a /proc, the file that `called`, its argv[0], leads to, in the directories of
 * `search` where it holds no '/'.  NULL: not found.  The caller frees it.
 */
char	*program_own_file(const char *called, const char *search);

#endif
