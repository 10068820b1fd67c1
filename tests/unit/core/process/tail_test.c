/* The last lines: how many, how much, what was drawn over, what was cut. */
#include "core/process/mux_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const struct {
	const char *text;
	const char *wanted;
} rows[] = {
	{ "one\n", "one\n" },
	{ "one", "one\n" },
	{ "\n", "\n" },
	{ "a\n\nb\n", "a\n\nb\n" },
	{ "10%\r20%\r30%\n", "30%\n" },
	{ "\r10%\r20%", "20%\n" },
	{ "99%\r", "99%\n" },
	{ "a\r\nb\r\n", "a\nb\n" },
	{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
	    "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n" },
	{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n",
	    "2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n" },
	{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11",
	    "2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n" },
};

/* What is left of it, whichever way it came. */
static char *
tail_of(const char *text, size_t size, size_t step)
{
	struct tail t = { .data = NULL };
	size_t i, n, length = 0;
	char *got;

	for (i = 0; i < size; i += n) {
		n = step < size - i ? step : size - i;
		tail_add(&t, text + i, n);
	}
	got = tail_text(&t, &length);
	if (got != NULL)
		is_int((long long)length, (long long)strlen(got), "its size");
	tail_release(&t);
	return got;
}

static void
check(const char *text, size_t size, size_t step, const char *wanted,
    const char *name)
{
	char *got = tail_of(text, size, step);

	is_str(got, wanted, name);
	free(got);
}

/* Lines of 100 bytes fill the bytes before there are ten of them, once long
   ones stand between. */
static void
test_cut(size_t step)
{
	static char text[20000], wanted[TAIL_BYTES + 2];

	memset(text, 'x', sizeof(text));
	memset(wanted, 'x', sizeof(wanted));
	wanted[TAIL_BYTES] = '\n';
	wanted[TAIL_BYTES + 1] = '\0';
	check(text, sizeof(text), step, wanted, "a line that is too long");
	memcpy(text + sizeof(text) - 9, "\none\ntwo\n", 9);
	check(text, sizeof(text), step, "one\ntwo\n",
	    "a line in part is left out");
	text[sizeof(text) - 9] = text[sizeof(text) - 5] = 'x';
	memset(wanted, 'x', TAIL_BYTES);
	memcpy(wanted + TAIL_BYTES - 9, "xonextwo\n", 10);
	check(text, sizeof(text), step, wanted,
	    "but where there is no whole one");
}

int
main(void)
{
	static const size_t steps[] = { 1, 7, 4095, 4096, 4097, 20000 };
	struct tail empty = { .data = NULL };
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		check(rows[i].text, strlen(rows[i].text), 1, rows[i].wanted,
		    "byte by byte");
		check(rows[i].text, strlen(rows[i].text), 100, rows[i].wanted,
		    "at once");
	}
	for (i = 0; i < ARRAY_SIZE(steps); i++)
		test_cut(steps[i]);
	ok(tail_text(&empty, &size) == NULL, "nothing was written");
	return tap_done();
}
