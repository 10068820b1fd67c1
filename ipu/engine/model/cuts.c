/*
 * Searches for the best cut by the modelled clock: tries all cuts, or starts
 * with an even one by the blocks' cycles and moves its boundaries one by one.
 */
#include "ipu/engine/model/cycles.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/model/operation_cost.h"
#include "ipu/engine/model/trial.h"
#include "ipu/engine/stages.h"

enum {
	/* Enough to compare two cuts: the pipeline is full. */
	MICRO_BATCHES_PER_STAGE = 4,
	/* Up to this number all cuts are tried. */
	CUTS_MAX = 500
};

/* Compute each block's cycles per micro-batch as a separate stage. */
static void
block_cycles(const struct engine_config *engine,
    const struct cycles_target *clock, int64_t cycles[MODEL_BLOCKS_MAX])
{
	struct engine_config c = *engine;
	struct cycles_stage s;
	int i;

	c.stages = c.model->block_count;
	for (i = 0; i < c.stages; i++)
		c.stage_blocks[i] = 1;
	for (i = 0; i < c.stages; i++) {
		cycles_stage_init(&s, &c, clock, i);
		cycles[i] = s.forward + s.recompute + s.backward;
	}
}

/*
 * Find an even cut.  least[n][b] is the least possible time of the slowest of n
 * stages that hold the first b blocks; the last stage begins with block
 * from[n][b].
 *
 *	blocks 5 1 1 3 in two stages: 5 | 1 1 3
 */
static void
even_cut(const int64_t *cycles, int blocks, int stages, int *stage_blocks)
{
	int64_t(*least)[MODEL_BLOCKS_MAX + 1] = xcalloc((size_t)stages + 1,
	    sizeof(*least));
	int(*from)[MODEL_BLOCKS_MAX + 1] = xcalloc((size_t)stages + 1,
	    sizeof(*from));
	int64_t sum, slowest;
	int n, b, k;

	for (n = 1; n <= stages; n++) {
		for (b = n; b <= blocks; b++) {
			least[n][b] = INT64_MAX;
			for (sum = 0, k = b - 1; k >= n - 1; k--) {
				sum += cycles[k];
				/* No stages hold no blocks. */
				if (n == 1 && k > 0)
					continue;
				slowest = sum > least[n - 1][k] ?
				    sum :
				    least[n - 1][k];
				if (slowest < least[n][b]) {
					least[n][b] = slowest;
					from[n][b] = k;
				}
			}
		}
	}
	for (n = stages, b = blocks; n > 0; b = from[n][b], n--)
		stage_blocks[n - 1] = b - from[n][b];
	free(least);
	free(from);
}

/* Time the cut with few micro-batches, to be quick; an impossible one takes for
   ever. */
static double
time_cut(const struct engine_config *engine, const struct cycles_target *clock,
    int stages, const int *stage_blocks)
{
	struct engine_config c = *engine;
	struct error refused;
	const int enough = MICRO_BATCHES_PER_STAGE * stages;
	int *count = c.training ? &c.gradient_accumulation :
				  &c.device_iterations;
	int i;

	if (stages_check(c.model, stages, stage_blocks, &refused) != 0)
		return INFINITY;
	c.stages = stages;
	for (i = 0; i < stages; i++) {
		c.stage_blocks[i] = stage_blocks[i];
		c.stage_ipu[i] = i;
	}
	if (*count > enough)
		*count = enough;
	return trial_cycles(&c, clock);
}

/* Count the cuts, blocks - 1 over stages - 1; stop above `most`. */
static long
count_cuts(int blocks, int stages, long most)
{
	long n = 1;
	int i;

	for (i = 1; i < stages && n <= most; i++)
		n = n * (blocks - i) / i;
	return n;
}

/* A search: the cut being tried, and the best so far. */
struct cut_search {
	const struct engine_config *engine;
	const struct cycles_target *clock;
	int stages;
	int blocks[SCHEDULE_STAGES_MAX];
	int best[SCHEDULE_STAGES_MAX];
	double time; /* of the best */
};

static bool
try_cut(struct cut_search *s)
{
	const double time = time_cut(s->engine, s->clock, s->stages, s->blocks);

	if (time >= s->time && s->best[0] > 0)
		return false;
	s->time = time;
	memcpy(s->best, s->blocks, sizeof(s->best));
	return true;
}

/* Try every cut: `left` blocks for this stage and the later ones. */
static void
try_all(struct cut_search *s, int stage, int left)
{
	const int later = s->stages - 1 - stage;
	int n;

	if (later == 0) {
		s->blocks[stage] = left;
		(void)try_cut(s);
		return;
	}
	for (n = 1; n <= left - later; n++) {
		s->blocks[stage] = n;
		try_all(s, stage + 1, left - n);
	}
}

/* Move each boundary anywhere between its neighbours while that helps. */
static void
try_near(struct cut_search *s)
{
	bool better;
	int k, both, n;

	(void)try_cut(s);
	do {
		better = false;
		for (k = 0; k + 1 < s->stages; k++) {
			memcpy(s->blocks, s->best, sizeof(s->blocks));
			both = s->blocks[k] + s->blocks[k + 1];
			for (n = 1; n < both; n++) {
				s->blocks[k] = n;
				s->blocks[k + 1] = both - n;
				better |= try_cut(s);
			}
		}
	} while (better);
}

void
cuts_find(const struct engine_config *engine, const struct cycles_target *clock,
    int stages, int stage_blocks[SCHEDULE_STAGES_MAX])
{
	const int count = engine->model->block_count;
	int64_t cycles[MODEL_BLOCKS_MAX];
	struct cut_search s = { engine, clock, stages, { 0 }, { 0 }, INFINITY };

	assert(stages > 0 && stages <= count);
	if (count_cuts(count, stages, CUTS_MAX) <= CUTS_MAX) {
		try_all(&s, 0, count);
	} else {
		block_cycles(engine, clock, cycles);
		even_cut(cycles, count, stages, s.blocks);
		try_near(&s);
	}
	memcpy(stage_blocks, s.best, sizeof(s.best));
}
