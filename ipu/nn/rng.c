/*
 * splitmix64, and what is drawn from it.
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

/*
 * The seed is mixed before the stream comes in, so that near seeds and near
 * streams give generators that have nothing in common.
 */
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
	/* Lemire 2019: multiply instead of divide; redo the few draws that
	   would make low numbers likelier. */
	uint64_t product = (next(r) >> 32) * n;

	if ((uint32_t)product < n) {
		uint32_t threshold = -n % n;

		while ((uint32_t)product < threshold)
			product = (next(r) >> 32) * n;
	}
	return (uint32_t)(product >> 32);
}

/* 24 bits, as many as a float holds, so that high is never reached. */
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

/* From the back: place i - 1 takes one of those before it, or stays. */
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
