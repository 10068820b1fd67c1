/*
 * The set-up of tests that run the engine: the tutorial's model in four
 * stages, drawn digits, and the order in which they are taken.
 */
#ifndef TESTS_UNIT_ENGINE_UTIL_H
#define TESTS_UNIT_ENGINE_UTIL_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/engine/engine.h"
#include "ipu/nn/nn.h"

enum {
	ENGINE_UTIL_STAGES = 4,
	ENGINE_UTIL_SEED = 7,	      /* of the first weights */
	ENGINE_UTIL_JOIN_SECONDS = 20 /* how long replicas wait */
};

struct engine_util {
	struct model model;
	struct dataset digits;
	uint32_t *order; /* each sample once */
};

/* Draw that many digits; `shuffled`: the order is random, of a fixed seed. */
void engine_util_init(struct engine_util *, uint32_t samples, bool shuffled);
void engine_util_release(struct engine_util *);

/*
 * Pipelined training by AdamW: four stages on IPU 0 to 3, one replica, all
 * outputs returned, an accumulation of 1.  Points into the set-up.
 */
struct engine_config engine_util_config(const struct engine_util *,
    int micro_batch);

/* An engine with the first weights; aborts where it does not start. */
struct engine *engine_util_start(const struct engine_config *);
/* One call on these samples; aborts where it fails. */
void engine_util_call(struct engine *, const struct engine_util *,
    const uint32_t *order);

/*
 * The sum of a job's replicas, of which `local` from `first` are here; each
 * stage is one part.  `path`: the job's directory, or NULL.  NULL where there
 * is one replica, which has nothing to sum.
 */
struct collective *engine_util_join(const struct engine_util *, int total,
    int first, int local, const char *path);

#endif
