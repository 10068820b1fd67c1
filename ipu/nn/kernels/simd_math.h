/*
 * Exponential and logarithm of each lane, to about two units in the last place.
 * Source of the polynomials: Moshier's Cephes library, single precision.
 */
#ifndef IPU_NN_KERNELS_SIMD_MATH_H
#define IPU_NN_KERNELS_SIMD_MATH_H

#include "ipu/nn/kernels/simd.h"

INLINE vec
choose(ivec mask, vec yes, vec no)
{
	return (vec)(((ivec)yes & mask) | ((ivec)no & ~mask));
}

INLINE vec
magnitude(vec x)
{
	return (vec)((ivec)x & 0x7fffffff);
}

/* Return x with the sign of y. */
INLINE vec
with_sign(vec x, vec y)
{
	return (vec)((ivec)x | ((ivec)y & (ivec)broadcast(-0.0f)));
}

/* Return the larger one; a NaN in x stays. */
INLINE vec
at_least(vec x, vec y)
{
	return choose(x < y, y, x);
}

/*
 * Return e^x = 2^n e^r, where n is the whole number nearest to x / log 2:
 * adding 1.5 x 2^23 rounds it.  A second product subtracts the low bits of n
 * log 2, which the first one loses.  Below -87.3 the result is 0, and from 88.7
 * on it stays.
 */
INLINE vec
vec_exp(vec x)
{
	const vec magic = broadcast(0x1.8p23f);
	const vec low = at_least(x, broadcast(-87.3f));
	const vec inside = choose(low > broadcast(88.7f), broadcast(88.7f),
	    low);
	const vec whole = inside * broadcast(1.44269504f) + magic;
	const vec n = whole - magic;
	const vec r = inside - n * broadcast(0.693359375f) -
	    n * broadcast(-2.12194440e-4f);
	const ivec power = ((ivec)whole - (ivec)magic + 127) << 23;
	vec p = broadcast(1.9875691500e-4f);

	p = p * r + broadcast(1.3981999507e-3f);
	p = p * r + broadcast(8.3334519073e-3f);
	p = p * r + broadcast(4.1665795894e-2f);
	p = p * r + broadcast(1.6666665459e-1f);
	p = p * r + broadcast(5.0000001201e-1f);
	p = p * (r * r) + r + broadcast(1);
	return choose(x < broadcast(-87.3f), broadcast(0), p * (vec)power);
}

/* Return the logarithm of a normal x > 0: x = m 2^n, with m from sqrt(1/2) to
   sqrt(2). */
INLINE vec
vec_log(vec x)
{
	const ivec bits = (ivec)x;
	const vec half = (vec)((bits & 0x007fffff) | 0x3f000000);
	const ivec small = half < broadcast(0.707106781f);
	const vec n = __builtin_convertvector((bits >> 23) - 126 + small, vec);
	const vec m = choose(small, half + half, half) - broadcast(1);
	const vec z = m * m;
	vec p = broadcast(7.0376836292e-2f);

	p = p * m + broadcast(-1.1514610310e-1f);
	p = p * m + broadcast(1.1676998740e-1f);
	p = p * m + broadcast(-1.2420140846e-1f);
	p = p * m + broadcast(1.4249322787e-1f);
	p = p * m + broadcast(-1.6668057665e-1f);
	p = p * m + broadcast(2.0000714765e-1f);
	p = p * m + broadcast(-2.4999993993e-1f);
	p = p * m + broadcast(3.3333331174e-1f);
	p = p * m * z + n * broadcast(-2.12194440e-4f) - z * broadcast(0.5f);
	return m + p + n * broadcast(0.693359375f);
}

#endif
