/*
 * The second clock: modelled IPU cycles.  A documented estimate of what the
 * schedule would take on the chip, worked out before anything runs, by the
 * rules of bulk-synchronous execution: in each column of a pipeline the IPUs
 * compute at the same time, a sync waits for the slowest, then tensors are
 * exchanged.  The formulas and their sources stand in ipubox-profile(7).
 *
 * Columns, fragments and their order are those of struct schedule, so closed
 * forms hold: a pipeline of balanced stages is used G / (G + N - 1).
 */
#ifndef IPU_ENGINE_CYCLES_H
#define IPU_ENGINE_CYCLES_H

#include <stdint.h>

#include "ipu/engine/engine.h"
#include "ipu/engine/trace.h"

/* The chip's rates; a table of generations stands in cycles.c. */
struct cycles_target {
	int	tiles;
	double	clock_mhz;
	double	flops_per_cycle;	/* of a tile, float32 */
	double	exchange_bytes;		/* a cycle and tile, on the chip */
	double	link_bytes;		/* a cycle, between two IPUs */
	double	host_bytes;		/* a cycle, host or streaming memory */
	double	sync_cycles;		/* of IPUs with one another */
};

/* What a stage's parts take, in cycles. */
struct cycles_stage {
	int64_t	forward, recompute, backward, update;
	int64_t	host_in, host_out;	/* of a micro-batch */
	int64_t	send_forward, send_backward;
	size_t	forward_bytes, backward_bytes;
};

struct cycles_event {
	enum trace_kind	kind;		/* as the executor's trace */
	int		ipu;
	struct step	step;
	int		to_ipu;		/* TRACE_EXCHANGE */
	size_t		bytes;
	int64_t		from, to;	/* cycles */
};

/* One device iteration (training) or call (inference) of one replica. */
struct cycles {
	struct cycles_target	 target;
	int			 ipu_count;
	int			 stage_count;
	struct cycles_stage	*stages;
	int			 event_count;
	struct cycles_event	*events;	/* by IPU, then time */
	int64_t			 total;		/* the update included */
	int64_t			 update;	/* of these */
};

/* The cycles an IPU spent in a kind of event. */
int64_t	cycles_of(const struct cycles *, int ipu, enum trace_kind);
/* Forward and backward over all but the update's time: 0 to 1. */
double	cycles_utilisation(const struct cycles *, int ipu);

/* ipu2 at `clock_mhz`, as M2000 or Bow. */
struct cycles_target	cycles_target(double clock_mhz);

void	cycles_init(struct cycles *, const struct engine_config *,
	    const struct cycles_target *);
void	cycles_release(struct cycles *);

#endif
