/*
 * The second clock: modelled IPU cycles.  A documented estimate of what the
 * schedule would take on the chip, worked out before anything runs, by the
 * rules of bulk-synchronous execution: in each column of a pipeline the IPUs
 * compute at the same time, a sync waits for the slowest, then tensors are
 * exchanged.  The formulas and their sources stand in ipubox-device(7).
 */
#ifndef IPU_ENGINE_MODEL_CYCLES_H
#define IPU_ENGINE_MODEL_CYCLES_H

#include <stdint.h>

#include "ipu/engine/outline.h"

/* The chip's rates; of INFINITY bytes a cycle no transfer takes time. */
struct cycles_target {
	int tiles;
	double clock_mhz;
	double flops_per_cycle; /* of a tile, float32 */
	double exchange_bytes;	/* a cycle and tile, on the chip */
	double link_bytes;	/* a cycle, one way between two IPUs */
	double host_bytes;	/* a cycle */
	double streaming_bytes; /* a cycle, to or from streaming memory */
	double sync_cycles;	/* of IPUs with one another */
	double start_cycles;	/* of a compute set */
};

/* What a stage's parts take, in cycles. */
struct cycles_stage {
	int64_t forward, recompute, backward, update;
	int64_t host_in, host_out; /* of a micro-batch */
	int64_t labels_in;	   /* the same, at the last stage */
	int64_t send_forward, send_backward;
	int64_t collective; /* gradients over the replicas */
	size_t host_in_bytes, host_out_bytes, labels_bytes;
	size_t forward_bytes, backward_bytes;
	size_t streamed_bytes; /* state to and from streaming memory */
	size_t collective_bytes;
};

struct cycles_event {
	enum trace_kind kind; /* as the executor's trace */
	int ipu;
	struct step step; /* of a wait: that in the same column, stage -1 where
			     there is none */
	int to_ipu;	  /* TRACE_EXCHANGE; else -1 */
	size_t bytes;
	int64_t from, to; /* cycles */
};

/*
 * One device iteration (training) or call (inference) of one replica.  The
 * events of an IPU follow one another from 0 to the total without a gap;
 * neighbouring waits are one event, and what takes no time has none.
 */
struct cycles {
	struct cycles_target target;
	int ipu_count;
	int stage_count;
	struct cycles_stage *stages;
	int event_count;
	struct cycles_event *events; /* by IPU, then time */
	int iterations;		     /* in a call */
	int64_t total;		     /* the update included */
	int64_t update;		     /* of these */
};

/* The cycles an IPU spent in a kind of event. */
int64_t cycles_of(const struct cycles *, int ipu, enum trace_kind);
/* Forward, recomputation and backward over all but the update's time: 0 to 1.
   IPU -1: the mean of all IPUs. */
double cycles_utilisation(const struct cycles *, int ipu);
/* Of a call, which runs device iterations one after the other. */
int64_t cycles_call(const struct cycles *);

/* A Mk2 IPU at `clock_mhz`: 1,330 on an M2000, 1,850 on a Bow-2000. */
struct cycles_target cycles_target_of(double clock_mhz);

/* The engine's schedule must be one that schedule_init() takes. */
void cycles_init(struct cycles *, const struct engine_config *,
    const struct cycles_target *);
/* The same timeline of stages whose parts are given. */
void cycles_init_stages(struct cycles *, const struct engine_config *,
    const struct cycles_target *, const struct cycles_stage *);
void cycles_release(struct cycles *);

/* Cycles of an outline's operation on an IPU: forward, and all of backward. */
double cycles_stage_forward(const struct outline *,
    const struct cycles_target *, int ipu, const struct outline_operation *);
double cycles_stage_backward(const struct outline *,
    const struct cycles_target *, int ipu, const struct outline_operation *);

/*
 * Find the best cut of an engine's model into `stages` (at most its blocks),
 * stage s on IPU s, with all else as it is: blocks of each stage into
 * stage_blocks[].  Of more than 500 cuts not all are tried (cuts.c).
 */
void cuts_find(const struct engine_config *, const struct cycles_target *,
    int stages, int stage_blocks[SCHEDULE_STAGES_MAX]);

#endif
