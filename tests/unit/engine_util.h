/*
 * The set-up of tests that run the engine: the tutorial's model in four stages,
 * drawn digits, and the order of the samples.
 */
#ifndef TESTS_UNIT_ENGINE_UTIL_H
#define TESTS_UNIT_ENGINE_UTIL_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/engine/engine.h"
#include "ipu/nn/nn.h"

enum {
	ENGINE_UTIL_STAGES = 4,
	ENGINE_UTIL_SEED = 7,	      /* for the initial weights */
	ENGINE_UTIL_JOIN_SECONDS = 20 /* limit for replicas */
};

struct engine_util {
	struct model model;
	struct dataset digits;
	uint32_t *order; /* each sample once */
};

/* Draw that many digits; `shuffled`: in a random order with a fixed seed. */
void engine_util_init(struct engine_util *, uint32_t samples, bool shuffled);
void engine_util_release(struct engine_util *);

/* Configure pipelined training with AdamW: four stages on IPU 0 to 3, one
   replica, all outputs, accumulation 1.  Points into the set-up. */
struct engine_config engine_util_config(const struct engine_util *,
    int micro_batch);

/* Start an engine with the initial weights; abort on failure. */
struct engine *engine_util_start(const struct engine_config *);
/* Make one call with these samples; abort on failure. */
void engine_util_call(struct engine *, const struct engine_util *,
    const uint32_t *order);

/* Join the sum of a job's replicas; `local` of them from `first` are here.
   Each stage is one part.  `path`: the job's directory, or NULL.  Returns NULL
   for one replica, which needs no sum. */
struct collective *engine_util_join(const struct engine_util *, int total,
    int first, int local, const char *path);

#endif
