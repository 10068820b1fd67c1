/* core/base/options: what a command line means, on either C library. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/options.h"
#include "tests/unit/tap.h"

enum {
	KEY_SIZE = OPTIONS_LONG,
	KEY_SIZES,
	KEY_COUNT,
	KEY_WAIT,
	KEY_STRICT,
	KEY_PASS
};

static const struct option_row rows[] = {
	{ OPTIONS_HEADING, NULL, NULL, "First" },
	{ 'v', "verbose", NULL, "say more" },
	{ 'n', "number", "N", "how many" },
	{ 'q', NULL, NULL, "say less" },
	{ KEY_SIZE, "size", "BYTES", "how large" },
	{ KEY_SIZES, "sizes", NULL, "a name with a shorter one in it" },
	{ KEY_COUNT, "count-of-replicas", "N",
	    "a name that is too long for its column" },
	{ KEY_COUNT, "replicas", "N", NULL },
	{ KEY_STRICT, "strict", "BOOL", NULL },
	{ KEY_PASS, "pass", "ARGS", NULL },
	{ OPTIONS_HEADING, NULL, NULL, "Then" },
	{ KEY_WAIT, "wait", "[=SECONDS]", "how long, if not for ever" },
	{ 't', NULL, "[SECONDS]", "the same" },
	{ 0 },
};

enum { WORDS_MAX = 8 };

/* What options_next() says of a line, as "KEY[=ARGUMENT] ... | OPERAND ...". */
struct vector {
	const char *name;
	const char *words[WORDS_MAX];
	const char *wanted;
	enum { PLAIN, COMMAND, NUMBERS } line;
};

static const struct vector vectors[] = {
	{ "nothing", { NULL }, "|", PLAIN },
	{ "a short flag", { "-v" }, "v |", PLAIN },
	{ "a long flag", { "--verbose" }, "v |", PLAIN },
	{ "flags in a bundle", { "-qv" }, "q v |", PLAIN },
	{ "a short argument behind", { "-n", "4" }, "n=4 |", PLAIN },
	{ "a short argument attached", { "-n4" }, "n=4 |", PLAIN },
	{ "a bundle that ends in an argument", { "-vn", "4" }, "v n=4 |",
	    PLAIN },
	{ "a long argument behind", { "--number", "4" }, "n=4 |", PLAIN },
	{ "a long argument attached", { "--number=4" }, "n=4 |", PLAIN },
	{ "an empty argument", { "--number=", "a" }, "n= | a", PLAIN },
	{ "an argument that looks like an option", { "--number", "-v" },
	    "n=-v |", PLAIN },
	{ "a prefix", { "--verb" }, "v |", PLAIN },
	{ "an exact name beats a longer one", { "--size", "1" }, "256=1 |",
	    PLAIN },
	{ "an alias", { "--replicas", "2" }, "258=2 |", PLAIN },
	{ "options behind operands", { "a", "-v", "b", "-n", "4" },
	    "v n=4 | a b", PLAIN },
	{ "-- ends the options", { "-v", "--", "-n" }, "v |-- -n", PLAIN },
	{ "operands before and behind --", { "a", "-v", "b", "--", "-n", "c" },
	    "v |-- a b -n c", PLAIN },
	{ "-- behind operands alone", { "a", "--", "b" }, "|-- a b", PLAIN },
	{ "-- at the end", { "a", "--" }, "|-- a", PLAIN },
	{ "a second --", { "--", "a", "--", "b" }, "|-- a -- b", PLAIN },
	{ "an argument that is --", { "a", "--number", "--" }, "n=-- | a",
	    PLAIN },
	{ "- is an operand", { "-", "-v" }, "v | -", PLAIN },
	{ "the first operand ends the options", { "-v", "ls", "-l" },
	    "v | ls -l", COMMAND },
	{ "-- before a command", { "--", "ls", "-v" }, "|-- ls -v", COMMAND },
	{ "- behind --", { "--", "-", "-v" }, "|-- - -v", PLAIN },
	{ "- between operands", { "a", "-", "b", "-v", "-" }, "v | a - b -",
	    PLAIN },
	{ "an optional argument attached", { "a", "--wait=5", "b" },
	    "259=5 | a b", PLAIN },
	{ "in a word of its own", { "a", "--wait", "5", "b" }, "259=5 | a b",
	    PLAIN },
	{ "left out", { "a", "--wait" }, "259 | a", PLAIN },
	{ "left out before an operand", { "--wait", "a", "5" }, "259 | a 5",
	    PLAIN },
	{ "left out before an option", { "--wait", "-n", "4" }, "259 n=4 |",
	    PLAIN },
	{ "left out before --", { "a", "--wait", "--", "5" }, "259 |-- a 5",
	    PLAIN },
	{ "an empty optional argument", { "--wait=" }, "259= |", PLAIN },
	{ "one that is no number", { "--wait=x", "6" }, "259=x | 6", PLAIN },
	{ "a prefix with one", { "a", "--wa", "7" }, "259=7 | a", PLAIN },
	{ "a short one attached", { "-t5", "6" }, "t=5 | 6", PLAIN },
	{ "a short one in a word of its own", { "a", "-vt", "5", "b" },
	    "v t=5 | a b", PLAIN },
	{ "the same before a command", { "--wait", "5", "ls", "7" },
	    "259=5 | ls 7", COMMAND },
	{ "negative numbers behind an operand",
	    { "sum", "-3.5", "-v", "-.5", "-n", "-4", "-7" },
	    "v n=-4 | sum -3.5 -.5 -7", NUMBERS },
	{ "one behind --", { "sum", "-1", "--", "-2" }, "|-- sum -1 -2",
	    NUMBERS },
	{ "one in front of all operands", { "-3", "sum" },
	    "unrecognised option '-3'", NUMBERS },
	{ "one where the caller wants none", { "sum", "-3" },
	    "unrecognised option '-3'", PLAIN },
	{ "what is no number", { "sum", "-x3" }, "unrecognised option '-x'",
	    NUMBERS },
	{ "an unknown short option", { "-x" }, "unrecognised option '-x'",
	    PLAIN },
	{ "an unknown short option in a bundle", { "-vx" },
	    "v unrecognised option '-x'", PLAIN },
	{ "an unknown long option", { "--nope" },
	    "unrecognised option '--nope'", PLAIN },
	{ "an unknown long option with an argument", { "--nope=3" },
	    "unrecognised option '--nope'", PLAIN },
	{ "an unknown long option behind operands", { "a", "b", "--nope" },
	    "unrecognised option '--nope'", PLAIN },
	{ "an ambiguous prefix", { "--siz", "3" },
	    "option '--siz' is ambiguous: --size or --sizes", PLAIN },
	{ "a flag with an argument", { "--verbose=3" },
	    "option '--verbose' takes no argument", PLAIN },
	{ "a prefix of a flag with an argument", { "--verb=3" },
	    "option '--verbose' takes no argument", PLAIN },
	{ "a long option without its argument", { "--number" },
	    "--number needs a value: --number=N", PLAIN },
	{ "a prefix without its argument", { "a", "--numb" },
	    "--number needs a value: --number=N", PLAIN },
	{ "a long-only option without its argument", { "-v", "--size" },
	    "v --size needs a value: --size=BYTES", PLAIN },
	{ "a short option without its argument", { "-n" },
	    "-n needs a value: -n N", PLAIN },
	{ "the same at the end of a bundle", { "a", "-vn" },
	    "v -n needs a value: -n N", PLAIN },
	{ "an option for a value", { "--size", "--verbose" },
	    "--size needs a value: --size=BYTES", PLAIN },
	{ "behind a boolean", { "--strict", "--number", "2" },
	    "--strict needs a value: --strict=yes", PLAIN },
	{ "with its own value", { "a", "--numb", "--size=3" },
	    "--number needs a value: --number=N", PLAIN },
	{ "in a shorter form", { "-n", "--verb" }, "-n needs a value: -n N",
	    PLAIN },
	{ "behind a bundle", { "-vn", "--size", "1" },
	    "v -n needs a value: -n N", PLAIN },
	{ "values that are like options",
	    { "--size", "--nope", "-n", "-1", "--size=--verbose", "-n-v" },
	    "256=--nope n=-1 256=--verbose n=-v |", PLAIN },
	{ "a bundle for a value", { "--size", "-vq" }, "256=-vq |", PLAIN },
	{ "arguments of another program", { "--pass", "--verbose", "a" },
	    "261=--verbose | a", PLAIN },
	{ "a byte that is no character", { "-\377" },
	    "unrecognised option: a character outside ASCII", PLAIN },
};

static void
add_key(FILE *out, int key, const char *argument)
{
	if (key < OPTIONS_LONG)
		fprintf(out, "%c", key);
	else
		fprintf(out, "%d", key);
	if (argument != NULL)
		fprintf(out, "=%s", argument);
	fputc(' ', out);
}

static void
check(const struct vector *v)
{
	struct option_parser parser;
	struct error error;
	char name[] = "test", *argv[WORDS_MAX + 2];
	char *got, *words[WORDS_MAX + 1];
	size_t got_size;
	FILE *out = open_memstream(&got, &got_size);
	int argc = 1, key;

	argv[0] = name;
	for (; v->words[argc - 1] != NULL; argc++)
		argv[argc] = words[argc] = strdup(v->words[argc - 1]);
	argv[argc] = NULL;
	options_init(&parser, rows, argc, argv, v->line == COMMAND);
	parser.numbers = v->line == NUMBERS;
	while ((key = options_next(&parser, &error)) >= 0)
		add_key(out, key, parser.argument);
	if (key == OPTIONS_ERROR) {
		fputs(error.text, out);
	} else {
		fputs(parser.dashes ? "|--" : "|", out);
		for (key = parser.operand; key < argc; key++)
			fprintf(out, " %s", argv[key]);
	}
	fclose(out);
	is_str(got, v->wanted, v->name);
	free(got);
	while (--argc > 0)
		free(words[argc]);
}

static void
check_help(void)
{
	char *got;
	size_t got_size;
	FILE *out = open_memstream(&got, &got_size);

	options_print(out, rows);
	fclose(out);
	is_str(got,
	    "First:\n\n"
	    "  -v, --verbose                 say more\n"
	    "  -n, --number N                how many\n"
	    "  -q                            say less\n"
	    "      --size BYTES              how large\n"
	    "      --sizes                   a name with a shorter one in it\n"
	    "      --count-of-replicas N     a name that is too long for its "
	    "column\n"
	    "\nThen:\n\n"
	    "      --wait[=SECONDS]          how long, if not for ever\n"
	    "  -t[SECONDS]                   the same\n",
	    "the help with its headings, without aliases");
	free(got);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++)
		check(&vectors[i]);
	check_help();
	return tap_done();
}
