/* core/base/text: characters, and texts as they are shown. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

/* In lines of 80 columns the text comes out as wanted. */
static void
check_wrap(const char *text, int column, int indent, const char *wanted)
{
	struct memstream m;
	char *got;

	text_wrap(memstream_open(&m), text, column, indent);
	got = memstream_close(&m, NULL);
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
	check_wrap("a b", 79, 79,
	    "a\n"
	    "        "
	    "        "
	    "                "
	    "        "
	    "        "
	    "        "
	    "                "
	    "       b");
	/* an option stays with its argument */
	check_wrap("[--size N] [--more M]", 60, 4,
	    "[--size N]\n    [--more M]");
	check_wrap("[-j | -c [-s] [-n]] x", 62, 4,
	    "\n    [-j | -c [-s] [-n]] x");
	/* but not where it is wider than a line */
	check_wrap("[-a bb cc] d]", 74, 72,
	    "[-a bb\n"
	    "        "
	    "                "
	    "        "
	    "        "
	    "        "
	    "                "
	    "        "
	    "cc] d]");
	/* a word wider than a line is not cut; a character is one column */
	check_wrap("abcdefghijk l", 72, 72,
	    "abcdefghijk\n"
	    "                "
	    "        "
	    "        "
	    "        "
	    "                "
	    "        "
	    "        "
	    "l");
	check_wrap("\303\244\303\266 \303\274", 76, 4,
	    "\303\244\303\266 \303\274");
}

/* As RFC 3629 has it: what is shortest, no surrogate, up to U+10FFFF. */
static void
check_characters(void)
{
	static const struct {
		const char *text;
		size_t size;
	} vectors[] = { { "", 1 }, { "a", 1 }, { "\x7f", 1 }, { "\x80", 0 },
		{ "\xbf", 0 }, { "\xc0\x80", 0 },
		{ "\xc1\xbf", 0 }, /* overlong */
		{ "\xc2\x80", 2 }, { "\xc3\xa4", 2 }, { "\xdf\xbf", 2 },
		{ "\xc3", 0 },
		{ "\xc3"
		  "a",
		    0 }, /* cut off */
		{ "\xe0\x9f\xbf", 0 }, { "\xe0\xa0\x80", 3 },
		{ "\xe2\x82\xac", 3 }, { "\xe2\x82", 0 }, { "\xed\x9f\xbf", 3 },
		{ "\xed\xa0\x80", 0 }, /* U+D800 */
		{ "\xee\x80\x80", 3 }, { "\xef\xbf\xbf", 3 },
		{ "\xf0\x8f\xbf\xbf", 0 }, { "\xf0\x90\x80\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 }, { "\xf4\x90\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 }, { "\xff", 0 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++)
		is_int((long long)text_character_size(
			   (const unsigned char *)vectors[i].text),
		    (long long)vectors[i].size, "bytes of a character");
}

static void
check_escapes(void)
{
	static const struct {
		const char *text, *keep, *wanted;
		size_t size;
	} rows[] = { { "a\033[1m\303\244\n", "", "a\\x1b[1m\303\244\\x0a", 64 },
		{ "a\tb\nc\r", "\n\t", "a\tb\nc\\x0d", 64 },
		{ "bell\a, del\177", "\n\t", "bell\\x07, del\\x7f", 64 },
		/* CSI as a byte, and as a character of two bytes. */
		{ "\2331m", "", "\\x9b1m", 64 },
		{ "\302\2331m", "", "\\xc2\\x9b1m", 64 },
		{ "\302\237\302\240", "", "\\xc2\\x9f\302\240", 64 },
		{ "x\377\303", "", "x\\xff\\xc3", 64 },
		{ "\355\240\200", "", "\\xed\\xa0\\x80", 64 },
		{ "\360\237\230\200", "", "\360\237\230\200", 64 },
		{ "\\x1b", "", "\\x1b", 64 },
		/* Cut in front of an escape and of a character. */
		{ "ab\033", "", "ab", 6 }, { "ab\033", "", "ab\\x1b", 7 },
		{ "ab\303\244", "", "ab", 4 }, { "ab", "", "", 1 },
		{ "", "", "", 1 } };
	char out[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		text_escape(rows[i].text, rows[i].keep, out, rows[i].size);
		is_str(out, rows[i].wanted, "escapes");
	}
	text_printable("a\n\t", out, sizeof(out));
	is_str(out, "a\\x0a\\x09", "nothing is kept");
}

static void
check_digits(void)
{
	is_int(text_digits(0), 1, "digits of 0");
	is_int(text_digits(9), 1, "digits of 9");
	is_int(text_digits(10), 2, "digits of 10");
	is_int(text_digits(99), 2, "digits of 99");
	is_int(text_digits(INT_MAX), 10, "digits of 2147483647");
}

/* Lines break by columns, of which such a character takes two. */
static void
test_wide(void)
{
	static const char word[] = "\346\227\245";
	char text[64], wanted[64], *got = NULL;
	size_t size;
	FILE *f = open_memstream(&got, &size);

	(void)snprintf(text, sizeof(text), "%s%s %s %s", word, word, word,
	    word);
	(void)snprintf(wanted, sizeof(wanted), "%s%s %s\n %s", word, word, word,
	    word);
	text_wrap_to(f, 9, text, 0, 1);
	(void)fclose(f);
	is_str(got, wanted, "wide characters");
	free(got);
	got = NULL;
	f = open_memstream(&got, &size);
	text_wrap_to(f, 0, text, 0, 1);
	(void)fclose(f);
	is_str(got, text, "no screen, no lines");
	free(got);
}

static void
test_words(void)
{
	static const char *const words[] = { "a", "bc", NULL };

	ok(text_is_among("bc", words), "one of them");
	ok(!text_is_among("b", words), "only its beginning");
	ok(!text_is_among("a", words + 2), "one of none");
}

int
main(void)
{
	check_characters();
	check_escapes();
	check_digits();
	check_wraps();
	test_wide();
	test_words();
	return tap_done();
}
