/*
 * splitmix64 and its distributions.
 */
#include "ipu/nn/nn.h"

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014. */
static uint64_t
next(struct rng *r)
{
	uint64_t z;

	z = r->state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Mixes the seed before adding the stream, so that near seeds and near streams
   give unrelated generators. */
void
rng_init(struct rng *r, uint64_t seed, uint64_t stream)
{
	r->state = seed;
	r->state = next(r) ^ stream;
	(void)next(r);
}

uint32_t
rng_below(struct rng *r, uint32_t n)
{
	/* Lemire 2019: multiply instead of divide, and redraw the few numbers
	   that would favour low results. */
	uint64_t product = (next(r) >> 32) * n;

	if ((uint32_t)product < n) {
		uint32_t threshold = -n % n;

		while ((uint32_t)product < threshold)
			product = (next(r) >> 32) * n;
	}
	return (uint32_t)(product >> 32);
}

/* Uses 24 bits, as many as a float holds, so that high is never reached. */
float
rng_uniform(struct rng *r, float low, float high)
{
	return low + (high - low) * ((float)(next(r) >> 40) * 0x1p-24f);
}

/* Each of the 12 has variance 1/12 and mean 1/2. */
float
rng_normal(struct rng *r)
{
	float sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += rng_uniform(r, 0, 1);
	return sum;
}

/* From the end: place i - 1 gets an earlier element or keeps its own. */
void
rng_shuffle(struct rng *r, uint32_t *array, size_t count)
{
	size_t i;

	for (i = count; i > 1; i--) {
		uint32_t j = rng_below(r, (uint32_t)i);
		uint32_t swap = array[j];

		array[j] = array[i - 1];
		array[i - 1] = swap;
	}
}
