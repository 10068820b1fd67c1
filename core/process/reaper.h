/*
 * The reaper: a process between poprun and the supervisor, which is there for
 * the case that one of the two is killed.  It is a subreaper, so what the
 * supervisor leaves behind comes to it.
 *
 *	poprun --> reaper --> supervisor --> instances
 *
 * Each of the three ends the whole tree, with SIGTERM and after the grace time
 * with SIGKILL, when the others cannot:
 *
 *	poprun is gone			the supervisor does
 *	the supervisor is gone		the reaper does
 *	the reaper is gone		the supervisor does
 *	the supervisor and another	the one that is left does
 *	all three			the kernel kills the instances
 *
 * One that is stopped counts as gone a second after it was to be through.
 */
#ifndef CORE_PROCESS_REAPER_H
#define CORE_PROCESS_REAPER_H

#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/process/supervisor.h"

/* So much longer than the grace time it may take others to end the tree. */
enum { REAPER_PATIENCE_MS = 1000 };

/*
 * Start the reaper, and below it the supervisor.  Returns poprun's end of the
 * supervisor's socket, one packet of messages at a time; it ends when the
 * supervisor is gone.  -1: nothing was started.  The reaper ends when nothing
 * is left below it, and its end is told by SIGCHLD.  In it `in_reaper` is
 * called first, to close what only poprun needs; it keeps all other descriptors
 * open, as locks and pipes that say that the job is there.  To be called from
 * the main thread: the kernel tells a child of the end of the thread that made
 * it.
 */
int	reaper_start(const struct supervisor_plan *, void (*in_reaper)(void *),
	    void *context, pid_t *reaper, struct error *);

#endif
