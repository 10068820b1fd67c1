/*
 * Splitting as a shell does, and quoting so that it splits again.
 */
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/strvec.h"
#include "tests/unit/tap.h"

enum { WORDS_MAX = 6 };

struct row {
	const char *text;
	const char *words[WORDS_MAX]; /* [0] NULL: refused, or none */
	bool refused;
};

static const struct row rows[] = {
	{ "", { NULL }, false },
	{ " \t\n", { NULL }, false },
	{ "--tag-output", { "--tag-output" }, false },
	{ " --tag-output  --mca a b ", { "--tag-output", "--mca", "a", "b" },
	    false },
	{ "-x V='a=0, b=0' -x W", { "-x", "V=a=0, b=0", "-x", "W" }, false },
	{ "-x 'P={\"k\":\"v\"}'", { "-x", "P={\"k\":\"v\"}" }, false },
	{ "\"a \\\"b\\\" \\n $c\"", { "a \"b\" \\n $c" }, false },
	{ "a\\ b c\\\\d", { "a b", "c\\d" }, false },
	{ "'' \"\" x''y", { "", "", "xy" }, false },
	{ "a'b'\"c\"d", { "abcd" }, false },
	{ "end\\", { "end\\" }, false },
	{ "a \\\n b\\\nc \\\n", { "a", "bc" }, false },
	{ "\"a\\\nb\" 'c\\\nd'", { "ab", "c\\\nd" }, false },
	{ "'open", { NULL }, true },
	{ "fine \"open", { NULL }, true },
	{ "a 'b\\' c", { "a", "b\\", "c" }, false },
};

static void
test_split(const struct row *row)
{
	struct strvec w, again;
	struct error e = { .text = "" };
	char *line;
	size_t i;

	strvec_init(&w);
	strvec_init(&again);
	is_int(strvec_split(&w, row->text, &e), row->refused ? -1 : 0,
	    row->text);
	for (i = 0; i < WORDS_MAX && row->words[i] != NULL; i++)
		is_str(i < w.count ? w.items[i] : NULL, row->words[i],
		    row->text);
	is_int((long long)w.count, (long long)i, "number of words");
	ok((e.text[0] != '\0') == row->refused, "reason");
	/* Quoted, it is the same words again (the first one is bare). */
	if (w.count > 0) {
		struct strvec full;

		strvec_init(&full);
		strvec_add(&full, "first");
		strvec_add_all(&full, w.items);
		line = strvec_quoted(full.items);
		is_int(strvec_split(&again, line, &e), 0, line);
		is_int((long long)again.count, (long long)full.count, line);
		for (i = 0; i < full.count && i < again.count; i++)
			is_str(again.items[i], full.items[i], line);
		free(line);
		strvec_release(&full);
	}
	strvec_release(&w);
	strvec_release(&again);
}

/* Quotes where a shell would see something else, and there alone. */
static void
test_typed(void)
{
	static const char *const words[] = { "mnist-pipeline", "--stages",
		"B1,B2/B3@0", "--recompute=no", "", "a b", "it's", "$x", "*",
		"~", "#", "a;b", "\n" };
	struct strvec w, again;
	struct error e;
	char *line;
	size_t i;

	strvec_init(&w);
	strvec_init(&again);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		strvec_add(&w, words[i]);
	line = strvec_typed(w.items);
	is_str(line,
	    "mnist-pipeline --stages B1,B2/B3@0 --recompute=no '' 'a b' "
	    "'it'\\''s' '$x' '*' '~' '#' 'a;b' '\n'",
	    "as it is typed");
	is_int(strvec_split(&again, line, &e), 0, "and read again");
	is_int((long long)again.count, ARRAY_SIZE(words), "as many words");
	for (i = 0; i < again.count; i++)
		is_str(again.items[i], words[i], "the same word");
	free(line);
	strvec_release(&w);
	strvec_release(&again);
}

int
main(void)
{
	char *const quotes[] = { (char[]){ "a" }, (char[]){ "it's" }, NULL };
	char *line;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_split(&rows[i]);
	line = strvec_quoted(quotes);
	is_str(line, "a 'it'\\''s'", "a quote in quotes");
	free(line);
	test_typed();
	return tap_done();
}
