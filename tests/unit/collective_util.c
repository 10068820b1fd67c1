/* Rounds of sums over replicas, of which each knows what the others add. */
#include "tests/unit/collective_util.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

enum {
	REPLICAS = COLLECTIVE_UTIL_REPLICAS,
	N = COLLECTIVE_UTIL_FLOATS,
	ROUNDS = 20,
	PARTS = 2
};

struct collective_config
collective_util_config(int first, int local, const char *directory)
{
	return (struct collective_config){ .directory = directory,
		.total = REPLICAS,
		.first = first,
		.local = local,
		.part_count = PARTS,
		.floats = { N, 1 },
		.join_seconds = 1 };
}

/* Element i of a replica's vector in a round. */
static float
element(int replica, int round, size_t i)
{
	struct rng rng;

	rng_init(&rng, (uint64_t)replica, (uint64_t)round * N + i);
	return rng_uniform(&rng, -1, 1);
}

int
collective_util_run(struct collective *c, int replica)
{
	struct error e = { .text = "" };
	float *data = xcalloc(N, sizeof(float)), one, wanted;
	int round, wrong = 0, r;
	size_t i;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < N; i++)
			data[i] = element(replica, round, i);
		one = (float)replica;
		if (collective_sum(c, 0, replica, data, &e) == -1 ||
		    collective_sum(c, 1, replica, &one, &e) == -1) {
			free(data);
			return -1;
		}
		wrong += one != 0 + 1 + 2;
		for (i = 0; i < N; i++) {
			wanted = element(0, round, i);
			for (r = 1; r < REPLICAS; r++)
				wanted += element(r, round, i);
			wrong += data[i] != wanted;
		}
	}
	free(data);
	return wrong;
}
