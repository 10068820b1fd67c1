/*
 * Terminals: their width, what is coloured, and texts in columns.
 */
#include "core/base/terminal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

static void
test_columns(void)
{
	const struct winsize size = { .ws_row = 24, .ws_col = 101 };
	int fds[2], nothing = open("/dev/null", O_RDWR);

	if (nothing == -1 || pty_open(fds, &size) != 0)
		abort();
	(void)unsetenv("COLUMNS");
	is_int(terminal_columns(fds[1]), 101, "what the terminal says");
	is_int(terminal_columns(nothing), 0, "none");
	is_int(terminal_columns(-1), 0, "of no file either");
	is_int(terminal_columns_watched(fds[1]), 101, "watched: the same");
	is_int(terminal_columns_watched(nothing), 0, "and none");
	(void)setenv("COLUMNS", "90", 1);
	is_int(terminal_columns(fds[1]), 90, "COLUMNS comes first");
	is_int(terminal_columns(nothing), 0, "but not where scripts read");
	is_int(terminal_columns_watched(nothing), 90,
	    "unless they are watched");
	(void)setenv("COLUMNS", "wide", 1);
	is_int(terminal_columns(fds[1]), 101, "a word is not a width");
	(void)setenv("COLUMNS", "0", 1);
	is_int(terminal_columns(fds[1]), 101, "nor is 0");
	(void)unsetenv("COLUMNS");
	pty_set_size(fds[0], &(const struct winsize){ .ws_row = 0 });
	is_int(terminal_columns(fds[1]), 80, "one that does not know");
	(void)close(fds[0]);
	(void)close(fds[1]);
	(void)close(nothing);
}

static void
test_colour(void)
{
	enum terminal_colour colour = TERMINAL_AUTO;
	struct error e;
	int fds[2], nothing = open("/dev/null", O_RDWR);

	if (nothing == -1 || pty_open(fds, NULL) != 0)
		abort();
	(void)unsetenv("NO_COLOR");
	(void)setenv("TERM", "xterm", 1);
	ok(terminal_has_colour(fds[1], TERMINAL_AUTO), "a terminal has");
	ok(!terminal_has_colour(fds[1], TERMINAL_NEVER), "unless never");
	ok(!terminal_has_colour(nothing, TERMINAL_AUTO), "a file has not");
	ok(terminal_has_colour(nothing, TERMINAL_ALWAYS), "unless always");
	(void)setenv("NO_COLOR", "", 1);
	ok(terminal_has_colour(fds[1], TERMINAL_AUTO), "NO_COLOR is empty");
	(void)setenv("NO_COLOR", "0", 1);
	ok(!terminal_has_colour(fds[1], TERMINAL_AUTO), "NO_COLOR is set");
	ok(terminal_has_colour(fds[1], TERMINAL_ALWAYS), "always, though");
	(void)unsetenv("NO_COLOR");
	(void)setenv("TERM", "dumb", 1);
	ok(!terminal_has_colour(fds[1], TERMINAL_AUTO), "a dumb terminal");
	(void)unsetenv("TERM");
	ok(!terminal_has_colour(fds[1], TERMINAL_AUTO), "an unknown one");
	is_int(terminal_colour_parse("--color", "always", &colour, &e), 0,
	    "a word");
	is_int(colour, TERMINAL_ALWAYS, "that one");
	is_int(terminal_colour_parse("--color", "never", &colour, &e), 0,
	    "another");
	is_int(colour, TERMINAL_NEVER, "and that one");
	is_int(terminal_colour_parse("--color", "alway", &colour, &e), -1,
	    "refused");
	is_str(e.text,
	    "--color 'alway': must be auto, always or never (did you mean "
	    "always?)",
	    "and named");
	(void)close(fds[0]);
	(void)close(fds[1]);
	(void)close(nothing);
}

static void
test_tones(void)
{
	is_str(terminal_begin(TONE_BAD, true), "\033[31m", "red");
	is_str(terminal_end(TONE_BAD, true), "\033[0m", "and no longer");
	is_str(terminal_begin(TONE_BAD, false), "", "without colour");
	is_str(terminal_end(TONE_BAD, false), "", "nor an end of it");
	is_str(terminal_begin(TONE_PLAIN, true), "", "plain");
	is_str(terminal_end(TONE_PLAIN, true), "", "stays plain");
}

static const struct {
	const char *text;
	int width;
	int columns;
	size_t size;
	const char *end;
	const char *start;
} texts[] = {
	{ "", 0, 4, 64, "", "" },
	{ "abcd", 4, 4, 64, "abcd", "abcd" },
	{ "abcde", 5, 4, 64, "a...", "...e" },
	{ "gc-hosttraffictest", 18, 13, 64, "gc-hosttra...", "...raffictest" },
	{ "RINGSWNC", 8, 7, 64, "RING...", "...SWNC" },
	{ "abcde", 5, 3, 64, "...", "..." },
	{ "abcde", 5, 2, 64, "..", ".." },
	{ "abcde", 5, 0, 64, "", "" },
	{ "abcde", 5, -1, 64, "", "" },
	/* A small buffer cuts as few columns do, and a byte is the NUL's. */
	{ "abcde", 5, 80, 6, "abcde", "abcde" },
	{ "abcde", 5, 80, 5, "a...", "...e" },
	{ "abcde", 5, 80, 4, "...", "..." },
	{ "abcde", 5, 80, 1, "", "" },
	/* Two bytes, one column: never half of one. */
	{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5, 4, 64, "\xc3\xa9...",
	    "...\xc3\xa9" },
	{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5, 5, 8,
	    "\xc3\xa9\xc3\xa9...", "...\xc3\xa9\xc3\xa9" },
	/* Three bytes, two columns: half of one is left out. */
	{ "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 6, 5, 64, "\xe6\x97\xa5...",
	    "...\xe8\xaa\x9e" },
	{ "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 6, 4, 64, "...", "..." },
	{ "\xf0\x9f\x98\x80", 2, 2, 64, "\xf0\x9f\x98\x80",
	    "\xf0\x9f\x98\x80" },
	/* An accent that joins the letter before it. */
	{ "e\xcc\x81g", 2, 2, 64, "e\xcc\x81g", "e\xcc\x81g" },
	{ "e\xcc\x81"
	  "bcde",
	    5, 4, 64, "e\xcc\x81...", "...e" },
	/* What is not UTF-8 takes a column a byte. */
	{ "\xff\xfe"
	  "ab",
	    4, 4, 64,
	    "\xff\xfe"
	    "ab",
	    "\xff\xfe"
	    "ab" },
	{ "\xff\xfe"
	  "abc",
	    5, 4, 64, "\xff...", "...c" },
};

static void
test_texts(void)
{
	char out[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		is_int(terminal_width(texts[i].text), texts[i].width,
		    texts[i].text);
		terminal_cut_end(out, texts[i].size, texts[i].text,
		    texts[i].columns);
		is_str(out, texts[i].end, "its beginning");
		terminal_cut_start(out, texts[i].size, texts[i].text,
		    texts[i].columns);
		is_str(out, texts[i].start, "its end");
	}
	out[0] = 'x';
	terminal_cut_end(out, 0, "abc", 2);
	terminal_cut_start(out, 0, "abc", 2);
	is_int(out[0], 'x', "no room at all");
}

int
main(void)
{
	test_columns();
	test_colour();
	test_tones();
	test_texts();
	return tap_done();
}
