/* applets/popdist-env/numbers: elements as text, and the same ones back. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "applets/popdist-env/exchange.h"
#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "tests/unit/tap.h"

static void
check_texts(void)
{
	static const struct {
		int type;
		const char *text, *wanted;
	} rows[] = {
		{ ELEMENT_DOUBLE, "0", "0" },
		{ ELEMENT_DOUBLE, "-0", "-0" },
		{ ELEMENT_DOUBLE, "3.50", "3.5" },
		{ ELEMENT_DOUBLE, "1e6", "1000000" },
		{ ELEMENT_DOUBLE, "9007199254740991", "9007199254740991" },
		{ ELEMENT_DOUBLE, "9007199254740993", "9007199254740992" },
		{ ELEMENT_DOUBLE, "1e100", "1e+100" },
		{ ELEMENT_DOUBLE, "0.30000000000000004",
		    "0.30000000000000004" },
		{ ELEMENT_DOUBLE, "5e-324", "5e-324" },
		{ ELEMENT_FLOAT, "0.1", "0.1" },
		{ ELEMENT_FLOAT, "16777217", "16777216" },
		{ ELEMENT_HALF, "0.1", "0.1" },
		{ ELEMENT_HALF, "2049", "2048" },
		{ ELEMENT_INT8, "-128", "-128" },
		{ ELEMENT_INT16, "-1", "-1" },
		{ ELEMENT_INT32, "2147483647", "2147483647" },
		{ ELEMENT_INT64, "-9223372036854775808",
		    "-9223372036854775808" },
	};
	char text[NUMBERS_TEXT_SIZE];
	unsigned char element[sizeof(double)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(numbers_read(rows[i].type, rows[i].text, element, NULL),
		    0, rows[i].text);
		numbers_format(rows[i].type, element, text);
		is_str(text, rows[i].wanted, element_name(rows[i].type));
	}
	is_int(numbers_read(ELEMENT_INT16, "32768", element, NULL), -1,
	    "one too many");
	is_int(numbers_read(ELEMENT_INT16, "-32769", element, NULL), -1,
	    "one too few");
	is_int(numbers_read(ELEMENT_INT32, "1.5", element, NULL), -1,
	    "not a whole number");
	is_int(numbers_read(ELEMENT_FLOAT, "4e38", element, NULL), -1,
	    "more than a float holds");
}

/* Finite values come back; the others have words. */
static bool
comes_back(int type, const void *element)
{
	char text[NUMBERS_TEXT_SIZE];
	unsigned char again[sizeof(double)];

	numbers_format(type, element, text);
	return numbers_read(type, text, again, NULL) == 0 &&
	    memcmp(element, again, element_size(type)) == 0;
}

static void
check_halves(void)
{
	const uint16_t infinity = 0xfc00, nan = 0x7e00;
	char text[NUMBERS_TEXT_SIZE];
	int wrong = 0, i;
	uint16_t half;

	for (i = 0; i <= UINT16_MAX; i += 13) {
		half = (uint16_t)i;
		if ((half & 0x7c00) != 0x7c00)
			wrong += !comes_back(ELEMENT_HALF, &half);
	}
	is_int(wrong, 0, "halves of all magnitudes");
	numbers_format(ELEMENT_HALF, &infinity, text);
	is_str(text, "-inf", "infinity");
	numbers_format(ELEMENT_HALF, &nan, text);
	is_str(text, "nan", "not a number");
}

static void
check_reals(void)
{
	int wrong = 0, i;
	uint64_t bits;
	double value;
	float value32;

	for (i = 0; i < 3000; i++) {
		bits = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^
		    (uint64_t)random();
		memcpy(&value, &bits, sizeof(value));
		memcpy(&value32, &bits, sizeof(value32));
		if (isfinite(value))
			wrong += !comes_back(ELEMENT_DOUBLE, &value);
		if (isfinite(value32))
			wrong += !comes_back(ELEMENT_FLOAT, &value32);
	}
	is_int(wrong, 0, "doubles and floats of all magnitudes");
	value = DBL_MAX;
	value32 = -FLT_MAX;
	ok(comes_back(ELEMENT_DOUBLE, &value) &&
		comes_back(ELEMENT_FLOAT, &value32),
	    "the largest");
}

int
main(void)
{
	check_texts();
	check_halves();
	check_reals();
	return tap_done();
}
