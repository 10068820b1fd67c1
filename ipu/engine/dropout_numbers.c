/*
 * The generators of dropouts in one of several threads.
 */
#include "ipu/engine/dropout_numbers.h"

#include <string.h>

void
dropout_numbers_begin(struct dropout_numbers *n, int replicas,
    const uint32_t *memory)
{
	int i;

	for (i = 0; i < replicas; i++, n++) {
		memcpy(n->rng.state, memory, sizeof(n->rng.state));
		n->rng.used = (int)memory[TORCH_RNG_WORDS];
		n->passed = 0;
		memory += TORCH_RNG_WORDS + 1;
	}
}

void
dropout_numbers_enter(struct dropout_numbers *n, struct stage *s,
    uint64_t micro_batch)
{
	*stage_rng(s) = n->rng;
	stage_skip(s, micro_batch - n->passed);
	n->passed = micro_batch + 1;
}

void
dropout_numbers_leave(struct dropout_numbers *n, struct stage *s)
{
	n->rng = *stage_rng(s);
}

void
dropout_numbers_end(struct dropout_numbers *n, int replicas, struct stage *s,
    uint64_t micro_batches, uint32_t *memory)
{
	const struct torch_rng *rng = stage_rng(s);
	int i;

	for (i = 0; i < replicas; i++, n++) {
		dropout_numbers_enter(n, s, micro_batches / (uint64_t)replicas);
		memcpy(memory, rng->state, sizeof(rng->state));
		memory[TORCH_RNG_WORDS] = (uint32_t)rng->used;
		memory += TORCH_RNG_WORDS + 1;
	}
}
