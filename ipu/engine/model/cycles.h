/*
 * The second clock: modelled IPU cycles.  An estimate, made before anything
 * runs, of the time that the schedule would take on the chip.  It follows
 * bulk-synchronous execution: in each column of a pipeline the IPUs compute in
 * parallel, a sync waits for the slowest, then tensors are exchanged.
 * ipubox-device(7) has the formulas and their sources.
 */
#ifndef IPU_ENGINE_MODEL_CYCLES_H
#define IPU_ENGINE_MODEL_CYCLES_H

#include "ipu/engine/outline.h"

/* The chip's rates.  With INFINITY bytes per cycle a transfer takes no time. */
struct cycles_target {
	int tiles;
	double clock_mhz;
	double flops_per_cycle; /* per tile, float32 */
	double exchange_bytes;	/* per cycle and tile, on the chip */
	double link_bytes;	/* per cycle, one way between two IPUs */
	double host_bytes;	/* per cycle */
	double streaming_bytes; /* per cycle, to or from streaming memory */
	double sync_cycles;	/* among IPUs */
	double start_cycles;	/* per compute set */
};

/* Cycles of the parts of a stage, and the bytes that they move: per
   micro-batch, except the update and the collective. */
struct cycles_stage {
	int64_t forward, recompute, backward, update;
	int64_t host_in, host_out;
	int64_t labels_in;		     /* last stage only */
	int64_t send_forward, send_backward; /* to another IPU */
	int64_t collective; /* sum of gradients over the replicas */
	size_t host_in_bytes, host_out_bytes, labels_bytes;
	size_t forward_bytes, backward_bytes;
	size_t streamed_bytes; /* in an update, to and from streaming memory */
	size_t collective_bytes;
};

struct cycles_event {
	enum trace_kind kind; /* as in the executor's trace */
	int ipu;
	struct step step; /* of a wait: its column, stage -1 */
	int to_ipu;	  /* TRACE_EXCHANGE; else -1 */
	size_t bytes;
	int64_t from, to; /* cycles from the beginning */
};

/* One device iteration (training) or call (inference) of one replica.  The
   events of an IPU cover 0 to the total without a gap.  Adjacent waits are
   merged, and an event that takes no time is left out. */
struct cycles {
	struct cycles_target target;
	int ipu_count;
	int stage_count;
	struct cycles_stage *stages;
	int event_count;
	struct cycles_event *events; /* by IPU, then time */
	int iterations; /* device iterations per call; 1 in inference */
	int64_t total;	/* cycles, including the update */
	int64_t update; /* part of the total */
};

/* Return the cycles that an IPU spent in a kind of event. */
int64_t cycles_of(const struct cycles *, int ipu, enum trace_kind);
/* Return the share of forward, recomputation and backward in all time but the
   update's, 0 to 1.  IPU -1: the mean of all IPUs. */
double cycles_utilisation(const struct cycles *, int ipu);
/* Return the cycles of a call: its device iterations run in sequence. */
int64_t cycles_call(const struct cycles *);

/* Return a Mk2 IPU at `clock_mhz`: 1,330 on an M2000, 1,850 on a Bow-2000. */
struct cycles_target cycles_target_of(double clock_mhz);

/* Compute the timeline.  If schedule_init() refuses the engine's schedule,
   event_count and total are 0. */
void cycles_init(struct cycles *, const struct engine_config *,
    const struct cycles_target *);
/* Do the same with the costs of each stage, which are copied, given by the
   caller. */
void cycles_init_stages(struct cycles *, const struct engine_config *,
    const struct cycles_target *, const struct cycles_stage *);
void cycles_release(struct cycles *);

/* Return an operation's cycles per micro-batch on an IPU: _forward those of
   forward, _backward those of both parts of backward (data and weights). */
double cycles_stage_forward(const struct outline *,
    const struct cycles_target *, int ipu, const struct outline_operation *);
double cycles_stage_backward(const struct outline *,
    const struct cycles_target *, int ipu, const struct outline_operation *);

/* Find the fastest cut of an engine's model into `stages` stages (from 1 to its
   number of blocks) with stage s on IPU s and all else unchanged;
   stage_blocks[] gets the blocks of each stage.  If more than 500 cuts exist,
   only some are tried (cuts.c).  If stages_check() refuses all that are tried,
   the result is one of them. */
void cuts_find(const struct engine_config *, const struct cycles_target *,
    int stages, int stage_blocks[SCHEDULE_STAGES_MAX]);

#endif
