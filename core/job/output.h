/*
 * The thread that forwards what the instances write: tagged lines to poprun's
 * stdout and stderr.  A thread of its own, because poprun's outputs may block
 * (a pager, a full pipe) while poprun must still answer to signals.
 */
#ifndef CORE_JOB_OUTPUT_H
#define CORE_JOB_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum { OUTPUTS = 2 };			/* stdout, stderr */

struct output;

/*
 * Make the pipes of `instances` processes. The process end of instance i's
 * output k (0: stdout) is (*ends)[OUTPUTS * i + k]; they are close-on-exec,
 * belong to the caller, and *ends is to be freed.
 */
struct output	*output_new(int instances, int **ends, struct error *);

/* Close our ends: what a process that only starts instances does. */
void	output_close(struct output *);

/* Start forwarding to the descriptors `out` and `err`. */
int	output_start(struct output *, int out, int err, struct error *);

/*
 * Readable when the thread has ended, or an output has failed.  Which of them
 * failed and why: output_error(), 0 while all is well.
 */
int	output_event_fd(const struct output *);
int	output_error(struct output *, int *which);

/* Whether the thread is through. Clears the event. */
bool	output_ended(struct output *);

/* Queue text of poprun's own, whole lines, for the error output. */
void	output_note(struct output *, const char *, size_t);

/* No process is left that could write: forward what there is and end. */
void	output_drain(struct output *);

/* Wait for the thread, and free everything. */
void	output_free(struct output *);

#endif
