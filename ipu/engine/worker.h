/*
 * Data shared by the engine's threads.  Only engine.c and worker.c include it.
 */
#ifndef IPU_ENGINE_WORKER_H
#define IPU_ENGINE_WORKER_H

#include "ipu/engine/engine.h"
#include "ipu/engine/ring.h"

/* A stage with the rings of its input and of its output's gradient. */
struct place {
	struct stage *stage;
	struct ring in;	      /* input; also the stash */
	struct ring gradient; /* of its output; unused in the last stage */
	int depth;	      /* of the stash */
	int in_flight;	      /* micro-batches after forward, before backward */
};

/* An IPU of a replica: one thread. */
struct worker {
	struct engine *engine;
	struct replica *replica;
	int ipu;
	const struct step **steps; /* its rows of the schedule */
	int step_count;
	int iteration; /* device iteration within the call */
	/* Number of the iteration's first micro-batch, counted over all
	   calls. */
	unsigned long number;
	struct ipu_slot *slot; /* NULL: do not count */
	struct trace trace;
	pthread_t thread;
};

struct replica {
	int index;		/* in this process */
	struct place *places;	/* one per stage */
	struct worker *workers; /* one per IPU */
	float *outputs;		/* of the last stage */
	float *gradient;	/* of the loss */
	uint8_t *labels;	/* of a micro-batch */
	/* Rung when all IPUs have arrived: the pipeline is empty. */
	struct eventcount empty;
	atomic_int arrived;  /* number of IPUs that wait for the others */
	atomic_long updates; /* optimiser's step number */
	atomic_bool closed;  /* true after a failure */
};

struct engine {
	struct engine_config config;
	struct schedule schedule;
	int iterations;	   /* of the schedule, per call */
	int micro_batches; /* per replica and call */
	float pixel[256];  /* normalised values */
	int spins;	   /* looks before a wait sleeps */
	struct replica *replicas;
	/* Results of the call on the host (engine_outputs()). */
	int classes;
	int returned; /* outcomes of all replicas */
	struct outcome *outcomes;
	float *outputs;
	struct engine_input input;
	/* The calls requested so far, and the threads still working. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned long calls;
	int running;
	int threads; /* started so far */
	bool stopping;
	bool failed;
	struct error error; /* first failure */
};

/* Thread of the worker in the argument: wait for calls, and run its rows, until
   engine_stop().  Returns NULL. */
void *worker_main(void *);

#endif
