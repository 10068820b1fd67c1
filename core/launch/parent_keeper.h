/*
 * The process that an engine started, and which stays between it and the parent
 * that does the work:
 *
 *	mpirun --> keeper --> parent --> instance --> ...
 *
 * An engine kills what it ends: Open MPI a second after SIGTERM.  That the
 * keeper is killed is only one more SIGTERM for the parent, which ends the tree
 * in its own time and brings poprun what was written until then.
 */
#ifndef CORE_LAUNCH_PARENT_KEEPER_H
#define CORE_LAUNCH_PARENT_KEEPER_H

#include <signal.h>
#include <sys/types.h>

/*
 * The parent's exit status where this host is cut off from poprun's: it heard
 * nothing for too long.  The engine's own process here will not learn that
 * before a long time, so the keeper ends it.
 */
enum { PARENT_KEEPER_CUT_OFF = 75 };

/*
 * Fork the parent: 0 in it, which has a process group of its own.  In the
 * keeper the parent's pid, once the parent has ended and nothing is left of
 * what it has left behind, and its exit status in *status.  -1 and errno.
 * `held` are the blocked signals that are passed on to the parent, and SIGCHLD.
 */
pid_t	parent_keeper_fork(const sigset_t *held, int *status);

#endif
