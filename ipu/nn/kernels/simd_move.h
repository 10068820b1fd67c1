/*
 * Vectors whose lanes move, for the few kernels where they must; simd.h has
 * the rest.  GCC's vector types have no word for compress(), so it is written
 * for each instruction set.
 */
#ifndef IPU_NN_KERNELS_SIMD_MOVE_H
#define IPU_NN_KERNELS_SIMD_MOVE_H

#include "ipu/nn/kernels/simd.h"

#if LANES > 4
#include <immintrin.h>
#endif

/* Every lane of two vectors' lower or upper halves in turn: a0 b0 a1 b1 ... */
#if LANES == 16
#define LOW	0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH	8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif LANES == 8
#define LOW	0, 8, 1, 9, 2, 10, 3, 11
#define HIGH	4, 12, 5, 13, 6, 14, 7, 15
#else
#define LOW	0, 4, 1, 5
#define HIGH	2, 6, 3, 7
#endif
#define INTERLEAVE(half, a, b)	__builtin_shufflevector(a, b, half)

#if LANES == 8
typedef signed char bvec4 VECTOR(LANES * 4);

/* Marks as bytes; __builtin_convertvector() would go lane by lane. */
INLINE bvec
to_bytes(ivec v)
{
	return __builtin_shufflevector((bvec4)v, (bvec4)v, 0, 4, 8, 12, 16,
	    20, 24, 28);
}
#else
INLINE bvec
to_bytes(ivec v)
{
	return __builtin_convertvector(v, bvec);
}
#endif

/* Rows to columns. */
INLINE void
transpose_tile(vec tile[LANES])
{
	vec	next[LANES];
	int	stage, i;

#pragma GCC unroll 4
	for (stage = 1; stage < LANES; stage *= 2) {
#pragma GCC unroll 8
		for (i = 0; i < LANES / 2; i++) {
			next[2 * i] = INTERLEAVE(LOW, tile[i],
			    tile[i + LANES / 2]);
			next[2 * i + 1] = INTERLEAVE(HIGH, tile[i],
			    tile[i + LANES / 2]);
		}
#pragma GCC unroll 16
		for (i = 0; i < LANES; i++)
			tile[i] = next[i];
	}
}

/*
 * The lanes that `keep` (all ones or zero) selects, side by side and in order,
 * to `values` and `places`, which have room for a whole vector.  Returns how
 * many they are.
 */
#if LANES == 16
INLINE int
compress(ivec keep, vec value, ivec place, float *values, int32_t *places)
{
	const __mmask16	mask = _mm512_movepi32_mask((__m512i)keep);

	_mm512_storeu_ps(values, _mm512_maskz_compress_ps(mask,
	    (__m512)value));
	_mm512_storeu_si512(places, _mm512_maskz_compress_epi32(mask,
	    (__m512i)place));
	return __builtin_popcount(mask);
}
#elif LANES == 8
INLINE int
compress(ivec keep, vec value, ivec place, float *values, int32_t *places)
{
	const unsigned	mask = (unsigned)_mm256_movemask_ps((__m256)keep);
	/* A byte a lane; of 7 6 .. 0 those that stay. */
	const uint64_t	bytes = _pdep_u64(mask, 0x0101010101010101) * 0xff;
	const uint64_t	lanes = _pext_u64(0x0706050403020100, bytes);
	const __m256i	index = _mm256_cvtepu8_epi32(
	    _mm_cvtsi64_si128((long long)lanes));

	_mm256_storeu_ps(values, _mm256_permutevar8x32_ps((__m256)value,
	    index));
	_mm256_storeu_si256((__m256i *)places,
	    _mm256_permutevar8x32_epi32((__m256i)place, index));
	return __builtin_popcount(mask);
}
#else
INLINE int
compress(ivec keep, vec value, ivec place, float *values, int32_t *places)
{
	int	i, count = 0;

	for (i = 0; i < LANES; i++) {
		values[count] = value[i];
		places[count] = place[i];
		count -= keep[i];
	}
	return count;
}
#endif

#endif
