/*
 * Converts elements of a vector from text and back.
 */
#include "applets/popdist-env/exchange.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/formats/element.h"
#include "core/base/parse.h"

static const char what[] = "NUMBER";

enum { HALF_MAX = 65504, DIGITS_MAX = 17 }; /* of a double */

/* The largest double that rounds to a finite float: its text has more digits
   than FLT_MAX. */
static const double float_max = 0x1.fffffefffffffp127;

static bool
numbers_are_whole(int type)
{
	return type >= ELEMENT_INT8 && type <= ELEMENT_INT64;
}

static int
read_whole(int type, const char *text, void *element, struct error *e)
{
	const size_t size = element_size(type);
	const long long max = (long long)(INT64_MAX >> (64 - 8 * size));
	long long number;

	if (parse_number(what, text, -max - 1, max, &number, e) != 0)
		return -1;
	/* Low bytes first. */
	memcpy(element, &number, size);
	return 0;
}

int
numbers_read(int type, const char *text, void *element, struct error *e)
{
	const double max = type == ELEMENT_HALF ? HALF_MAX :
	    type == ELEMENT_FLOAT		? float_max :
						  DBL_MAX;
	double value;
	float value32;
	uint16_t half;

	if (numbers_are_whole(type))
		return read_whole(type, text, element, e);
	if (parse_real(what, text, -max, max, &value, e) != 0)
		return -1;
	value32 = (float)value;
	half = element_to_half(value32);
	if (type == ELEMENT_HALF)
		memcpy(element, &half, sizeof(half));
	else if (type == ELEMENT_FLOAT)
		memcpy(element, &value32, sizeof(value32));
	else
		memcpy(element, &value, sizeof(value));
	return 0;
}

static long long
whole_value(int type, const void *element)
{
	const int unused_bits = 64 - 8 * (int)element_size(type);
	uint64_t number = 0;

	memcpy(&number, element, element_size(type));
	/* Extend the sign to an int64. */
	return (int64_t)(number << unused_bits) >> unused_bits;
}

static double
real_value(int type, const void *element)
{
	double value;
	float value32;
	uint16_t half;

	switch (type) {
	case ELEMENT_HALF:
		memcpy(&half, element, sizeof(half));
		return (double)element_from_half(half);
	case ELEMENT_FLOAT:
		memcpy(&value32, element, sizeof(value32));
		return (double)value32;
	default:
		memcpy(&value, element, sizeof(value));
		return value;
	}
}

/* Whether the text identifies this value among all of the type. */
static bool
numbers_is_same(int type, const char *text, double value)
{
	switch (type) {
	case ELEMENT_HALF:
		return element_to_half(strtof(text, NULL)) ==
		    element_to_half((float)value);
	case ELEMENT_FLOAT:
		return (double)strtof(text, NULL) == value;
	default:
		return strtod(text, NULL) == value;
	}
}

void
numbers_format(int type, const void *element, char out[NUMBERS_TEXT_SIZE])
{
	const double exact = 0x1p53; /* limit of exact whole numbers */
	double value;
	int digits;

	if (numbers_are_whole(type)) {
		(void)snprintf(out, NUMBERS_TEXT_SIZE, "%lld",
		    whole_value(type, element));
		return;
	}
	value = real_value(type, element);
	if (isnan(value)) {
		(void)snprintf(out, NUMBERS_TEXT_SIZE, "nan");
		return;
	}
	if (value == trunc(value) && fabs(value) < exact) {
		(void)snprintf(out, NUMBERS_TEXT_SIZE, "%.0f", value);
		return;
	}
	for (digits = 1; digits <= DIGITS_MAX; digits++) {
		(void)snprintf(out, NUMBERS_TEXT_SIZE, "%.*g", digits, value);
		if (numbers_is_same(type, out, value))
			return;
	}
}
