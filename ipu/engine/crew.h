/*
 * A crew: threads that compute one model, each on its part of the samples.
 *
 * All layers are one stage, whatever the model's blocks.  Each thread has a
 * copy of the parameters.  For a device iteration it adds up the gradients of
 * its samples; then each thread sums one slice of all threads' gradients,
 * updates it and gives the new weights to all.  So the results depend on the
 * number of threads, but not on stages and IPUs.  Where threads compute parts
 * of a micro-batch, norms in training take the sums of all in each layer.
 */
#ifndef IPU_ENGINE_CREW_H
#define IPU_ENGINE_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/nn/nn.h"

enum { CREW_THREADS_MAX = 64 };

/* The memory of a crew, which the caller owns.  Samples are in the order of
   device iterations, and within each in that of its micro-batches. */
struct crew_memory {
	const float *inputs;	    /* [sample][element] */
	struct loss_target targets; /* all NULL: no loss is computed */
	float *outputs;		    /* [sample][element] */
	float *losses;		    /* [micro-batch] */
	double *times; /* end of each device iteration, CLOCK_MONOTONIC */
	float *parameters, *gradients;
	float *states; /* optimiser's states, [state][parameter] */
	/* State of each replica's generator of dropouts: its words, and the
	   number of those used.  Read before a call, and set after it.  NULL:
	   the model draws nothing. */
	uint32_t *generator;
};

struct crew_config {
	const struct model *model;
	struct loss loss;
	const struct kernels *kernels;
	struct crew_memory memory;
	int threads;
	bool training;
	int micro_batch;   /* samples */
	int micro_batches; /* number in a device iteration, in all replicas */
	int replicas;	   /* 1 or more, in turn; norms keep the statistics of
			      the first one */
	int iterations;	   /* number in a call */
};

/* A run of parameters that are updated with the same optimiser. */
struct crew_range {
	size_t first, count;
	long updates; /* made before this call */
	struct optimiser optimiser;
};

/* One call, or a part of one. */
struct crew_call {
	int first, count; /* device iterations; inference runs all */
	bool load;	  /* read the parameters, which were changed */
	bool compute;	  /* set the gradients, outputs and losses */
	bool update;	  /* update the parameters after each iteration */
	float scale;	  /* factor for the gradients, which are sums over
			     micro-batches */
	int range_count;
	const struct crew_range *ranges;
};

struct crew;

/* Start the threads; the caller of crew_run() is one of them.  NULL: a thread
   cannot be started. */
struct crew *crew_new(const struct crew_config *, struct error *);
/* End the threads and free the crew.  NULL is fine. */
void crew_free(struct crew *);

/* Run a call.  -1: a target is not a class of the model; nothing was run. */
int crew_run(struct crew *, const struct crew_call *, struct error *);

#endif
