/* core/base/parse: values from text, taken whole or refused. */
#include <limits.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "tests/unit/tap.h"

static void
check_numbers(void)
{
	static const struct {
		const char *text;
		long long min, max;
		long long value;
		const char *error; /* NULL: it is a number */
	} vectors[] = {
		{ "0", 0, 9, 0, NULL },
		{ "9", 0, 9, 9, NULL },
		{ "007", 0, 9, 7, NULL },
		{ "-3", -5, 5, -3, NULL },
		{ "-0", 0, 9, 0, NULL },
		{ "9223372036854775807", 0, LLONG_MAX, LLONG_MAX, NULL },
		{ "-9223372036854775808", LLONG_MIN, 0, LLONG_MIN, NULL },
		{ "10", 0, 9, 0, "--size '10': too large, must be 0 to 9" },
		{ "-1", 0, 9, 0, "--size '-1': too small, must be 0 to 9" },
		{ "9223372036854775808", 0, LLONG_MAX, 0,
		    "--size '9223372036854775808': too large, must be 0 to "
		    "9223372036854775807" },
		{ "", 0, 9, 0, "--size '': not a whole number" },
		{ "-", 0, 9, 0, "--size '-': not a whole number" },
		{ "--1", 0, 9, 0, "--size '--1': not a whole number" },
		{ "+1", 0, 9, 0, "--size '+1': not a whole number" },
		{ " 1", 0, 9, 0, "--size ' 1': not a whole number" },
		{ "1 ", 0, 9, 0, "--size '1 ': not a whole number" },
		{ "- 1", 0, 9, 0, "--size '- 1': not a whole number" },
		{ "1.5", 0, 9, 0, "--size '1.5': not a whole number" },
		{ "0x4", 0, 9, 0, "--size '0x4': not a whole number" },
		{ "4k", 0, 9, 0, "--size '4k': not a whole number" },
	};
	struct error error;
	long long value;
	int status;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		value = -77;
		status = parse_number("--size", vectors[i].text, vectors[i].min,
		    vectors[i].max, &value, &error);
		if (vectors[i].error == NULL) {
			is_int(status, 0, vectors[i].text);
			is_int(value, vectors[i].value, vectors[i].text);
		} else {
			is_int(status, -1, vectors[i].text);
			is_str(error.text, vectors[i].error, "its reason");
		}
	}
	is_int(parse_number("x", "y", 0, 1, &value, NULL), -1,
	    "a reason that nobody wants");
}

static void
check_reals(void)
{
	static const struct {
		const char *text;
		double value;
		const char *error;
	} vectors[] = {
		{ "0.25", 0.25, NULL },
		{ "1e-3", 0.001, NULL },
		{ "-1", -1, NULL },
		{ ".5", 0.5, NULL },
		{ "2", 2, NULL },
		{ "2.0001", 0, "rate '2.0001': too large, must be -1 to 2" },
		{ "-1.5", 0, "rate '-1.5': too small, must be -1 to 2" },
		{ "1e999", 0, "rate '1e999': too large, must be -1 to 2" },
		{ "", 0, "rate '': not a number" },
		{ "nan", 0, "rate 'nan': not a number" },
		{ "inf", 0, "rate 'inf': not a number" },
		{ "0x1", 0, "rate '0x1': not a number" },
		{ " 1", 0, "rate ' 1': not a number" },
		{ "+1", 0, "rate '+1': not a number" },
		{ "1,5", 0, "rate '1,5': not a number" },
		{ "1e", 0, "rate '1e': not a number" },
		{ "-", 0, "rate '-': not a number" },
	};
	struct error error;
	double value;
	size_t i;
	int status;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		status = parse_real("rate", vectors[i].text, -1, 2, &value,
		    &error);
		is_int(status, vectors[i].error == NULL ? 0 : -1,
		    vectors[i].text);
		if (vectors[i].error == NULL)
			ok(value <= vectors[i].value &&
				value >= vectors[i].value,
			    "its value");
		else
			is_str(error.text, vectors[i].error, "its reason");
	}
}

static void
check_durations(void)
{
	static const struct {
		const char *text;
		int64_t ms;
	} vectors[] = { { "1", 1000 }, { "90s", 90000 }, { "15m", 900000 },
		{ "2h", 7200000 }, { "7d", 604800000 },
		{ "3652d", INT64_C(3652) * 86400000 } };
	static const char *const bad[] = { "", "0", "s", "-1", "+1", "1.5h",
		"1w", "1hh", "h1", "3653d", "99999999999999999999",
		"00000000000000000000000000000000001d" };
	int64_t ms;
	struct error error;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		is_int(parse_duration("--ttl", vectors[i].text, &ms, &error), 0,
		    vectors[i].text);
		is_int(ms, vectors[i].ms, "in ms");
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_int(parse_duration("--ttl", bad[i], &ms, &error), -1,
		    bad[i]);
	is_str(error.text,
	    "--ttl '00000000000000000000000000000000001d': must be one second "
	    "to ten years",
	    "the reason");
}

static void
check_bools(void)
{
	static const char *const yes[] = { "yes", "On", "TRUE", "1" };
	static const char *const no[] = { "no", "Off", "FALSE", "0" };
	static const char *const bad[] = { "", "y", "yes ", "2", "nope" };
	bool value;
	struct error error;
	size_t i;

	for (i = 0; i < 4; i++) {
		value = false;
		ok(parse_bool("x", yes[i], &value, &error) == 0 && value,
		    yes[i]);
		value = true;
		ok(parse_bool("x", no[i], &value, &error) == 0 && !value,
		    no[i]);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_int(parse_bool("x", bad[i], &value, &error), -1, bad[i]);
	is_str(error.text,
	    "x 'nope': must be yes or no (on/off, true/false and 1/0 mean the "
	    "same)",
	    "the reason names the words");
}

int
main(void)
{
	check_numbers();
	check_reals();
	check_durations();
	check_bools();
	return tap_done();
}
