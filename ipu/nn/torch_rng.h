/*
 * PyTorch's random numbers, so that a seed means here what it means there:
 * the same initial weights and the same order of samples, to the bit.
 *
 * The generator of the CPU is MT19937 (Matsumoto and Nishimura 1998), seeded
 * with the low 32 bits of torch.manual_seed()'s argument.
 */
#ifndef IPU_NN_TORCH_RNG_H
#define IPU_NN_TORCH_RNG_H

#include <stdint.h>

enum { TORCH_RNG_WORDS = 624 };

struct torch_rng {
	uint32_t	state[TORCH_RNG_WORDS];
	int		used;		/* words of the state */
};

void		torch_rng_init(struct torch_rng *, uint64_t seed);
uint32_t	torch_rng_next(struct torch_rng *);
/* Leave out so many numbers. */
void		torch_rng_skip(struct torch_rng *, uint64_t count);
/* Tensor.random_() of one int64: 0 to 2^63 - 1. */
uint64_t	torch_rng_int64(struct torch_rng *);
/* Tensor.uniform_(low, high) of one float. */
float		torch_rng_uniform(struct torch_rng *, float low, float high);
/* torch.randperm(count): 0 .. count - 1 in a random order. */
void		torch_rng_permutation(struct torch_rng *, uint32_t *,
		    uint32_t count);

/*
 * The order of samples in epoch `epoch` (1, 2, ...) of a DataLoader with
 * shuffle=True.  For each epoch it takes two int64 of the generator, one for
 * its workers and one that seeds the sampler.
 */
void		torch_rng_shuffle(struct torch_rng *, int epoch, uint32_t *,
		    uint32_t count);

#endif
