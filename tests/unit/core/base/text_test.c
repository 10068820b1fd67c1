/* core/base/text: numbers, words, names, whole files. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/base/file.h"
#include "core/base/name.h"
#include "core/base/parse.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

static void
check_base_names(void)
{
	is_str(path_base_name("/usr/bin/vipu"), "vipu", "base name of a path");
	is_str(path_base_name("vipu"), "vipu", "base name of a name");
	is_str(path_base_name("/"), "", "base name of the root");
	is_str(path_base_name(""), "", "base name of nothing");
}

static void
check_numbers(void)
{
	static const struct {
		const char	*text;
		long long	 min, max;
		long long	 value;
		const char	*error;		/* NULL: it is a number */
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
	struct error	error;
	long long	value;
	int		status;
	size_t		i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		value = -77;
		status = parse_number("--size", vectors[i].text,
		    vectors[i].min, vectors[i].max, &value, &error);
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
check_directories(void)
{
	static const char *const vectors[][2] = {
		{ "file", "." }, { "/file", "/" }, { "a/file", "a" },
		{ "/a/b/file", "/a/b" }, { "a/", "a" }, { "", "." }
	};
	size_t	 i;
	char	*directory;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		directory = path_directory_name(vectors[i][0]);
		is_str(directory, vectors[i][1], "the folder of a path");
		free(directory);
	}
}

static void
check_reals(void)
{
	static const struct {
		const char	*text;
		double		 value;
		const char	*error;
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
		{ "-", 0, "rate '-': not a number" }
	};
	struct error	error;
	double		value;
	size_t		i;
	int		status;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		status = parse_real("rate", vectors[i].text, -1, 2, &value,
		    &error);
		is_int(status, vectors[i].error == NULL ? 0 : -1,
		    vectors[i].text);
		if (vectors[i].error == NULL)
			ok(value <= vectors[i].value &&
			    value >= vectors[i].value, "its value");
		else
			is_str(error.text, vectors[i].error, "its reason");
	}
}

static void
check_durations(void)
{
	static const struct { const char *text; int64_t ms; } vectors[] = {
		{ "1", 1000 }, { "90s", 90000 }, { "15m", 900000 },
		{ "2h", 7200000 }, { "7d", 604800000 },
		{ "3652d", INT64_C(3652) * 86400000 }
	};
	static const char *const bad[] = {
		"", "0", "s", "-1", "+1", "1.5h", "1w", "1hh", "h1", "3653d",
		"99999999999999999999", "00000000000000000000000000000000001d"
	};
	int64_t		ms;
	struct error	error;
	size_t		i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		is_int(parse_duration("--ttl", vectors[i].text, &ms, &error),
		    0, vectors[i].text);
		is_int(ms, vectors[i].ms, "in ms");
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_int(parse_duration("--ttl", bad[i], &ms, &error), -1,
		    bad[i]);
	is_str(error.text, "--ttl '00000000000000000000000000000000001d': "
	    "must be one second to ten years", "the reason");
}

static void
check_bools(void)
{
	static const char *const yes[] = { "yes", "On", "TRUE", "1" };
	static const char *const no[] = { "no", "Off", "FALSE", "0" };
	static const char *const bad[] = { "", "y", "yes ", "2", "nope" };
	bool		value;
	struct error	error;
	size_t		i;

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
	is_str(error.text, "x 'nope': must be yes or no (on/off, true/false "
	    "and 1/0 mean the same)", "the reason names the words");
}

static void
check_powers(void)
{
	ok(!bits_is_power_of_two(0), "0 is no power of two");
	ok(bits_is_power_of_two(1), "1 is one");
	ok(bits_is_power_of_two(64), "64 is one");
	ok(!bits_is_power_of_two(65), "65 is none");
	ok(bits_is_power_of_two(1UL << 63), "2^63 is one");
	ok(!bits_is_power_of_two(ULONG_MAX), "2^64 - 1 is none");
}

static void
check_names(void)
{
	static const char *const good[] = {
		"a", "7", "p-1_x.y", "A0", "partition"
	};
	static const char *const bad[] = {
		"", ".", "..", ".hidden", "-x", "_x", "a/b", "a b", "a\n",
		"../../etc/passwd", "\303\244", "a\033[1m"
	};
	char		name[NAME_LENGTH_MAX + 2];
	struct error	error;
	size_t		i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		is_int(name_check("partition", good[i], &error), 0, good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_int(name_check("partition", bad[i], &error), -1, "refused");
	memset(name, 'n', sizeof(name));
	name[NAME_LENGTH_MAX] = '\0';
	is_int(name_check("partition", name, &error), 0, "63 characters");
	name[NAME_LENGTH_MAX] = 'n';
	name[NAME_LENGTH_MAX + 1] = '\0';
	is_int(name_check("partition", name, &error), -1, "64 characters");
	is_str(error.text, "partition name 'nnnnnnnnnnnnnnnnnnnn...': 64 "
	    "characters, the limit is 63", "the reason says the limit");
	is_int(error.code, ERROR_INVALID, "as its code does");
}

/* A name is taken whole or not at all. */
static void
check_parsed_names(void)
{
	char		name[NAME_LENGTH_MAX + 1] = "before";
	char		text[NAME_LENGTH_MAX + 2];
	struct error	error;

	memset(text, 'n', sizeof(text));
	text[NAME_LENGTH_MAX + 1] = '\0';
	is_int(name_parse("partition", text, name, &error), -1, "too long");
	is_str(name, "before", "is not cut");
	text[NAME_LENGTH_MAX] = '\0';
	is_int(name_parse("partition", text, name, &error), 0, "the longest");
	is_str(name, text, "is whole");
}

/* A file of `size` bytes 'x', and one NUL in its middle. */
static void
write_file(const char *path, size_t size)
{
	FILE	*out = fopen(path, "w");
	size_t	 i;

	for (i = 0; out != NULL && i < size; i++)
		fputc(i == size / 2 ? '\0' : 'x', out);
	if (out == NULL || fclose(out) != 0)
		perror(path);
}

static void
check_file(size_t file_size, size_t limit, bool readable)
{
	char		 name[64], *text;
	size_t		 size = 0;
	struct error	 error;

	(void)snprintf(name, sizeof(name), "%zu bytes, limit %zu", file_size,
	    limit);
	write_file("file", file_size);
	text = file_read("file", limit, &size, &error);
	ok((text != NULL) == readable, name);
	if (text != NULL) {
		is_int((long long)size, (long long)file_size, "its size");
		ok(text[size] == '\0', "a NUL behind it");
		ok(size == 0 || text[size / 2] == '\0', "a NUL within it");
	} else {
		is_int(error.code, ERROR_INVALID, "a file too large");
		is_str(error.text, "cannot read file: File too large",
		    "the reason");
	}
	free(text);
}

static void
check_files(void)
{
	struct error	error;
	size_t		size;

	check_file(0, 0, true);
	check_file(1, 0, false);
	check_file(100, 100, true);
	check_file(101, 100, false);
	check_file(4094, 8192, true);
	check_file(4095, 8192, true);
	check_file(4096, 8192, true);
	check_file(100000, 100000, true);
	check_file(100001, 100000, false);
	ok(file_read("none", 9, &size, &error) == NULL, "a file that is none");
	is_str(error.text, "cannot open none: No such file or directory",
	    "its reason");
	is_int(error.code, ERROR_NOT_FOUND, "its code");
	ok(file_read(".", 9, &size, &error) == NULL, "a folder");
	is_str(error.text, "cannot read .: Is a directory", "its reason");
	ok(file_read("/dev/null", 9, &size, &error) == NULL, "a device");
	is_int(error.code, ERROR_INVALID, "its code");
	is_str(error.text, "cannot read /dev/null: Invalid argument",
	    "its reason");
}

/* In lines of 80 columns the text comes out as wanted. */
static void
check_wrap(const char *text, int column, int indent, const char *wanted)
{
	char	*got = NULL;
	size_t	 size = 0;
	FILE	*out = open_memstream(&got, &size);

	if (out == NULL)
		abort();
	text_wrap(out, text, column, indent);
	(void)fclose(out);
	is_str(got, wanted, text);
	free(got);
}

static void
check_wraps(void)
{
	check_wrap("", 10, 10, "");
	check_wrap("a  b\n  c", 10, 10, "a  b\n  c");
	/* the 80th column is used, the 81st is not */
	check_wrap("ab cd", 75, 70, "ab cd");
	check_wrap("ab cd", 76, 4, "ab\n    cd");
	check_wrap("ab cd", 79, 2, "\n  ab cd");
	check_wrap("a b", 79, 79, "a\n" "        " "        " "        "
	    "        " "        " "        " "        " "        "
	    "        " "       b");
	/* an option stays with its argument */
	check_wrap("[--size N] [--more M]", 60, 4,
	    "[--size N]\n    [--more M]");
	check_wrap("[-j | -c [-s] [-n]] x", 62, 4,
	    "\n    [-j | -c [-s] [-n]] x");
	/* but not where it is wider than a line */
	check_wrap("[-a bb cc] d]", 74, 72, "[-a bb\n" "        " "        "
	    "        " "        " "        " "        " "        "
	    "        " "        " "cc] d]");
	/* a word wider than a line is not cut; a character is one column */
	check_wrap("abcdefghijk l", 72, 72, "abcdefghijk\n" "        "
	    "        " "        " "        " "        " "        "
	    "        " "        " "        " "l");
	check_wrap("\303\244\303\266 \303\274", 76, 4,
	    "\303\244\303\266 \303\274");
}

int
main(void)
{
	check_wraps();
	check_base_names();
	check_numbers();
	check_directories();
	check_reals();
	check_durations();
	check_bools();
	check_powers();
	check_names();
	check_parsed_names();
	check_files();
	return tap_done();
}
