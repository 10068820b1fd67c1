/*
 * A process gives up what it does not need, for good: new privileges, most of
 * the file system, and calls that only an intruder would make of it.
 */
#ifndef CORE_PROCESS_CONFINE_H
#define CORE_PROCESS_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/* A directory, or a file, that stays open to it with all that is below. */
struct confine_place {
	const char	*path;		/* NULL, or not there: none */
	bool		 is_written;	/* else it is only read */
};

/* What is in force. */
struct confinement {
	bool	no_new_privileges;
	int	landlock;	/* its version, 0: the kernel has none */
	bool	seccomp;
};

/*
 * From now on this thread and all that it starts
 *
 * - gain no rights by programs that they execute (prctl(2));
 * - open the files of these places only, bind no TCP port, connect to none,
 *   and signal nobody but each other (landlock(7), as far as the kernel's
 *   version goes).  What is open stays open, and sockets with a path can be
 *   reached;
 * - execute nothing, mount nothing, trace nobody, make no namespace and no
 *   code, and so on: the calls are rows of confine.c, and end with EPERM
 *   (seccomp(2)).  A list of what is refused: what a C library calls by itself
 *   changes from release to release.
 *
 * What the kernel does not have is left out, and *out says so.  With
 * sanitizers only the first is in force: they trace, and report into files.
 */
void	confine_apply(const struct confine_place *, size_t count,
	    struct confinement *out);

/* "no new privileges, Landlock 7, seccomp", or "nothing". */
enum { CONFINE_TEXT_SIZE = 64 };
void	confine_describe(const struct confinement *,
	    char text[CONFINE_TEXT_SIZE]);

#endif
