/* core/base/suggest: which word is near to a mistyped one. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "tests/unit/tap.h"

static void
check_words(void)
{
	static const struct {
		const char *typed;
		const char *words[5];
		const char *best; /* NULL: none */
	} vectors[] = {
		/* a letter less, more, wrong; two that changed places */
		{ "popruun", { "mnist-pipeline", "poprun" }, "poprun" },
		{ "poprn", { "poprun" }, "poprun" },
		{ "poprin", { "poprun" }, "poprun" },
		{ "trian", { "train" }, "train" },
		{ "TRAIN", { "train" }, "train" },
		{ "--nmae", { "--name" }, "--name" },
		/* the nearest, not the first; of two as near the first */
		{ "pipelind", { "pipeline", "pipelined" }, "pipeline" },
		{ "pipelinde", { "pipe", "pipelined" }, "pipelined" },
		{ "prat3", { "part1", "part3" }, "part3" },
		/* another number is another thing, but not one more */
		{ "part3", { "part1", "part2" }, NULL },
		{ "alloc-12", { "alloc-34" }, NULL },
		{ "ag1", { "ag02", "ag01" }, "ag01" },
		/* only begun */
		{ "part", { "party-of-four", "partition" }, "party-of-four" },
		{ "mnis", { "lenet5", "mnist" }, "mnist" },
		/* how far is too far, by the length of what was typed */
		{ "ls", { "lt" }, NULL },
		{ "p1", { "p10", "p2" }, NULL },
		{ "", { "p2" }, NULL },
		{ "cat", { "cut" }, "cut" },
		{ "cat", { "dog", "cute" }, NULL },
		{ "shard", { "shred" }, NULL },
		{ "listed", { "lasted", "posted" }, "lasted" },
		{ "listed", { "posted" }, "posted" },
		{ "listed", { "coated" }, NULL },
		{ "generatde-x", { "generated" }, "generated" },
		{ "generatde-xyz", { "generated" }, NULL },
		{ "frobnicate", { "create", "remove", "list" }, NULL },
		/* letters that changed places are one slip, not two */
		{ "abdc", { "abcd" }, "abcd" },
		{ "ABDC", { "abcd" }, "abcd" },
		{ "badc", { "abcd" }, NULL },
	};
	struct error e;
	char wanted[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		(void)error_set_code(&e, ERROR_NOT_FOUND, "no");
		is_int(suggest_word(vectors[i].typed, vectors[i].words, &e), -1,
		    "it returns as error_set() does");
		(void)snprintf(wanted, sizeof(wanted), "no%s%s%s",
		    vectors[i].best != NULL ? " (did you mean " : "",
		    vectors[i].best != NULL ? vectors[i].best : "",
		    vectors[i].best != NULL ? "?)" : "");
		is_str(e.text, wanted, vectors[i].typed);
		is_int(e.code, ERROR_NOT_FOUND, "the code stays");
	}
}

static void
check_long_words(void)
{
	char typed[300], word[300];
	const char *words[] = { word, NULL };
	struct error e;

	memset(typed, 'a', sizeof(typed));
	memset(word, 'a', sizeof(word));
	typed[64] = word[63] = '\0';
	(void)error_set(&e, "no");
	(void)suggest_word(typed, words, &e);
	ok(strstr(e.text, "did you mean aaa") != NULL, "words of 64 letters");
	typed[64] = 'a';
	typed[65] = '\0';
	word[63] = 'a';
	word[65] = '\0';
	(void)error_set(&e, "no");
	(void)suggest_word(typed, words, &e);
	is_str(e.text, "no", "longer ones are left alone");
	is_int(suggest_word(typed, words, NULL), -1, "no error is wanted");
}

static void
check_names(void)
{
	static const struct {
		int id;
		char name[8];
	} rows[] = { { 1, "alpha" }, { 2, "beta" }, { 3, "gamma" } };
	struct error e;

	(void)error_set(&e, "no");
	is_int(suggest_name("gamam", rows, 3, sizeof(rows[0]), sizeof(int), &e),
	    -1, "names in rows");
	is_str(e.text, "no (did you mean gamma?)", "the third of them");
	(void)error_set(&e, "no");
	(void)suggest_name("gamam", rows, 2, sizeof(rows[0]), sizeof(int), &e);
	is_str(e.text, "no", "not beyond the last row");
	(void)suggest_name("gamam", NULL, 0, sizeof(rows[0]), sizeof(int), &e);
	is_str(e.text, "no", "no rows at all");
}

static void
check_refusals(void)
{
	struct error e;

	is_int(suggest_refuse("--shell", "fihs", "sh, csh or fish", &e), -1,
	    "a value of a list");
	is_str(e.text,
	    "--shell 'fihs': must be sh, csh or fish (did you mean fish?)",
	    "its words");
	(void)suggest_refuse("--shell", "orr", "sh, csh or fish", &e);
	is_str(e.text, "--shell 'orr': must be sh, csh or fish",
	    "\"or\" is none of them");
}

/* The hint stands within the parentheses that there are. */
static void
check_parentheses(void)
{
	const char *words[] = { "create", NULL };
	struct error e;

	(void)error_set(&e, "no 'creat' (--help lists them)");
	(void)suggest_word("creat", words, &e);
	is_str(e.text, "no 'creat' (--help lists them; did you mean create?)",
	    "in the parentheses");
	(void)error_set(&e, "%s", "");
	(void)suggest_word("creat", words, &e);
	is_str(e.text, " (did you mean create?)", "behind nothing");
}

int
main(void)
{
	check_words();
	check_long_words();
	check_names();
	check_refusals();
	check_parentheses();
	return tap_done();
}
