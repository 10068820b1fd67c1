/* core/base/element: the types, halves, and sums of every length and place. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "tests/unit/tap.h"

enum { VECTORS = 3, LENGTH_MAX = 5000 };

static void
check_types(void)
{
	static const struct {
		int type;
		const char *name;
		size_t size;
		bool summable;
	} types[] = {
		{ ELEMENT_HALF, "half", 2, true },
		{ ELEMENT_FLOAT, "float", 4, true },
		{ ELEMENT_DOUBLE, "double", 8, true },
		{ ELEMENT_INT8, "int8", 1, true },
		{ ELEMENT_INT16, "int16", 2, true },
		{ ELEMENT_INT32, "int32", 4, true },
		{ ELEMENT_INT64, "int64", 8, true },
		{ ELEMENT_BOOL, "bool", 1, false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		is_int(types[i].type, (int)i + 1, "the number of the protocol");
		is_str(element_name(types[i].type), types[i].name, "its name");
		is_int(element_by_name(types[i].name), types[i].type,
		    "by its name");
		is_int((long long)element_size(types[i].type),
		    (long long)types[i].size, "its size");
		is_int(element_is_summable(types[i].type), types[i].summable,
		    "whether it can be added up");
	}
	is_int(ELEMENT_TYPES, (int)i + 1, "no others");
	is_int((long long)element_size(ELEMENT_NONE), 0, "none has no size");
	is_int((long long)element_size(-1), 0, "nor has -1");
	is_int((long long)element_size(ELEMENT_TYPES), 0, "nor one too many");
	is_str(element_name(77), "none", "no name");
	is_int(element_by_name("none"), ELEMENT_NONE, "none is not a type");
	is_int(element_by_name("Float"), ELEMENT_NONE, "nor is Float");
	ok(!element_is_summable(ELEMENT_NONE) && !element_is_summable(99),
	    "what is not a type cannot be added up");
}

/* ---- halves, against their definition ---- */

/* IEEE 754: (-1)^s 2^(e - 15) (1 + f / 1024); subnormal where e is 0. */
static double
defined_value(unsigned half)
{
	const int exponent = half >> 10 & 31, fraction = half & 1023;
	double value;

	if (exponent == 31)
		value = fraction != 0 ? (double)NAN : (double)INFINITY;
	else if (exponent == 0)
		value = ldexp(fraction, -24);
	else
		value = ldexp(1024 + fraction, exponent - 25);
	return half & 0x8000 ? -value : value;
}

/* In steps of the half's last bit; rint() goes to the even one. */
static double
defined_rounding(double value)
{
	int exponent;
	double rounded;

	if (isinf(value) || value == 0)
		return value;
	(void)frexp(value, &exponent);
	exponent = exponent - 11 < -24 ? -24 : exponent - 11;
	rounded = ldexp(rint(ldexp(value, -exponent)), exponent);
	return fabs(rounded) > 65504 ? copysign((double)INFINITY, value) :
				       rounded;
}

static bool
is_rounded_well(float value)
{
	const unsigned half = element_to_half(value);
	const double wanted = defined_rounding((double)value);
	const double got = defined_value(half);

	if (isnan(value))
		return isnan(got) && (half >> 15 != 0) == (signbit(value) != 0);
	return got == wanted && (signbit(got) != 0) == (signbit(wanted) != 0);
}

static float
float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void
check_halves(void)
{
	int values = 0, back = 0, between = 0, floats = 0;
	float value, middle;
	double wanted;
	uint64_t bits;
	unsigned half;

	for (half = 0; half <= 0xffff; half++) {
		value = element_from_half((uint16_t)half);
		wanted = defined_value(half);
		if (isnan(wanted)) {
			values += !isnan(value);
			back += !is_rounded_well(value);
			continue;
		}
		values += (double)value != wanted ||
		    (signbit(value) != 0) != (signbit(wanted) != 0);
		back += element_to_half(value) != half;
		if ((half & 0x7fff) >= 0x7bff)
			continue;
		middle = (value + element_from_half((uint16_t)(half + 1))) / 2;
		between += !is_rounded_well(middle);
		between += !is_rounded_well(nextafterf(middle, INFINITY));
		between += !is_rounded_well(nextafterf(middle, -INFINITY));
	}
	is_int(values, 0, "every half is the float of its definition");
	is_int(back, 0, "and comes back from it");
	is_int(between, 0, "between two halves, and just beside that");
	for (bits = 0; bits <= UINT32_MAX; bits += 40503)
		floats += !is_rounded_well(float_of((uint32_t)bits));
	is_int(floats, 0, "100,000 floats of all magnitudes");
	is_int(element_to_half(65519.996f), 0x7bff, "the largest half");
	is_int(element_to_half(65520.0f), 0x7c00,
	    "from here on it is infinity");
	is_int(element_to_half(-65520.0f), 0xfc00, "of either sign");
	is_int(element_to_half(0x1p-25f), 0, "a tie goes to the even 0");
	is_int(element_to_half(0x1.000002p-25f), 1, "just over a tie");
	is_int(element_to_half(-0.0f), 0x8000, "-0 keeps its sign");
}

/* ---- sums ---- */

/* What the sum of one element is, by the plainest of means. */
static void
sum_plainly(int type, const unsigned char *const *vectors, size_t offset,
    unsigned char *out)
{
	const size_t size = element_size(type);
	uint64_t whole = 0, part;
	uint16_t half;
	float sum = -0.0f, value;
	double sum64 = -0.0, value64;
	int v;

	for (v = 0; v < VECTORS; v++) {
		part = 0;
		memcpy(&part, vectors[v] + offset, size);
		memcpy(&half, &part, sizeof(half));
		memcpy(&value, &part, sizeof(value));
		memcpy(&value64, &part, sizeof(value64));
		whole += part;
		sum += type == ELEMENT_HALF ? element_from_half(half) : value;
		sum64 += value64;
	}
	half = element_to_half(sum);
	if (type == ELEMENT_HALF)
		memcpy(out, &half, sizeof(half));
	else if (type == ELEMENT_FLOAT)
		memcpy(out, &sum, sizeof(sum));
	else if (type == ELEMENT_DOUBLE)
		memcpy(out, &sum64, sizeof(sum64));
	else
		memcpy(out, &whole, size);
}

/* Values of a size that lets the order of additions show. */
static void
fill(int type, unsigned char *to, size_t count)
{
	const size_t size = element_size(type);
	const double choices[] = { 1e4, 1, -1e4, 0.3, 1e-4, -7, 3e-7, 0 };
	size_t i;
	uint64_t bits;
	double value64;
	float value;
	uint16_t half;

	for (i = 0; i < count; i++) {
		bits = (uint64_t)random() << 40 ^ (uint64_t)random() << 20 ^
		    (uint64_t)random();
		value64 = choices[bits % ARRAY_SIZE(choices)] *
		    (1 + (double)(bits >> 8 & 255) / 64);
		value = (float)value64;
		half = element_to_half(value);
		if (type == ELEMENT_HALF)
			memcpy(&bits, &half, sizeof(half));
		else if (type == ELEMENT_FLOAT)
			memcpy(&bits, &value, sizeof(value));
		else if (type == ELEMENT_DOUBLE)
			memcpy(&bits, &value64, sizeof(value64));
		memcpy(to + i * size, &bits, size);
	}
}

/* `place`: the vector that gets the sum; VECTORS: a place of its own. */
static bool
is_summed_well(int type, size_t count, int shift, int place)
{
	const size_t size = element_size(type), bytes = count * size;
	unsigned char *memory[VECTORS + 1], *wanted = xcalloc(1, bytes + 1);
	const unsigned char *vectors[VECTORS];
	const void *given[VECTORS];
	size_t i;
	bool well;
	int v;

	for (v = 0; v <= VECTORS; v++) {
		memory[v] = xcalloc(1, bytes + 16);
		memory[v][bytes + (size_t)shift] = 0x5a;
		fill(type, memory[v] + shift, count);
	}
	for (v = 0; v < VECTORS; v++)
		given[v] = vectors[v] = memory[v] + shift;
	for (i = 0; i < count; i++)
		sum_plainly(type, vectors, i * size, wanted + i * size);
	element_sum(type, given, VECTORS, count, memory[place] + shift);
	well = memcmp(memory[place] + shift, wanted, bytes) == 0;
	for (v = 0; v <= VECTORS; v++) {
		well = well && memory[v][bytes + (size_t)shift] == 0x5a;
		free(memory[v]);
	}
	free(wanted);
	return well;
}

static void
check_lengths(void)
{
	static const size_t lengths[] = { 0, 1, 2, 7, 8, 15, 16, 17, 31, 33, 63,
		64, 65, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 4095, 4096,
		4097, LENGTH_MAX };
	int type, shift, place, wrong;
	size_t i;

	for (type = ELEMENT_HALF; type < ELEMENT_BOOL; type++) {
		wrong = 0;
		for (i = 0; i < ARRAY_SIZE(lengths); i++)
			for (shift = 0; shift < 2; shift++)
				for (place = 0; place <= VECTORS; place++)
					wrong += !is_summed_well(type,
					    lengths[i], shift, place);
		is_int(wrong, 0, element_name(type));
	}
}

static void
check_reals(void)
{
	static const float at_first[] = { 1e8f, NAN, INFINITY, -0.0f };
	static const float then[] = { 1, 1, -INFINITY, -0.0f };
	static const float at_last[] = { -1e8f, 1, 1, -0.0f };
	const void *vectors[] = { at_first, then, at_last };
	const double large = 1e308;
	const void *doubles[] = { &large, &large };
	float sum[4];
	double sum64;

	element_sum(ELEMENT_FLOAT, vectors, 3, 4, sum);
	ok(sum[0] == 0, "the first two are added first");
	ok(isnan(sum[1]), "NaN stays NaN");
	ok(isnan(sum[2]), "and so is infinity less infinity");
	ok(sum[3] == 0 && signbit(sum[3]), "-0 is not lost");
	element_sum(ELEMENT_FLOAT, vectors, 1, 1, sum);
	ok(sum[0] == 1e8f, "the sum of one vector");
	element_sum(ELEMENT_DOUBLE, doubles, 2, 1, &sum64);
	ok(isinf(sum64), "a double that overflows");
}

static void
check_half_sums(void)
{
	/* 2048, 65504, NaN and -0; 1, 65504, 1 and -0; 1, -65504, 1 and -0 */
	static const uint16_t at_first[] = { 0x6800, 0x7bff, 0x7e01, 0x8000 };
	static const uint16_t then[] = { 0x3c00, 0x7bff, 0x3c00, 0x8000 };
	static const uint16_t at_last[] = { 0x3c00, 0xfbff, 0x3c00, 0x8000 };
	const void *vectors[] = { at_first, then, at_last };
	uint16_t sum[4];

	element_sum(ELEMENT_HALF, vectors, 3, 4, sum);
	is_int(sum[0], 0x6801, "rounded once: 2048 + 1 + 1 is 2050");
	is_int(sum[1], 0x7bff, "what overflows on the way comes back");
	ok((sum[2] & 0x7fff) > 0x7c00, "NaN stays NaN");
	is_int(sum[3], 0x8000, "-0 is not lost");
}

static void
check_integers(void)
{
	const int8_t int8[2] = { INT8_MAX, 1 };
	const int16_t int16[2] = { INT16_MIN, -1 };
	const int32_t int32[2] = { INT32_MAX, INT32_MAX };
	const int64_t int64[2] = { INT64_MIN, INT64_MIN };
	int8_t sum8;
	int16_t sum16;
	int32_t sum32;
	int64_t sum64;

	element_sum(ELEMENT_INT8, (const void *[]){ &int8[0], &int8[1] }, 2, 1,
	    &sum8);
	element_sum(ELEMENT_INT16, (const void *[]){ &int16[0], &int16[1] }, 2,
	    1, &sum16);
	element_sum(ELEMENT_INT32, (const void *[]){ &int32[0], &int32[1] }, 2,
	    1, &sum32);
	element_sum(ELEMENT_INT64, (const void *[]){ &int64[0], &int64[1] }, 2,
	    1, &sum64);
	is_int(sum8, INT8_MIN, "int8 wraps around");
	is_int(sum16, INT16_MAX, "int16");
	is_int(sum32, -2, "int32");
	is_int(sum64, 0, "int64");
}

int
main(void)
{
	check_types();
	check_halves();
	check_lengths();
	check_reals();
	check_half_sums();
	check_integers();
	return tap_done();
}
