/*
 * Formats of tags: what each word becomes, times at places of the world, what
 * is refused and where, the longest tags, and their columns.
 */
#include "core/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* 2026-11-22 23:59:59.250 in Greenwich. */
static const int64_t moment_ms = 1795391999250;

static const struct tag_values values = { .instance = 12,
	.local_index = 3,
	.restarts = 2,
	.host = "pod4",
	.stream = "stderr" };

static const struct {
	const char *format, *wanted;
	int tick_ms;
} tags[] = {
	{ TAG_FORMAT_DEFAULT, "[1,12]<stderr>:", 0 },
	{ "", "", 0 },
	{ "%i", "12", 0 },
	{ "%l", "3", 0 },
	{ "%h", "pod4", 0 },
	{ "%s", "stderr", 0 },
	{ "%r", "2", 0 },
	{ "%%", "%", 0 },
	{ "%%t%%T", "%t%T", 0 },
	{ "%%%i%%", "%12%", 0 },
	{ "[1,%i@%h]<%s>:", "[1,12@pod4]<stderr>:", 0 },
	{ "%t", "23:59:59", 1000 },
	{ "%t [%i]: ", "23:59:59 [12]: ", 1000 },
	{ "%T", "2026-11-22T23:59:59.250+00:00", 1 },
	{ TAG_FORMAT_TIMESTAMP,
	    "Sun Nov 22 23:59:59 2026[1,12]<stderr>:", 1000 },
	{ "%t%T%t", "23:59:592026-11-22T23:59:59.250+00:0023:59:59", 1 },
	{ "no word | ", "no word | ", 0 },
	{ "\xc3\xa9%i\xe2\x86\x92 ",
	    "\xc3\xa9"
	    "12\xe2\x86\x92 ",
	    0 },
};

static void
test_tags(void)
{
	char tag[TAG_FORMAT_SIZE];
	struct error e = { .text = "" };
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		is_int(tag_format_check("--tag-format", tags[i].format, &e), 0,
		    tags[i].format);
		size = tag_format_expand(tags[i].format, &values, moment_ms,
		    tag);
		is_str(tag, tags[i].wanted, "what it becomes");
		is_int((long long)size, (long long)strlen(tag), "its bytes");
		is_int(tag_format_tick_ms(tags[i].format), tags[i].tick_ms,
		    "how long it stays");
	}
	is_str(e.text, "", "none is refused");
}

/* The parts of a format that was not checked that have no meaning stay. */
static void
test_unchecked(void)
{
	char tag[TAG_FORMAT_SIZE], format[2 * TAG_FORMAT_SIZE];

	(void)tag_format_expand("50%", &values, 0, tag);
	is_str(tag, "50%", "a percent sign at the end");
	is_int(tag_format_tick_ms("50%"), 0, "is no time");
	memset(format, 'x', sizeof(format));
	format[sizeof(format) - 1] = '\0';
	is_int((long long)tag_format_expand(format, &values, 0, tag),
	    TAG_FORMAT_MAX, "too long a one is cut");
	memcpy(format + TAG_FORMAT_MAX - 3, "%T", 2);
	is_int((long long)tag_format_expand(format, &values, 0, tag),
	    TAG_FORMAT_MAX, "in the midst of a word as well");
	is_int((long long)strlen(tag), TAG_FORMAT_MAX, "with its end");
}

static const struct {
	const char *zone, *wanted;
} zones[] = {
	{ "UTC0", "23:59:59 2026-11-22T23:59:59.250+00:00" },
	{ "IST-5:30", "05:29:59 2026-11-23T05:29:59.250+05:30" },
	{ "NST3:30", "20:29:59 2026-11-22T20:29:59.250-03:30" },
};

static void
test_zones(void)
{
	char tag[TAG_FORMAT_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(zones); i++) {
		if (setenv("TZ", zones[i].zone, 1) != 0)
			abort();
		tzset();
		(void)tag_format_expand("%t %T", &values, moment_ms, tag);
		is_str(tag, zones[i].wanted, zones[i].zone);
	}
	if (setenv("TZ", "UTC0", 1) != 0)
		abort();
	tzset();
	(void)tag_format_expand("%T", &values, 7, tag);
	is_str(tag, "1970-01-01T00:00:00.007+00:00", "milliseconds");
	(void)tag_format_expand("%t", &values, INT64_MAX, tag);
	is_int((long long)strlen(tag), 8, "at the end of all times");
}

#define BAD_WORD(shown, word, n) \
	"--tag-format '" shown "': '" word "' at character " n \
	" stands for nothing; use %i, %l, %h, %s, %t, %T, %c " \
	"or %r, or write %% for a percent sign"
#define BAD_BYTE(shown, n) \
	"--tag-format '" shown "': character " n \
	" is a control character or not UTF-8, which a terminal may take for " \
	"a command; leave it out"
#define BAD_END(shown, n) \
	"--tag-format '" shown "': character " n \
	", a percent sign, has nothing after it; write %% for a percent " \
	"sign"

static const struct {
	const char *format, *wanted;
} refused[] = {
	{ "%x", BAD_WORD("%x", "%x", "1") },
	{ "%I", BAD_WORD("%I", "%I", "1") },
	{ "%5i", BAD_WORD("%5i", "%5", "1") },
	{ "[%i%", BAD_END("[%i%", "4") },
	{ "%%%", BAD_END("%%%", "3") },
	{ "%i%%\xc3\xa9%d", BAD_WORD("%i%%\xc3\xa9%d", "%d", "6") },
	{ "%\xc3\xa9", BAD_WORD("%\xc3\xa9", "%\xc3\xa9", "1") },
	{ "%\xff", BAD_WORD("%\\xff", "%\\xff", "1") },
	{ "%\n", BAD_WORD("%\\x0a", "%\\x0a", "1") },
	{ "%i\t", BAD_BYTE("%i\\x09", "3") },
	{ "a\nb", BAD_BYTE("a\\x0ab", "2") },
	{ "\r", BAD_BYTE("\\x0d", "1") },
	{ "\033[31m%i", BAD_BYTE("\\x1b[31m%i", "1") },
	{ "\x7f", BAD_BYTE("\\x7f", "1") },
	{ "ab\xc2\x9b", BAD_BYTE("ab\\xc2\\x9b", "3") },
	{ "ab\x9b", BAD_BYTE("ab\\x9b", "3") },
	{ "\xc3", BAD_BYTE("\\xc3", "1") },
};

static void
test_refused(void)
{
	char format[160], wanted[400];
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		e.text[0] = '\0';
		is_int(tag_format_check("--tag-format", refused[i].format, &e),
		    -1, "is refused");
		is_str(e.text, refused[i].wanted, "in these words");
	}
	memset(format, 'x', sizeof(format));
	(void)snprintf(format + 150, sizeof(format) - 150, "%%q");
	(void)snprintf(wanted, sizeof(wanted),
	    "--tag-format '%.100s': '%%q' at character 151 stands for nothing; "
	    "use %%i, %%l, %%h, %%s, %%t, %%T, %%c or %%r, or write %%%% for a "
	    "percent sign",
	    format);
	is_int(tag_format_check("--tag-format", format, &e), -1, "a long one");
	is_str(e.text, wanted, "is not shown whole");
}

/* The longest values are those that the check counts. */
static void
test_longest(void)
{
	static const char too_long[] =
	    "--tag-format: from character 11 on, a tag could be longer than "
	    "512 bytes, because a host name has up to 253; write a shorter "
	    "format";
	char host[400], tag[TAG_FORMAT_SIZE];
	struct tag_values longest = { .instance = 2147483647,
		.local_index = 2147483647,
		.restarts = 2147483647,
		.host = host,
		.stream = "stdout" };
	struct error e = { .text = "" };

	memset(host, 'h', sizeof(host));
	host[TAG_FORMAT_HOST_MAX] = '\0';
	is_int(tag_format_check("--tag-format", "%h%h%s", &e), 0, "512 bytes");
	is_int((long long)tag_format_expand("%h%h%s", &longest, 0, tag),
	    TAG_FORMAT_MAX, "which they are");
	is_int(tag_format_check("--tag-format", "%h%s%h%i", &e), -1, "not 522");
	is_int(tag_format_check("--tag-format", "\xc3\xa9%h%h%i%%", &e), -1,
	    "and not 519");
	is_int(tag_format_check("--tag-format", "%h%s%%%%%i%h.", &e), -1,
	    "524");
	is_str(e.text, too_long, "in these words");
	is_int((long long)tag_format_expand("%i%l%r", &longest, 0, tag), 30,
	    "numbers");
	is_int((long long)tag_format_expand("%t%T", &longest, 0, tag), 37,
	    "times");
	memset(host, 'h', sizeof(host));
	host[sizeof(host) - 1] = '\0';
	is_int((long long)tag_format_expand("%h", &longest, 0, tag),
	    TAG_FORMAT_HOST_MAX, "a longer name is cut");
	longest.host = "a\033b";
	(void)tag_format_expand("%h", &longest, 0, tag);
	is_str(tag, "a\\x1bb", "an odd one is escaped");
}

static void
test_columns(void)
{
	is_int(tag_format_columns("", &values), 0, "no tag");
	is_int(tag_format_columns(TAG_FORMAT_DEFAULT, &values), 15,
	    "the usual one");
	is_int(tag_format_columns("%t %T ", &values), 8 + 1 + 29 + 1, "times");
	is_int(tag_format_columns("\xc3\xa9%h\xe6\x97\xa5", &values), 1 + 4 + 2,
	    "characters, narrow and wide");
}

int
main(void)
{
	if (setenv("TZ", "UTC0", 1) != 0)
		abort();
	tzset();
	test_tags();
	test_unchecked();
	test_zones();
	test_refused();
	test_longest();
	test_columns();
	return tap_done();
}
