/*
 * "FILE __engine": a child process that computes a model for its parent, a
 * program in any language (ipubox-link(7), chapter ENGINE).
 *
 * Standard input is a stream socket, and standard output is a file that both
 * map.  The program sends a setup, then calls; each gets one answer.  All
 * numbers are little endian.
 */
#ifndef IPU_ENGINE_ENGINE_CHILD_H
#define IPU_ENGINE_ENGINE_CHILD_H

#include <stdint.h>

#include "core/base/error.h"

#define ENGINE_CHILD_WORD "__engine"

enum {
	ENGINE_CHILD_VERSION = 2,
	ENGINE_CHILD_TEXT_MAX = 1 << 20,
	ENGINE_CHILD_RANGES_MAX = 4096,
	ENGINE_CHILD_SAMPLES_MAX = 1 << 28 /* limit for a call */
};

/* The first message.  The text of a model follows (ipubox-model(5)), of which
   only the input, the layers and the loss are used.  Targets are int64 for a
   loss of classes, else floats. */
struct engine_child_setup {
	uint32_t version;
	uint32_t text_bytes;
	uint32_t training; /* 0 or 1 */
	uint32_t threads;
	uint32_t micro_batch; /* samples */
	uint32_t
	    micro_batches;   /* number in a device iteration, in all replicas */
	uint32_t iterations; /* number in a call */
	uint32_t states;     /* number of the optimiser's states */
	uint32_t replicas;   /* number of replicas; divides micro_batches */
	uint32_t unused;     /* always 0 */
	uint64_t memory_bytes;
	/* Offsets of arrays in the memory (struct crew_memory), each a multiple
	   of 64; 0 for one that is not used. */
	uint64_t inputs, targets, outputs, losses, times, parameters, gradients,
	    optimiser, generator;
};

enum {
	ENGINE_CHILD_LOAD = 1,	  /* read the parameters, which were changed */
	ENGINE_CHILD_COMPUTE = 2, /* set gradients, outputs and losses */
	ENGINE_CHILD_UPDATE = 4	  /* update the parameters */
};

/* Flags of a range. */
enum {
	ENGINE_CHILD_NESTEROV = 1,
	ENGINE_CHILD_CENTERED = 2,
	ENGINE_CHILD_VELOCITY = 4 /* even if the momentum is 0 */
};

/* A call; `ranges` of struct engine_child_range follow. */
struct engine_child_call {
	uint32_t flags;
	uint32_t first, count; /* device iterations */
	uint32_t ranges;
	double scale; /* factor for the gradients, sums over micro-batches */
};

/* A run of parameters that are updated with the same values. */
struct engine_child_range {
	uint64_t first, count;
	uint64_t updates; /* made before this call */
	uint32_t kind;	  /* enum optimiser_kind */
	uint32_t flags;
	double learning_rate, momentum, beta1, beta2, epsilon, weight_decay,
	    dampening, alpha;
};

/* An answer; the text of an error follows. */
struct engine_child_answer {
	uint32_t code; /* enum error_code; 0: done */
	uint32_t text_bytes;
};

/* Serve the program.  When it ends or closes the socket, returns 0 or ends the
   process with status 0, even in the middle of a call.  Also returns 0 after a
   setup that was refused in its answer.  -1: a message is too long, or a thread
   cannot be started. */
int engine_child_run(int socket, int memory, struct error *);

#endif
