/*
 * The engine: a model cut into stages on emulated IPUs, one thread per IPU.  An
 * IPU may have several stages; it computes one at a time.  From the same
 * configuration follow the memory that a run needs and its modelled time.  Read
 * first engine_config.h and schedule.h, then engine_call() and worker.c.
 *
 * Each thread runs its rows of the schedule in order.  Activations and
 * gradients pass between stages through rings; a thread sleeps until its input
 * has come.  Gradients are added up in the order of micro-batches, and all IPUs
 * update when the pipeline is empty.  So the result depends on the
 * micro-batches alone: pipelined, sharded and on one IPU the weights are equal
 * to the bit.
 *
 * A call runs `device_iterations` times `gradient_accumulation` micro-batches
 * on each local replica.  Training updates after each accumulation; inference
 * has accumulation 1 and is one pipeline.
 */
#ifndef IPU_ENGINE_ENGINE_H
#define IPU_ENGINE_ENGINE_H

#include "ipu/engine/engine_config.h"	     /* parameters of an engine */
#include "ipu/engine/model/trial.h"	     /* estimates of other choices */
#include "ipu/engine/model_file.h"	     /* models as data, plan of a run */
#include "ipu/engine/outline.h"		     /* model of another program */
#include "ipu/engine/outline/outline_file.h" /* ... from JSON */
#include "ipu/engine/schedule.h"	     /* a pipeline as a table */
#include "ipu/engine/stages.h"		     /* blocks of each stage */
#include "ipu/engine/trace.h"		     /* record of what ran */

/* The input of a call, which must last as long as the call. */
struct engine_input {
	const uint8_t *pixels; /* all samples of the set */
	const uint8_t *labels; /* one per sample */
	/* Indices of samples: [local replica][device
	   iteration][accumulation][sample]. */
	const uint32_t *order;
};

struct engine;

/*
 * Plan, allocate and start the threads.  NULL: schedule_init() or
 * output_mode_check() refuses the configuration, or a thread cannot be started.
 * The parameters start as zero.  The configuration is copied; the objects to
 * which it points must outlive the engine.
 */
struct engine *engine_start(const struct engine_config *, struct error *);
/* End the threads, between calls, and free the engine.  NULL is fine. */
void engine_stop(struct engine *);

/* Return the number of samples of one call, in all local replicas. */
int engine_samples(const struct engine *);

/* Copy the model's parameters (engine_config_parameters()) from one local
   replica. */
void engine_parameters(const struct engine *, int replica, float *);
/* Copy the parameters into all local replicas. */
void engine_set_parameters(struct engine *, const float *);
/* For a check-point: copy the optimiser's state `index` from one local replica,
   or into all; as many floats as parameters.  Return the number of updates; or
   set it in a new engine, so that its dropouts go on from there. */
void engine_state(const struct engine *, int replica, int index, float *);
void engine_set_state(struct engine *, int index, const float *);
long engine_updates(const struct engine *);
void engine_set_updates(struct engine *, long);
/* Return a 64-bit checksum (FNV-1a) of a local replica's parameters. */
uint64_t engine_checksum(const struct engine *, int replica);

/* Run one call.  -1: another replica of the job has ended, or an IPU or its
   machine failed (attach_check()); the engine can then only be stopped. */
int engine_call(struct engine *, const struct engine_input *, struct error *);

/*
 * Return those results of the last call that the output mode selects, valid
 * until the next call: outcomes as [entry][local replica], because PopTorch
 * concatenates the replicas within each micro-batch; outputs as [entry][local
 * replica][sample][class].  Both set *count to the number of outcomes.
 *
 * OUTPUT_SUM has one entry per replica: the sum of the outputs.  Its loss is
 * summed over all micro-batches, but `samples` counts those of one.  `correct`
 * compares the largest summed outputs with the labels of the last micro-batch,
 * as PopTorch's script would.
 */
const struct outcome *engine_outcomes(const struct engine *, int *count);
const float *engine_outputs(const struct engine *, int *count);
/* Return the bytes of a stage's stash in one replica on this host: activations
   and inputs of all micro-batches but the one in progress.  0 for the last
   stage of a pipeline, and for all stages otherwise. */
size_t engine_stash_bytes(const struct engine *, int stage);
/* Return the trace of the last call on an IPU of a local replica. */
const struct trace *engine_trace(const struct engine *, int replica, int ipu);

#endif
