/*
 * Stored command lines: whatever bytes words hold, they come back; what cannot
 * be read is refused with its line.
 */
#include "applets/poprun/poprun.h"

#include <bsd/stdlib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { ROUNDS = 2000, WORDS = 5, WORD_MAX = 12 };

/* Any bytes but NUL, those with a meaning in the file more often. */
static void
random_word(char *word)
{
	static const char special[] = " \t\n\r\"'\\#[]=x\x80\xc3\xa9";
	size_t length = arc4random_uniform(WORD_MAX), i;

	for (i = 0; i < length; i++)
		word[i] = arc4random_uniform(2) == 0 ?
		    special[arc4random_uniform(sizeof(special) - 1)] :
		    (char)(1 + arc4random_uniform(255));
	word[length] = '\0';
}

/* Write, read, write: the same words and the same bytes. */
static bool
survives(const struct stored_command *c)
{
	struct stored_command again;
	struct error e = { .text = "" };
	char *first, *second = NULL;
	size_t first_size, second_size = 0, i;
	bool same;

	config_file_init(&again);
	first = config_file_text(c, &first_size);
	same = config_file_parse(&again, "f", first, first_size, &e) == 0 &&
	    again.count == c->count && again.program.count == c->program.count;
	for (i = 0; same && i < c->count; i++)
		same = strcmp(again.options[i].value, c->options[i].value) == 0;
	for (i = 0; same && i < c->program.count; i++)
		same = strcmp(again.program.items[i], c->program.items[i]) == 0;
	if (same)
		second = config_file_text(&again, &second_size);
	same = same && first_size == second_size &&
	    memcmp(first, second, first_size) == 0;
	if (!same)
		printf("# %s\n# %s\n", e.text, first);
	free(first);
	free(second);
	config_file_release(&again);
	return same;
}

static void
test_round_trip(void)
{
	struct stored_command c;
	char word[WORD_MAX + 1];
	int round, i, lost = 0;

	for (round = 0; round < ROUNDS; round++) {
		config_file_init(&c);
		for (i = 0; i < WORDS; i++) {
			random_word(word);
			config_file_add(&c, "mpi-global-args", word, 0);
			random_word(word);
			strvec_add(&c.program, word);
		}
		lost += survives(&c) ? 0 : 1;
		config_file_release(&c);
	}
	is_int(lost, 0, "all words come back");
}

static const struct {
	const char *text;
	const char *reason;
} refused[] = {
	{ "num-replicas\n", "f:1: must be OPTION = VALUE" },
	{ "\n# c\n[other]\n",
	    "f:3: unknown section; the only one is [program]" },
	{ "[program]\na\n[program]\n", "f:3: section [program] appears twice" },
	{ "a = \"b\n", "f:1: the closing quote is missing" },
	{ "a = \"b\" c\n", "f:1: text follows the closing quote" },
	{ "a = \"\\q\"\n",
	    "f:1: a backslash must be followed by n, t, \\, \" or xNN (not "
	    "x00)" },
	{ "a = \"\\x00\"\n",
	    "f:1: a backslash must be followed by n, t, \\, \" or xNN (not "
	    "x00)" },
	{ "a = \"\\x4",
	    "f:1: a backslash must be followed by n, t, \\, \" or xNN (not "
	    "x00)" },
};

static void
test_refused(void)
{
	struct stored_command c;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		config_file_init(&c);
		is_int(config_file_parse(&c, "f", refused[i].text,
			   strlen(refused[i].text), &e),
		    -1, refused[i].text);
		is_str(e.text, refused[i].reason, refused[i].text);
		config_file_release(&c);
	}
	config_file_init(&c);
	is_int(config_file_parse(&c, "f", "a = b\0c", 7, &e), -1, "NUL");
	is_str(e.text,
	    "f: contains a NUL byte, which a command line cannot hold", "NUL");
	config_file_release(&c);
}

static void
test_by_hand(void)
{
	static const char text[] =
	    "num-replicas=4\n"
	    "  host = pod[1-4]   \r\n# a comment\nmpi-global-args = \" a \"\n"
	    "[program]\npython3\n  train.py\n\"#x\"\n";
	struct stored_command c;

	config_file_init(&c);
	is_int(config_file_parse(&c, "f", text, sizeof(text) - 1, NULL), 0,
	    "written by hand");
	is_int((long long)c.count, 3, "options");
	is_str(c.options[1].name, "host", "name");
	is_str(c.options[1].value, "pod[1-4]", "value");
	is_int(c.options[1].line, 2, "line");
	is_str(c.options[2].value, " a ", "quoted");
	is_int((long long)c.program.count, 3, "words");
	is_str(c.program.items[1], "train.py", "without its spaces");
	is_str(c.program.items[2], "#x", "no comment");
	config_file_release(&c);
}

int
main(void)
{
	test_round_trip();
	test_refused();
	test_by_hand();
	return tap_done();
}
