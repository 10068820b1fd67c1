/*
 * trace.json: Chrome's trace-event format, which Perfetto opens.  One process
 * per IPU and clock, with the rows compute, exchange, sync, host I/O and
 * collective.  ipubox-profile(7) describes the events.
 *
 * Writing is part of the run that is looked at, so it is cheap: one buffer, and
 * its own printing of numbers.  A long run is cut: what was recorded in detail
 * is bounded in calls and in steps, the rest is only summed.
 */
#ifndef IPU_PROFILE_TRACE_JSON_H
#define IPU_PROFILE_TRACE_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "ipu/profile/profile_data.h"

enum {
	TRACE_CALLS = 10,		/* recorded in detail, and .. */
	TRACE_STEPS = 12000		/* .. steps, about 1 KiB each */
};

struct trace_json {
	FILE	*file;
	const struct profile_data *data;
	int64_t	 epoch_ns;	/* time zero */
	long	 records;
	long	 steps;		/* that were written */
	int64_t	 last_ns;	/* of the host's, since zero */
};

/* The stream is the caller's, errors as well. */
void	trace_json_open(struct trace_json *, FILE *,
	    const struct profile_data *, int64_t epoch_ns);
/* What the IPUs recorded in a call, the `call`th from 0: as
   profile_data_add() takes it. */
void	trace_json_call(struct trace_json *, const struct trace *const *,
	    long call);
/* Adds one call by the model's clock, and what was run. */
void	trace_json_close(struct trace_json *);

#endif
