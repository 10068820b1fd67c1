/*
 * Elements of vectors and their sum: the table of types, halves, and loops that
 * the compiler vectorises.
 */
#include "core/base/formats/element.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "core/base/alloc.h"

/* A block of all vectors is summed before the next one, so its sum stays in the
   first cache and is written once.  The loops work on groups of constant size,
   because otherwise gcc -O2 does not vectorise. */
enum { BLOCK_BYTES = 4096, GROUP_BYTES = 64 };

enum { HALVES_IN_GROUP = GROUP_BYTES / sizeof(float) };

union element_block {
	uint8_t int8[BLOCK_BYTES];
	uint16_t int16[BLOCK_BYTES / sizeof(uint16_t)];
	uint32_t int32[BLOCK_BYTES / sizeof(uint32_t)];
	uint64_t int64[BLOCK_BYTES / sizeof(uint64_t)];
	float real[BLOCK_BYTES / sizeof(float)];
	double real64[BLOCK_BYTES / sizeof(double)];
};

/* Compute sum[i] += next[i] for whole groups, which need not be aligned: in C
   that takes a memcpy() per element.  Integers are added as unsigned, which
   wraps around. */
#define ADDER(name, type, member) \
	static void name(union element_block *restrict sum, \
	    size_t first_group, const unsigned char *restrict next, \
	    size_t groups) \
	{ \
		enum { IN_GROUP = GROUP_BYTES / sizeof(type) }; \
		type *to = sum->member + first_group * IN_GROUP, value; \
		size_t g, i; \
\
		for (g = 0; g < groups; g++, to += IN_GROUP, \
		    next += GROUP_BYTES) { \
			for (i = 0; i < IN_GROUP; i++) { \
				memcpy(&value, next + i * sizeof(type), \
				    sizeof(type)); \
				to[i] = (type)(to[i] + value); \
			} \
		} \
	}

ADDER(element_add_float, float, real)
ADDER(element_add_double, double, real64)
ADDER(element_add_int8, uint8_t, int8)
ADDER(element_add_int16, uint16_t, int16)
ADDER(element_add_int32, uint32_t, int32)
ADDER(element_add_int64, uint64_t, int64)

static const struct {
	const char *name;
	size_t size;
	void (*add)(union element_block *, size_t first_group,
	    const unsigned char *next, size_t groups);
} element_types[ELEMENT_TYPES] = {
	[ELEMENT_NONE] = { "none", 0, NULL },
	[ELEMENT_HALF] = { "half", 2, NULL }, /* see element_sum_halves() */
	[ELEMENT_FLOAT] = { "float", 4, element_add_float },
	[ELEMENT_DOUBLE] = { "double", 8, element_add_double },
	[ELEMENT_INT8] = { "int8", 1, element_add_int8 },
	[ELEMENT_INT16] = { "int16", 2, element_add_int16 },
	[ELEMENT_INT32] = { "int32", 4, element_add_int32 },
	[ELEMENT_INT64] = { "int64", 8, element_add_int64 },
	[ELEMENT_BOOL] = { "bool", 1, NULL },
};

static bool
element_is_type(int type)
{
	return type > ELEMENT_NONE && type < ELEMENT_TYPES;
}

size_t
element_size(int type)
{
	return element_is_type(type) ? element_types[type].size : 0;
}

const char *
element_name(int type)
{
	return element_types[element_is_type(type) ? type : ELEMENT_NONE].name;
}

int
element_by_name(const char *name)
{
	int type;

	for (type = ELEMENT_NONE + 1; type < ELEMENT_TYPES; type++)
		if (strcmp(element_types[type].name, name) == 0)
			return type;
	return ELEMENT_NONE;
}

bool
element_is_summable(int type)
{
	return element_is_type(type) && type != ELEMENT_BOOL;
}

/* ---- halves ---- */

static uint32_t
float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float
bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Pick one of two values without a branch, which would prevent vectorising.
   The compared magnitudes have no sign bit. */
static inline uint32_t
pick_if_less(uint32_t magnitude, int32_t limit, uint32_t yes, uint32_t no)
{
	const uint32_t mask = 0 - (uint32_t)((int32_t)magnitude < limit);

	return (yes & mask) | (no & ~mask);
}

/*
 * A half has 1, 5 and 10 bits of sign, exponent and fraction, a float 1, 8 and
 * 23.  The exponent biases are 15 and 127, so a half's magnitude, shifted to
 * the float's place, lacks 112 in the exponent; infinity and NaN lack twice
 * that.  A subnormal half has no leading 1: it gets one with the exponent of
 * 2^-14, which is then subtracted.
 */
static inline float
half_to_float(uint32_t half)
{
	const uint32_t magnitude = half & 0x7fff;
	const uint32_t moved = (magnitude << 13) + (112u << 23);
	const uint32_t small =
	    float_bits(bits_float(moved + (1u << 23)) - 0x1p-14f);
	const uint32_t bits = pick_if_less(magnitude, 0x400, small,
	    pick_if_less(magnitude, 0x7c00, moved, moved + (112u << 23)));

	return bits_float(bits | (half & 0x8000) << 16);
}

/*
 * Round to the nearest, ties to even.  Below 2^-14 a half is subnormal, a
 * multiple of 2^-24: adding 0.5, with the last bit 2^-24, makes the processor
 * round.  Above it the 13 lost bits decide: 0xfff and the last remaining bit
 * are added, so that more than one half carries, and exactly one half only if
 * that bit is 1.  From 65,520 on the result is infinity.
 */
static inline uint16_t
float_to_half(float value)
{
	const uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000;
	const uint32_t magnitude = bits & 0x7fffffff;
	const uint32_t small = float_bits(bits_float(magnitude) + 0.5f) -
	    0x3f000000;
	const uint32_t normal =
	    (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
	const uint32_t nan = 0x7e00 | (magnitude >> 13 & 0x3ff);

	return (uint16_t)(sign |
	    pick_if_less(magnitude, 113 << 23, small,
		pick_if_less(magnitude, 143 << 23, normal,
		    pick_if_less(magnitude, 0x7f800001, 0x7c00, nan))));
}

float
element_from_half(uint16_t half)
{
	return half_to_float(half);
}

uint16_t
element_to_half(float value)
{
	return float_to_half(value);
}

static void
element_add_halves(float *restrict sum, const unsigned char *restrict next,
    size_t groups)
{
	uint16_t half;
	size_t g, i;

	for (g = 0; g < groups; g++, sum += HALVES_IN_GROUP,
	    next += HALVES_IN_GROUP * sizeof(half)) {
		for (i = 0; i < HALVES_IN_GROUP; i++) {
			memcpy(&half, next + i * sizeof(half), sizeof(half));
			sum[i] += half_to_float(half);
		}
	}
}

/* Round `count` floats: whole groups, then the rest. */
static void
element_round_halves(const float *sum, size_t count, unsigned char *out)
{
	uint16_t halves[HALVES_IN_GROUP];
	size_t i, n;

	for (; count > 0; count -= n, sum += n, out += n * sizeof(*halves)) {
		n = count < HALVES_IN_GROUP ? count : HALVES_IN_GROUP;
		for (i = 0; i < HALVES_IN_GROUP; i++)
			halves[i] = float_to_half(sum[i]);
		memcpy(out, halves, n * sizeof(*halves));
	}
}

/* A block has as many halves as a block of floats.  Sums begin with -0, to
   which any value can be added without a change. */
static void
element_sum_halves(const void *const *vectors, size_t vector_count,
    size_t offset, size_t count, unsigned char *out)
{
	const size_t size = sizeof(uint16_t);
	const size_t groups = count / HALVES_IN_GROUP;
	const size_t whole = groups * HALVES_IN_GROUP;
	unsigned char rest[HALVES_IN_GROUP * sizeof(uint16_t)] = { 0 };
	const unsigned char *next;
	union element_block sum;
	size_t v, i;

	for (i = 0; i < ARRAY_SIZE(sum.real); i++)
		sum.real[i] = -0.0f;
	for (v = 0; v < vector_count; v++) {
		next = (const unsigned char *)vectors[v] + offset;
		element_add_halves(sum.real, next, groups);
		if (whole == count)
			continue;
		memcpy(rest, next + whole * size, (count - whole) * size);
		element_add_halves(sum.real + whole, rest, 1);
	}
	element_round_halves(sum.real, count, out + offset);
}

/* ---- sums ---- */

static void
element_sum_block(int type, const void *const *vectors, size_t vector_count,
    size_t offset, size_t bytes, unsigned char *out)
{
	const size_t groups = bytes / GROUP_BYTES;
	const size_t whole = groups * GROUP_BYTES;
	unsigned char rest[GROUP_BYTES] = { 0 };
	const unsigned char *next;
	union element_block sum;
	size_t v;

	if (whole < bytes)
		memset(sum.int8 + whole, 0, GROUP_BYTES);
	memcpy(&sum, (const unsigned char *)vectors[0] + offset, bytes);
	for (v = 1; v < vector_count; v++) {
		next = (const unsigned char *)vectors[v] + offset;
		element_types[type].add(&sum, 0, next, groups);
		if (whole == bytes)
			continue;
		memcpy(rest, next + whole, bytes - whole);
		element_types[type].add(&sum, groups, rest, 1);
	}
	memcpy(out + offset, &sum, bytes);
}

void
element_sum(int type, const void *const *vectors, size_t vector_count,
    size_t count, void *out)
{
	const size_t size = element_size(type), bytes = count * size;
	const size_t block = type == ELEMENT_HALF ?
	    BLOCK_BYTES / sizeof(float) * size :
	    BLOCK_BYTES;
	size_t offset, n;

	assert(element_is_summable(type) && vector_count > 0);
	for (offset = 0; offset < bytes; offset += n) {
		n = bytes - offset < block ? bytes - offset : block;
		if (type == ELEMENT_HALF)
			element_sum_halves(vectors, vector_count, offset,
			    n / size, out);
		else
			element_sum_block(type, vectors, vector_count, offset,
			    n, out);
	}
}
