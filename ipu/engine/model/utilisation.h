/*
 * How busy the IPUs really were, from the trace of a call.  Pure.
 */
#ifndef IPU_ENGINE_MODEL_UTILISATION_H
#define IPU_ENGINE_MODEL_UTILISATION_H

#include <stdint.h>

#include "ipu/engine/schedule.h"
#include "ipu/engine/trace.h"

struct utilisation {
	/*
	 * Time at work over the time that the columns take when each waits
	 * for its slowest IPU.  Where all steps take equally long this is
	 * the closed form, G / (G + N - 1), on any number of processors.
	 */
	double	columns;
	/*
	 * Time at work over the time from the first step of an iteration to
	 * its last: what happened on this host, whose threads also wait for
	 * processors.
	 */
	double	host;
	int64_t	busy_ns;	/* at work, all IPUs together */
};

/*
 * `traces` are those of a replica's IPUs, in turn.  At work is forward,
 * recomputation and backward; updates are left out, and IPUs without a stage.
 */
struct utilisation	utilisation_measure(const struct schedule *,
			    const struct trace *const *traces, int iterations);

#endif
