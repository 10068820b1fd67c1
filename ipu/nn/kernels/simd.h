/*
 * Shared by the kernels of one instruction set.  The files *_simd.c are
 * compiled three times, with -DKERNELS_ISA=sse2, avx2 and avx512.  They use
 * GCC's vector types, so the three builds differ only in the width of a vector.
 *
 * Products are computed in register tiles: `rows` x `cols` sums stay in
 * registers while the inner loop takes `cols` vectors of samples and `rows`
 * scalars (weights, broadcast).  A tile of 5 x 2 sums keeps two multipliers of
 * latency 4 busy and needs 13 of the 16 registers of AVX2.  A tile's size is a
 * constant of its function; tables choose the function, so that smaller tiles
 * at the edges are as fast.
 */
#ifndef IPU_NN_KERNELS_SIMD_H
#define IPU_NN_KERNELS_SIMD_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/nn/kernels/kernels.h"

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

/* FOR_ISA(f) is f_avx2, for example. */
#define PASTE(a, b) a##_##b
#define EXPAND(a, b) PASTE(a, b)
#define FOR_ISA(name) EXPAND(name, KERNELS_ISA)

#define VECTOR(size) __attribute__((vector_size(size)))
#define INLINE static inline __attribute__((always_inline))

typedef float vec VECTOR(LANES * 4);
typedef int32_t ivec VECTOR(LANES * 4);
typedef signed char bvec VECTOR(LANES);
typedef float vec4 VECTOR(16);
/* A vector in an array of parameters, aligned only as a float. */
typedef float uvec __attribute__((vector_size(LANES * 4), aligned(4)));

/* Return x in all lanes. */
INLINE vec
broadcast(float x)
{
	return x - (vec){ 0 };
}

/* Return the sum of the lanes, in a fixed order. */
INLINE float
lane_sum(vec v)
{
	union {
		vec whole;
		vec4 part[LANES / 4];
	} u = { v };
	vec4 sum = u.part[0];
	int i;

	for (i = 1; i < LANES / 4; i++)
		sum += u.part[i];
	return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* Keep v in a register: otherwise the compiler loads it for each use. */
INLINE vec
in_register(vec v)
{
	__asm__("" : "+v"(v));
	return v;
}

INLINE int
smaller(int a, int b)
{
	return a < b ? a : b;
}

INLINE int
larger(int a, int b)
{
	return a > b ? a : b;
}

#if LANES == 8
typedef signed char bvec4 VECTOR(LANES * 4);

/* Convert a mark or mask of each lane (kernels.h) to bytes;
   __builtin_convertvector() would go lane by lane. */
INLINE bvec
to_bytes(ivec v)
{
	return __builtin_shufflevector((bvec4)v, (bvec4)v, 0, 4, 8, 12, 16, 20,
	    24, 28);
}
#else
INLINE bvec
to_bytes(ivec v)
{
	return __builtin_convertvector(v, bvec);
}
#endif

#endif
