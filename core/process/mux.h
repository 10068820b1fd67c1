/*
 * The thread that forwards what the instances write: tagged lines to poprun's
 * stdout and stderr.  A thread of its own, because poprun's outputs may block
 * (a pager, a full pipe) while poprun must still answer to signals.
 */
#ifndef CORE_PROCESS_MUX_H
#define CORE_PROCESS_MUX_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum { MUX_OUTPUTS = 2 };			/* stdout, stderr */

struct mux;

/*
 * For so many processes, without their pipes; never fails.  `only`: what that
 * process writes is shown and no other's, -1: all of it.  With a directory
 * what process N writes is also put into DIRECTORY/1/rank.N/stdout and stderr,
 * as Open MPI's --output-filename does.
 */
struct mux	*mux_new(int instances, int only, const char *directory);

/*
 * Forward output `output` (0: stdout) of a process, whose pipe's read end is
 * the mux's from now on.  To be called while it runs.  0, or the system's
 * number of the reason why not.
 */
int	mux_add(struct mux *, int instance, int output, int fd);

/* Start forwarding to the descriptors `out` and `err`. */
int	mux_start(struct mux *, int out, int err, struct error *);

/*
 * Readable when the thread has ended, or an output has failed.  Which of them
 * failed and why: mux_error(), 0 while all is well.
 */
int	mux_event_fd(const struct mux *);
int	mux_error(struct mux *, int *which);

/* Whether the thread is through. Clears the event. */
bool	mux_ended(struct mux *);

/* Queue text that is not an instance's, whole lines, for an output. */
void	mux_note(struct mux *, int output, const char *, size_t);

/* No process is left that could write: forward what there is and end. */
void	mux_drain(struct mux *);

/* Wait for the thread, and free everything. */
void	mux_free(struct mux *);

#endif
