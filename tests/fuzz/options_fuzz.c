/*
 * The option parser on any command line: words end at a NUL.  It must end,
 * and what it returns must be a row's key, an argument where the row wants
 * one, or a reason.
 */
#include <string.h>

#include "core/base/options.h"
#include "tests/fuzz/fuzz.h"

enum { WORDS_MAX = 32, KEY_SIZE = OPTIONS_LONG, KEY_WAIT };

static const struct option_row rows[] = {
	{ 'v', "verbose", NULL, "say more" },
	{ 'n', "number", "N", "how many" },
	{ 'q', NULL, NULL, "say less" },
	{ KEY_SIZE, "size", "BYTES", "how large" },
	{ KEY_SIZE, "sizes", "BYTES", NULL },
	{ KEY_WAIT, "wait", "[=SECONDS]", "how long" },
	{ 't', NULL, "[SECONDS]", "how long" },
	{ 0 },
};

static void
check(int key, const struct option_parser *p, const struct error *e)
{
	int i;

	switch (key) {
	case OPTIONS_ERROR:
		require(e->text[0] != '\0');
		break;
	case OPTIONS_END:
		require(p->operand >= 1 && p->operand <= p->argc);
		for (i = 1; i < p->argc; i++)
			require(p->argv[i] != NULL);
		break;
	case 'n':
	case KEY_SIZE:
		require(p->argument != NULL);
		break;
	default:
		require(key == 'v' || key == 'q' || key == 't' ||
		    key == KEY_WAIT);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct option_parser p;
	struct error e = { .text = "" };
	char name[] = "fuzz", *argv[WORDS_MAX + 1];
	char *text, *word;
	int argc = 1, key, steps = 0;

	if (size == 0)
		return 0;
	text = fuzz_text(data, size);
	argv[0] = name;
	/* The first byte chooses how operands are treated. */
	for (word = text + 1; word < text + size && argc < WORDS_MAX;
	     word += strlen(word) + 1)
		argv[argc++] = word;
	argv[argc] = NULL;
	options_init(&p, rows, argc, argv, data[0] & 1);
	do {
		key = options_next(&p, &e);
		check(key, &p, &e);
		require(steps++ < (int)size + WORDS_MAX);
	} while (key >= 0);
	free(text);
	return 0;
}
