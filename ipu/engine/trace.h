/*
 * What the executor really ran: one event a step, in the order of each IPU.
 * Times are the host's, CLOCK_MONOTONIC.
 */
#ifndef IPU_ENGINE_TRACE_H
#define IPU_ENGINE_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "ipu/engine/schedule.h"

struct trace_event {
	int		replica;
	int		ipu;		/* of the replica */
	struct step	step;		/* as the schedule has it */
	int		iteration;	/* device iteration of the call */
	int		in_flight;	/* micro-batches in the stage's stash,
					   this one included */
	int64_t		start_ns;
	int64_t		end_ns;
};

/* What an IPU recorded in the last call. */
struct trace {
	struct trace_event	*events;	/* NULL: tracing is off */
	int			 count;
};

/*
 * Chrome's trace-event format, which Perfetto opens: a process a replica, a
 * thread an IPU.  Open, then add the traces of call after call, then close.
 * `epoch_ns` is time zero.  The stream is the caller's, errors as well.
 */
struct trace_writer {
	FILE	*file;
	int64_t	 epoch_ns;
	int	 written;
};

void	trace_open(struct trace_writer *, FILE *, int64_t epoch_ns);
/* Names a row. */
void	trace_name(struct trace_writer *, int replica, int ipu);
void	trace_write(struct trace_writer *, const struct trace *);
void	trace_close(struct trace_writer *);

#endif
