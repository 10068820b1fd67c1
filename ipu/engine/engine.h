/*
 * The engine: a model cut into stages on emulated IPUs, one thread per IPU.
 * An IPU may have several stages; it computes one at a time.  Besides, from
 * the same configuration: what a run needs of the IPUs' memory, and how long
 * it would take on them.  engine_config.h and schedule.h are the ones to read
 * first, then engine_call() and worker.c.
 *
 * Each thread runs its rows of the schedule in order; activations and
 * gradients pass from stage to stage through rings, so a thread sleeps until
 * what it needs has come.  Gradients are added up in the order of
 * micro-batches, and all IPUs update when the pipeline is empty.  So the
 * result depends on the micro-batches alone: pipelined, sharded and on one IPU
 * the weights come out equal to the bit.
 *
 * One call runs `device_iterations` times `gradient_accumulation`
 * micro-batches on each local replica, in training with an update after each
 * accumulation; inference has accumulation 1 and goes through in one pipeline.
 */
#ifndef IPU_ENGINE_ENGINE_H
#define IPU_ENGINE_ENGINE_H

#include <stdint.h>

#include "core/base/error.h"
#include "ipu/engine/engine_config.h" /* what an engine is made from */
#include "ipu/engine/model/cycles.h"  /* modelled cycles, the best cut */
#include "ipu/engine/model/memory.h"  /* bytes on each tile, as a report */
#include "ipu/engine/model/trial.h"   /* what another choice would give */
#include "ipu/engine/model_file.h"    /* models as data, the plan of a run */
#include "ipu/engine/outline.h"	      /* a model that another program has */
#include "ipu/engine/outline/outline_file.h" /* ... from JSON */
#include "ipu/engine/schedule.h"	     /* a pipeline as a table */
#include "ipu/engine/stages.h"		     /* which blocks make which stage */
#include "ipu/engine/trace.h"		     /* what ran, and when */

/* What a call works on; must last as long as the call. */
struct engine_input {
	const uint8_t *pixels; /* all samples of the set */
	const uint8_t *labels;
	/* [local replica][device iteration][accumulation][sample] */
	const uint32_t *order;
};

struct engine;

/* Plan and start: memory and threads.  Refused: what schedule_init() and
   output_mode_check() refuse.  The parameters are zero until they are set. */
struct engine *engine_start(const struct engine_config *, struct error *);
void engine_stop(struct engine *);

/* Samples of one call in all local replicas. */
int engine_samples(const struct engine *);

/* The model's parameters, of one local replica or into all of them. */
void engine_parameters(const struct engine *, int replica, float *);
void engine_set_parameters(struct engine *, const float *);
/* For a check-point: the optimiser's state `index` (as long as the parameters)
   and the number of updates so far; the same again into all local replicas. */
void engine_state(const struct engine *, int replica, int index, float *);
void engine_set_state(struct engine *, int index, const float *);
long engine_updates(const struct engine *);
void engine_set_updates(struct engine *, long);
/* 64 bits that differ when the parameters do (FNV-1a). */
uint64_t engine_checksum(const struct engine *, int replica);

/*
 * One call.  -1 when another replica of the job is gone, or an IPU or its
 * machine failed (attach_check()); after that the engine can only be
 * stopped.
 */
int engine_call(struct engine *, const struct engine_input *, struct error *);

/*
 * What the last call returned, by the output mode: `count` micro-batches,
 * [entry][local replica], for PopTorch concatenates the replicas within each
 * micro-batch; and their outputs, [entry][local replica][sample][class].
 *
 * Of OUTPUT_SUM, one entry per replica: the sum of the outputs; as the loss
 * over the samples, the sum of the micro-batches' mean losses; and as correct,
 * the largest of the summed outputs at the labels of the last micro-batch,
 * which is what PopTorch's script would compare them with.
 */
const struct outcome *engine_outcomes(const struct engine *, int *count);
const float *engine_outputs(const struct engine *, int *count);
/* Bytes that a stage's stash takes on this host, the inputs counted and the
   micro-batch in hand not: so the last stage of a pipeline has none. */
size_t engine_stash_bytes(const struct engine *, int stage);
/* Of the last call. */
const struct trace *engine_trace(const struct engine *, int replica, int ipu);

#endif
