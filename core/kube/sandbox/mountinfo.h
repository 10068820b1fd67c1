/*
 * The mounts that a process sees, from /proc/PID/mountinfo (proc(5)).
 */
#ifndef CORE_KUBE_SANDBOX_MOUNTINFO_H
#define CORE_KUBE_SANDBOX_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct mountinfo {
	FILE	*file;
	char	*line;
	size_t	 room;
};

/* Those of the process, 0: of this one.  -1 and errno, and then it need not be
   closed. */
int	mountinfo_open(struct mountinfo *, pid_t);
void	mountinfo_close(struct mountinfo *);

/* The next one's path, as it is seen from the process's root, or NULL: there
   are no more.  It stays until the next call. */
const char	*mountinfo_next(struct mountinfo *);

/* Whether something is mounted at that very path, in the same eyes; false as
   well where it cannot be read. */
bool	mountinfo_has(pid_t, const char *path);

#endif
