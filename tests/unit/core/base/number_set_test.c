/* core/base/number_set: sets, and lists of numbers as Linux writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "tests/unit/tap.h"

/* What a list is when it is printed again. */
static const struct list {
	const char *text;
	const char *wanted; /* NULL: refused */
	int count;
} lists[] = {
	{ "", "", 0 },
	{ "\n", "", 0 },
	{ "0", "0", 1 },
	{ "0\n", "0", 1 },
	{ "0-3,8", "0-3,8", 5 },
	{ "0-3,8\n", "0-3,8", 5 },
	{ "8,0-3", "0-3,8", 5 },
	{ "0,1,2", "0-2", 3 },
	{ "0-3,2-5", "0-5", 6 },
	{ "62-66", "62-66", 5 },
	{ "63,64", "63-64", 2 },
	{ "0,2,4,64,127-128", "0,2,4,64,127-128", 6 },
	{ "8191", "8191", 1 },
	{ "8190-99999999999999999999", "8190-8191", 2 },
	{ "8192", "", 0 },
	{ "00007", "7", 1 },
	{ " ", NULL, 0 },
	{ ",", NULL, 0 },
	{ "1,", NULL, 0 },
	{ ",1", NULL, 0 },
	{ "1,\n", NULL, 0 },
	{ "1,,2", NULL, 0 },
	{ "-1", NULL, 0 },
	{ "1-", NULL, 0 },
	{ "3-1", NULL, 0 },
	{ "1-2-3", NULL, 0 },
	{ "0-31:1/2", NULL, 0 },
	{ "1 2", NULL, 0 },
	{ "1\n\n", NULL, 0 },
	{ "1\n2", NULL, 0 },
	{ "0x1", NULL, 0 },
	{ "all", NULL, 0 },
};

static void
check_lists(void)
{
	const struct list *l;
	struct number_set s = { { 0 } };
	char *got, name[64];

	for (l = lists; l < lists + ARRAY_SIZE(lists); l++) {
		/* A line of the output holds no line's end. */
		(void)snprintf(name, sizeof(name), "list %td: %.*s", l - lists,
		    (int)strcspn(l->text, "\n"), l->text);
		number_set_add(&s, 5);
		is_int(number_set_parse(&s, l->text),
		    l->wanted == NULL ? -1 : 0, name);
		got = number_set_text(&s);
		is_str(got, l->wanted != NULL ? l->wanted : "", name);
		is_int(number_set_count(&s), l->count, name);
		ok(number_set_is_empty(&s) == (l->count == 0), name);
		free(got);
	}
}

/* Numbers that are in no set are passed over, whoever asks. */
static void
check_ends(void)
{
	struct number_set s = { { 0 } };

	number_set_add(&s, -1);
	number_set_add(&s, NUMBER_SET_SIZE);
	ok(number_set_is_empty(&s), "numbers that no set holds");
	ok(!number_set_has(&s, -1), "-1");
	ok(!number_set_has(&s, NUMBER_SET_SIZE), "8192");
	is_int(number_set_next(&s, NUMBER_SET_SIZE), -1, "behind the end");
	number_set_add(&s, NUMBER_SET_SIZE - 1);
	is_int(number_set_next(&s, 0), NUMBER_SET_SIZE - 1, "the last one");
	is_int(number_set_next(&s, NUMBER_SET_SIZE - 1), NUMBER_SET_SIZE - 1,
	    "the last one from itself");
}

int
main(void)
{
	check_lists();
	check_ends();
	return tap_done();
}
