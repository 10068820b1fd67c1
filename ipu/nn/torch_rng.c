/*
 * MT19937 and PyTorch's draws from it, in PyTorch's order.
 *
 * The generator of the CPU is MT19937 (Matsumoto and Nishimura 1998), seeded
 * with the low 32 bits of torch.manual_seed()'s argument.  A DataLoader with
 * shuffle=True takes two int64 of it per epoch, one for its workers and one
 * that seeds the sampler.
 */
#include "ipu/nn/nn.h"

enum { MIDDLE = 397 }; /* MT19937's m */

/* Uses the constants of the paper's init_genrand().  Seed 5489 gives 3499211612
   as the first number. */
void
torch_rng_init(struct torch_rng *r, uint64_t seed)
{
	uint32_t word = (uint32_t)seed;
	uint32_t i;

	r->state[0] = word;
	for (i = 1; i < TORCH_RNG_WORDS; i++)
		r->state[i] = word = 1812433253u * (word ^ word >> 30) + i;
	r->used = TORCH_RNG_WORDS;
}

/*
 * Renew all words at once: word i + 624 derives from the top bit of word i, the
 * low 31 bits of word i + 1, and word i + 397.
 *
 *	[ i | i+1 | .......... | i+397 | ........ | i+623 ]
 *	  1   31 bits             xor
 *	  \___/ shifted right, xor 9908b0df where odd  ->  new word i
 */
static void
renew(struct torch_rng *r)
{
	uint32_t *s = r->state, mixed;
	int i;

	for (i = 0; i < TORCH_RNG_WORDS; i++) {
		mixed = (s[i] & 0x80000000u) |
		    (s[(i + 1) % TORCH_RNG_WORDS] & 0x7fffffffu);
		s[i] = s[(i + MIDDLE) % TORCH_RNG_WORDS] ^ mixed >> 1 ^
		    (mixed % 2 != 0 ? 0x9908b0dfu : 0);
	}
	r->used = 0;
}

/* Tempers as in the paper: mixes the bits of a word and loses none. */
uint32_t
torch_rng_next(struct torch_rng *r)
{
	uint32_t y;

	if (r->used == TORCH_RNG_WORDS)
		renew(r);
	y = r->state[r->used++];
	y ^= y >> 11;
	y ^= y << 7 & 0x9d2c5680u;
	y ^= y << 15 & 0xefc60000u;
	return y ^ y >> 18;
}

void
torch_rng_skip(struct torch_rng *r, uint64_t count)
{
	for (; count > (uint64_t)(TORCH_RNG_WORDS - r->used); renew(r))
		count -= (uint64_t)(TORCH_RNG_WORDS - r->used);
	r->used += (int)count;
}

uint64_t
torch_rng_int64(struct torch_rng *r)
{
	const uint64_t high = torch_rng_next(r);

	return (high << 32 | torch_rng_next(r)) & INT64_MAX;
}

float
torch_rng_uniform(struct torch_rng *r, float low, float high)
{
	/* 24 bits, as many as a float holds; rounds once, at the end. */
	const double x = (double)(torch_rng_next(r) & 0xffffff) * 0x1p-24;

	return (float)(x * (double)(high - low) + (double)low);
}

/* From the start, like torch.randperm(): place i gets one of the elements from
   i on.  For numbers below 2^32 it uses the remainder, which is not quite
   uniform. */
void
torch_rng_permutation(struct torch_rng *r, uint32_t *order, uint32_t count)
{
	uint32_t i, other, kept;

	for (i = 0; i < count; i++)
		order[i] = i;
	for (i = 0; i + 1 < count; i++) {
		other = i + torch_rng_next(r) % (count - i);
		kept = order[i];
		order[i] = order[other];
		order[other] = kept;
	}
}

/* Epoch 1 skips 2 words and uses words 3 and 4; epoch 2 skips 4 + 2. */
void
torch_rng_shuffle(struct torch_rng *r, int epoch, uint32_t *order,
    uint32_t count)
{
	struct torch_rng sampler;

	/* 4 words per epoch; the sampler's are the third and fourth. */
	torch_rng_skip(r, 4 * (uint64_t)(epoch - 1) + 2);
	torch_rng_init(&sampler, torch_rng_int64(r));
	torch_rng_permutation(&sampler, order, count);
}
