/*
 * Options with getopt_long(3).  Differences between glibc and musl are evened
 * out here: order, refusals and operands are the same.  Read options_next()
 * first.
 */
#include "core/base/options.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"

enum { HELP_COLUMN = 32 };

/* Keys below OPTIONS_LONG are characters, which are short options too. */
static bool
has_short(const struct option_row *row)
{
	return row->key < OPTIONS_LONG;
}

bool
options_is_optional(const struct option_row *row)
{
	return row->argument != NULL && row->argument[0] == '[';
}

/* Return getopt_long(3)'s name for the kind of the option's argument. */
static int
argument_kind(const struct option_row *row)
{
	if (row->argument == NULL)
		return no_argument;
	return options_is_optional(row) ? optional_argument : required_argument;
}

/* Make "abc:d::" and the array of struct option for getopt_long(3) from the
   rows.  In the short options one colon means an argument, two an optional one;
   the leading colon makes ':' the result for a missing argument. */
void
options_init(struct option_parser *p, const struct option_row *rows, int argc,
    char **argv, bool stop_at_operand)
{
	size_t n = 0, l = 0, s = 0;
	int kind;

	while (rows[n].key != 0)
		n++;
	assert(n <= OPTIONS_MAX);
	memset(p, 0, sizeof(*p));
	p->rows = rows;
	p->argc = argc;
	p->argv = argv;
	/* Get each operand in turn: only then do both C libraries agree on the
	   word after an option. */
	p->short_options[s++] = stop_at_operand ? '+' : '-';
	p->short_options[s++] = ':';
	for (; rows->key != 0; rows++) {
		assert(rows->key >= OPTIONS_LONG || isalnum(rows->key));
		assert(has_short(rows) || rows->name != NULL ||
		    rows->key == OPTIONS_HEADING);
		kind = argument_kind(rows);
		if (rows->name != NULL) {
			p->long_options[l].name = rows->name;
			p->long_options[l].has_arg = kind;
			p->long_options[l++].val = rows->key;
		}
		if (has_short(rows)) {
			p->short_options[s++] = (char)rows->key;
			if (kind != no_argument)
				p->short_options[s++] = ':';
			if (kind == optional_argument)
				p->short_options[s++] = ':';
		}
	}
	opterr = 0;
	optind = 0; /* restarts in both glibc and musl */
}

/* Return the row of the key, or NULL. */
static const struct option_row *
find_key(const struct option_row *row, int key)
{
	while (row->key != 0 && row->key != key)
		row++;
	return row->key != 0 ? row : NULL;
}

/* Return the row of a long name, or NULL. */
static const struct option_row *
options_find_name(const struct option_row *row, const char *name)
{
	while (row->key != 0 &&
	    (row->name == NULL || name == NULL || strcmp(row->name, name) != 0))
		row++;
	return row->key != 0 ? row : NULL;
}

/* Report that no row, or more than one, has a long name that begins with
   `word`. Returns the row that may have been meant, or NULL. */
static const struct option_row *
unknown_long(const struct option_row *row, const char *word, struct error *e)
{
	const struct option_row *first = NULL, *rows = row;
	struct suggestion nearest;
	int len = (int)strcspn(word, "=");
	char *typed = xasprintf("%.*s", len, word);

	suggest_begin(&nearest, typed);
	for (; row->key != 0; row++) {
		if (row->name == NULL)
			continue;
		if (row->help != NULL)
			suggest_offer(&nearest, row->name);
		if (strncmp(row->name, word, (size_t)len) != 0)
			continue;
		if (first != NULL) {
			(void)error_set_code(e, ERROR_INVALID,
			    "option '--%s' is ambiguous: --%s or --%s", typed,
			    first->name, row->name);
			free(typed);
			return NULL;
		}
		first = row;
	}
	(void)error_set_code(e, ERROR_INVALID, "unrecognised option '--%s'",
	    typed);
	(void)suggest_append(&nearest, "--", e);
	free(typed);
	return options_find_name(rows, nearest.best);
}

/* Use the form that the user wrote: "--size", or "-s" without a long name. */
static void
missing_argument(const struct option_row *row, const char *word,
    struct error *e)
{
	const char *value = strcmp(row->argument, "BOOL") == 0 ?
	    "yes" :
	    row->argument;

	if (!has_short(row) ||
	    (row->name != NULL && strncmp(word, "--", 2) == 0))
		(void)error_set_code(e, ERROR_INVALID,
		    "--%s needs a value: --%s=%s", row->name, row->name, value);
	else
		(void)error_set_code(e, ERROR_INVALID,
		    "-%c needs a value: -%c %s", row->key, row->key, value);
}

/*
 * Both C libraries report alike: ':' is a missing argument of the option with
 * the key optopt.  '?' with the key of a row is a flag that got an argument
 * (--flag=x), with another character an unknown short option, and with 0 a long
 * name that matches no row or several.
 */
static int
options_refuse(struct option_parser *p, int key, struct error *e)
{
	const struct option_row *row = find_key(p->rows, optopt);
	const char *word = "";

	p->unknown = row == NULL;
	p->meant = NULL;

	/* Find the word that getopt_long(3) was at.  After a short option
	   without its argument, musl has passed the end. */
	if (optind > 0 && optind <= p->argc && p->argv[optind - 1] != NULL)
		word = p->argv[optind - 1];
	if (row != NULL && key == ':')
		missing_argument(row, word, e);
	else if (row != NULL)
		(void)error_set_code(e, ERROR_INVALID,
		    "option '--%s' takes no argument", row->name);
	else if (optopt == 0)
		p->meant = unknown_long(p->rows, word + strspn(word, "-"), e);
	else if (optopt > ' ' && optopt < 127)
		(void)error_set_code(e, ERROR_INVALID,
		    "unrecognised option '-%c'", optopt);
	else
		(void)error_set_code(e, ERROR_INVALID,
		    "unrecognised option: a character outside ASCII");
	return OPTIONS_ERROR;
}

/* A lone "-" is an operand, but ends musl's getopt(3). */
static bool
is_dash(const struct option_parser *p)
{
	return p->short_options[0] == '-' && optind < p->argc &&
	    strcmp(p->argv[optind], "-") == 0 &&
	    strcmp(p->argv[optind - 1], "--") != 0;
}

/* Return true for "-3.5" or "-.5", which getopt(3) would read as options. */
static bool
is_negative_number(const struct option_parser *p)
{
	const char *word = p->operands > 0 && optind < p->argc ?
	    p->argv[optind] :
	    "";

	return p->numbers && word[0] == '-' &&
	    (word[1] == '.' || isdigit((unsigned char)word[1]));
}

/* Move the operands to the end of argv, before those that getopt(3) left. */
static int
end_options(struct option_parser *p)
{
	const char *last = p->argv[optind - 1];

	p->dashes = optind > 1 && last != p->argument &&
	    strcmp(last, "--") == 0;
	p->operand = optind - p->operands;
	memmove(p->argv + p->operand, p->argv + 1,
	    (size_t)p->operands * sizeof(*p->argv));
	return OPTIONS_END;
}

/* Return true if the word can be an optional argument of the row rather than an
   operand. */
static bool
is_argument(const struct option_row *row, const char *word)
{
	bool value;

	if (strcmp(row->argument, "[=BOOL]") == 0)
		return parse_bool("", word, &value, NULL) == 0;
	return isdigit((unsigned char)*word) &&
	    word[strspn(word, "0123456789.")] == '\0';
}

/* Return the optional argument after an option, or NULL. */
static const char *
argument_after(const struct option_parser *p, const struct option_row *row)
{
	const char *word;

	if (optarg != NULL || row == NULL || !options_is_optional(row) ||
	    optind >= p->argc)
		return optarg;
	word = p->argv[optind];
	if (!is_argument(row, word))
		return NULL;
	optind++;
	return word;
}

/* Return true if the word is a long option, perhaps abbreviated. */
static bool
is_option(const struct option_row *row, const char *word)
{
	const size_t len = strcspn(word, "=");

	if (len < 3 || word[0] != '-' || word[1] != '-')
		return false;
	while (row->key != 0 &&
	    (row->name == NULL || strncmp(row->name, word + 2, len - 2) != 0))
		row++;
	return row->key != 0;
}

/* Return true if getopt_long(3) took the next option as this one's value.
   Arguments for another program may look like our options. */
static bool
took_option(const struct option_parser *p, const struct option_row *row)
{
	return optarg != NULL && optarg == p->argv[optind - 1] &&
	    strstr(row->argument, "ARGS") == NULL && is_option(p->rows, optarg);
}

/* Operands come as the key 1 ("-" in the short options).  They are collected at
   the front of argv, over words already read; end_options() moves them to the
   end. */
int
options_next(struct option_parser *p, struct error *e)
{
	enum { OPERAND = 1 };
	const struct option_row *row;
	int key;

	for (;;) {
		while (is_negative_number(p))
			p->argv[++p->operands] = p->argv[optind++];
		key = getopt_long(p->argc, p->argv, p->short_options,
		    p->long_options, NULL);
		if (key == -1 && is_dash(p))
			optind++;
		else if (key != OPERAND)
			break;
		/* Move it to the front, over options already read. */
		p->argv[++p->operands] = p->argv[optind - 1];
	}
	if (key == -1)
		return end_options(p);
	if (key == '?' || key == ':')
		return options_refuse(p, key, e);
	row = find_key(p->rows, key);
	if (took_option(p, row)) {
		p->unknown = false;
		missing_argument(row, p->argv[optind - 2], e);
		return OPTIONS_ERROR;
	}
	p->argument = argument_after(p, row);
	return key;
}

void
options_skip_argument(struct option_parser *p)
{
	if (p->meant == NULL || argument_kind(p->meant) != required_argument ||
	    optind < 1 || optind >= p->argc ||
	    strchr(p->argv[optind - 1], '=') != NULL)
		return;
	optind++;
}

const struct option_values *
options_values(const struct option_values *row, int key)
{
	while (row != NULL && row->key != 0 && row->key != key)
		row++;
	return row != NULL && row->key != 0 ? row : NULL;
}

int
options_choose(const struct option_row *rows,
    const struct option_values *values, int key, const char *value, int *index,
    struct error *e)
{
	char *what = xasprintf("--%s", find_key(rows, key)->name);
	int status = suggest_choose(what, value,
	    options_values(values, key)->words, index, e);

	free(what);
	return status;
}

/* Print " -s, --size BYTES" and the help from HELP_COLUMN on, or below if the
   left side is too wide.  A heading has an empty line before it, unless it is
   the first row, and one after it. */
void
options_print(FILE *out, const struct option_row *row)
{
	const struct option_row *first = row;
	char left[128];

	for (; row->key != 0; row++) {
		if (row->key == OPTIONS_HEADING)
			fprintf(out, "%s%s:\n\n", row != first ? "\n" : "",
			    row->help);
		if (row->help == NULL || row->key == OPTIONS_HEADING)
			continue;
		(void)snprintf(left, sizeof(left), "  %s%c%s%s%s%s%s",
		    has_short(row) ? "-" : "  ",
		    has_short(row) ? row->key : ' ',
		    has_short(row) && row->name != NULL ? ", " :
			has_short(row)			? "" :
							  " ",
		    row->name != NULL ? "--" : "",
		    row->name != NULL ? row->name : "",
		    row->argument != NULL && !options_is_optional(row) ? " " :
									 "",
		    row->argument != NULL ? row->argument : "");
		if (strlen(left) < HELP_COLUMN)
			fprintf(out, "%-*s", HELP_COLUMN, left);
		else
			fprintf(out, "%s\n%*s", left, HELP_COLUMN, "");
		text_wrap(out, row->help, HELP_COLUMN, HELP_COLUMN);
		fputc('\n', out);
	}
}
