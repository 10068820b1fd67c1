/*
 * Inside the engine: what the threads share.  Nobody but engine.c and
 * worker.c includes this.
 */
#ifndef IPU_ENGINE_WORKER_H
#define IPU_ENGINE_WORKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "ipu/engine/engine.h"
#include "ipu/engine/ring.h"
#include "ipu/nn/nn.h"

/* A stage with its ends: its input ring and that of its output's gradient. */
struct place {
	struct stage *stage;
	struct ring in;
	struct ring gradient; /* none at the last stage */
	int depth;	      /* of the stash */
	int in_flight;	      /* gone forward and not yet back */
};

/* An IPU of a replica: one thread. */
struct worker {
	struct engine *engine;
	struct replica *replica;
	int ipu;
	const struct step **steps; /* its rows of the schedule */
	int step_count;
	int iteration;	       /* of this call */
	unsigned long number;  /* of this iteration's first micro-batch, ever */
	struct ipu_slot *slot; /* NULL: nobody counts */
	struct trace trace;
	pthread_t thread;
};

struct replica {
	int index;		/* in this process */
	struct place *places;	/* one per stage */
	struct worker *workers; /* one per IPU */
	float *outputs;		/* of the last stage */
	float *gradient;	/* of the loss, there */
	uint8_t *labels;	/* of a micro-batch */
	/* The point where the pipeline is empty. */
	struct eventcount empty;
	atomic_int arrived;
	atomic_long updates; /* the optimiser's step number */
	atomic_bool closed;  /* something failed */
};

struct engine {
	struct engine_config config;
	struct schedule schedule;
	int iterations;	   /* of the schedule, in a call */
	int micro_batches; /* of a replica, in a call */
	float pixel[256];  /* normalised */
	int spins;	   /* before a wait sleeps */
	struct replica *replicas;
	/* On the host: what the call returns (engine_outputs()). */
	int classes;
	int returned; /* entries of all replicas */
	struct outcome *outcomes;
	float *outputs;
	struct engine_input input;
	/* The call: how many were asked for, and who still works on it. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned long calls;
	int running;
	int threads; /* that were started */
	bool stopping;
	bool failed;
	struct error error; /* of the first that failed */
};

/* The thread: waits for calls and runs its rows. The argument: a worker. */
void *worker_main(void *);

#endif
