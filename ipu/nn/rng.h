/*
 * A small seeded generator (splitmix64), so that a run can be repeated on any
 * machine.  Not for secrets.
 */
#ifndef IPU_NN_RNG_H
#define IPU_NN_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t	state;
};

/* `stream` separates generators of one seed: epochs, layers, samples. */
void		rng_init(struct rng *, uint64_t seed, uint64_t stream);
uint64_t	rng_next(struct rng *);
/* Even over 0 .. n-1; n > 0. */
uint32_t	rng_below(struct rng *, uint32_t n);
/* Even over [low, high). */
float		rng_uniform(struct rng *, float low, float high);
/* About normal, mean 0, deviation 1 (the sum of 12 even numbers). */
float		rng_normal(struct rng *);
/* Put the array in a random order (Fisher-Yates). */
void		rng_shuffle(struct rng *, uint32_t *, size_t count);

#endif
