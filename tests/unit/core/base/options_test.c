/* core/base/options: what a command line means, on either C library. */
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/options.h"
#include "tests/unit/tap.h"

enum { KEY_SIZE = OPTIONS_LONG, KEY_SIZES, KEY_COUNT, KEY_WAIT };

static const struct option_row rows[] = {
	{ 'v', "verbose", NULL, "say more" },
	{ 'n', "number", "N", "how many" },
	{ 'q', NULL, NULL, "say less" },
	{ KEY_SIZE, "size", "BYTES", "how large" },
	{ KEY_SIZES, "sizes", NULL, "a name with a shorter one in it" },
	{ KEY_COUNT, "count-of-replicas", "N", "a name that is too long for "
	    "its column" },
	{ KEY_COUNT, "replicas", "N", NULL },
	{ KEY_WAIT, "wait", "[=SECONDS]", "how long, if not for ever" },
	{ 't', NULL, "[SECONDS]", "the same" },
	{ 0 }
};

enum { WORDS_MAX = 8 };

/* What options_next() says of a line, as "KEY[=ARGUMENT] ... | OPERAND ...". */
struct vector {
	const char	*name;
	const char	*words[WORDS_MAX];
	const char	*wanted;
	bool		 stop_at_operand;
};

static const struct vector vectors[] = {
	{ "nothing", { NULL }, "|", false },
	{ "a short flag", { "-v" }, "v |", false },
	{ "a long flag", { "--verbose" }, "v |", false },
	{ "flags in a bundle", { "-qv" }, "q v |", false },
	{ "a short argument behind", { "-n", "4" }, "n=4 |", false },
	{ "a short argument attached", { "-n4" }, "n=4 |", false },
	{ "a bundle that ends in an argument", { "-vn", "4" }, "v n=4 |",
	    false },
	{ "a long argument behind", { "--number", "4" }, "n=4 |", false },
	{ "a long argument attached", { "--number=4" }, "n=4 |", false },
	{ "an empty argument", { "--number=", "a" }, "n= | a", false },
	{ "an argument that looks like an option", { "--number", "-v" },
	    "n=-v |", false },
	{ "a prefix", { "--verb" }, "v |", false },
	{ "an exact name beats a longer one", { "--size", "1" }, "256=1 |",
	    false },
	{ "an alias", { "--replicas", "2" }, "258=2 |", false },
	{ "options behind operands", { "a", "-v", "b", "-n", "4" },
	    "v n=4 | a b", false },
	{ "-- ends the options", { "-v", "--", "-n" }, "v |-- -n", false },
	{ "operands before and behind --", { "a", "-v", "b", "--", "-n", "c" },
	    "v |-- a b -n c", false },
	{ "-- behind operands alone", { "a", "--", "b" }, "|-- a b", false },
	{ "-- at the end", { "a", "--" }, "|-- a", false },
	{ "a second --", { "--", "a", "--", "b" }, "|-- a -- b", false },
	{ "an argument that is --", { "a", "--number", "--" }, "n=-- | a",
	    false },
	{ "- is an operand", { "-", "-v" }, "v | -", false },
	{ "the first operand ends the options", { "-v", "ls", "-l" },
	    "v | ls -l", true },
	{ "-- before a command", { "--", "ls", "-v" }, "|-- ls -v", true },
	{ "- behind --", { "--", "-", "-v" }, "|-- - -v", false },
	{ "- between operands", { "a", "-", "b", "-v", "-" }, "v | a - b -",
	    false },
	{ "an optional argument attached", { "a", "--wait=5", "b" },
	    "259=5 | a b", false },
	{ "in a word of its own", { "a", "--wait", "5", "b" },
	    "259=5 | a b", false },
	{ "left out", { "a", "--wait" }, "259 | a", false },
	{ "left out before an operand", { "--wait", "a", "5" }, "259 | a 5",
	    false },
	{ "left out before an option", { "--wait", "-n", "4" }, "259 n=4 |",
	    false },
	{ "left out before --", { "a", "--wait", "--", "5" }, "259 |-- a 5",
	    false },
	{ "an empty optional argument", { "--wait=" }, "259= |", false },
	{ "one that is no number", { "--wait=x", "6" }, "259=x | 6", false },
	{ "a prefix with one", { "a", "--wa", "7" }, "259=7 | a", false },
	{ "a short one attached", { "-t5", "6" }, "t=5 | 6", false },
	{ "a short one in a word of its own", { "a", "-vt", "5", "b" },
	    "v t=5 | a b", false },
	{ "the same before a command", { "--wait", "5", "ls", "7" },
	    "259=5 | ls 7", true },
	{ "an unknown short option", { "-x" },
	    "unrecognised option '-x'", false },
	{ "an unknown short option in a bundle", { "-vx" },
	    "v unrecognised option '-x'", false },
	{ "an unknown long option", { "--nope" },
	    "unrecognised option '--nope'", false },
	{ "an unknown long option with an argument", { "--nope=3" },
	    "unrecognised option '--nope'", false },
	{ "an unknown long option behind operands", { "a", "b", "--nope" },
	    "unrecognised option '--nope'", false },
	{ "an ambiguous prefix", { "--siz", "3" },
	    "option '--siz' is ambiguous: --size or --sizes", false },
	{ "a flag with an argument", { "--verbose=3" },
	    "option '--verbose' takes no argument", false },
	{ "a prefix of a flag with an argument", { "--verb=3" },
	    "option '--verbose' takes no argument", false },
	{ "a long option without its argument", { "--number" },
	    "option '--number' needs an argument", false },
	{ "a prefix without its argument", { "a", "--numb" },
	    "option '--number' needs an argument", false },
	{ "a long-only option without its argument", { "-v", "--size" },
	    "v option '--size' needs an argument", false },
	{ "a short option without its argument", { "-n" },
	    "option '-n' needs an argument", false },
	{ "the same at the end of a bundle", { "a", "-vn" },
	    "v option '-n' needs an argument", false },
	{ "a byte that is no character", { "-\377" },
	    "unrecognised option: a character outside ASCII", false },
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
	struct option_parser	parser;
	struct error		error;
	char			name[] = "test", *argv[WORDS_MAX + 2];
	char			*got, *words[WORDS_MAX + 1];
	size_t			got_size;
	FILE			*out = open_memstream(&got, &got_size);
	int			argc = 1, key;

	argv[0] = name;
	for (; v->words[argc - 1] != NULL; argc++)
		argv[argc] = words[argc] = strdup(v->words[argc - 1]);
	argv[argc] = NULL;
	options_init(&parser, rows, argc, argv, v->stop_at_operand);
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
	char	*got;
	size_t	 got_size;
	FILE	*out = open_memstream(&got, &got_size);

	options_print(out, rows);
	fclose(out);
	is_str(got,
	    "  -v, --verbose                 say more\n"
	    "  -n, --number N                how many\n"
	    "  -q                            say less\n"
	    "      --size BYTES              how large\n"
	    "      --sizes                   a name with a shorter one in it\n"
	    "      --count-of-replicas N     a name that is too long for its "
	    "column\n"
	    "      --wait[=SECONDS]          how long, if not for ever\n"
	    "  -t[SECONDS]                   the same\n",
	    "the help, without aliases");
	free(got);
}

int
main(void)
{
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++)
		check(&vectors[i]);
	check_help();
	return tap_done();
}
