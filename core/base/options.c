#include "core/base/options.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { HELP_COLUMN = 32 };

static bool
has_short(const struct option_row *row)
{
	return row->key < OPTIONS_LONG;
}

void
option_parser_init(struct option_parser *p, const struct option_row *rows,
    int argc, char **argv, bool stop_at_operand)
{
	size_t	n = 0, l = 0, s = 0;

	while (rows[n].key != 0)
		n++;
	assert(n <= OPTIONS_MAX);
	memset(p, 0, sizeof(*p));
	p->rows = rows;
	p->argc = argc;
	p->argv = argv;
	if (stop_at_operand)
		p->short_options[s++] = '+';
	p->short_options[s++] = ':';
	for (; rows->key != 0; rows++) {
		assert(rows->key >= OPTIONS_LONG || isalnum(rows->key));
		assert(has_short(rows) || rows->name != NULL);
		if (rows->name != NULL) {
			p->long_options[l].name = rows->name;
			p->long_options[l].has_arg = rows->argument != NULL ?
			    required_argument : no_argument;
			p->long_options[l++].val = rows->key;
		}
		if (has_short(rows)) {
			p->short_options[s++] = (char)rows->key;
			if (rows->argument != NULL)
				p->short_options[s++] = ':';
		}
	}
	opterr = 0;
	optind = 0;	/* glibc and musl alike: start afresh */
}

static const struct option_row *
find_key(const struct option_row *row, int key)
{
	while (row->key != 0 && row->key != key)
		row++;
	return row->key != 0 ? row : NULL;
}

/* No row, or more than one, has a long name that begins with `word`. */
static void
unknown_long(const struct option_row *row, const char *word, struct error *e)
{
	const struct option_row	*first = NULL;
	int			 len = (int)strcspn(word, "=");

	for (; row->key != 0; row++) {
		if (row->name == NULL ||
		    strncmp(row->name, word, (size_t)len) != 0)
			continue;
		if (first != NULL) {
			(void)error_set(e, "option '--%.*s' is ambiguous: "
			    "--%s or --%s", len, word, first->name,
			    row->name);
			return;
		}
		first = row;
	}
	(void)error_set(e, "unrecognised option '--%.*s'", len, word);
}

static void
missing_argument(const struct option_row *row, const char *word,
    struct error *e)
{
	bool	as_long = !has_short(row) ||
	    (row->name != NULL && strncmp(word, "--", 2) == 0);

	if (as_long)
		(void)error_set(e, "option '--%s' needs an argument",
		    row->name);
	else
		(void)error_set(e, "option '-%c' needs an argument",
		    row->key);
}

/*
 * Both C libraries report in the same way: ':' is a missing argument of the
 * option whose key is optopt; '?' with the key of a row is a flag that got
 * an argument (--flag=x), with another character an unknown short option,
 * and with 0 a long name that no row or more than one row has.
 */
static int
refuse(const struct option_parser *p, int key, struct error *e)
{
	const struct option_row	*row = find_key(p->rows, optopt);
	const char		*word = "";

	/* The word that getopt_long(3) was at.  Where a short option lacks
	   its argument, musl has gone past the end, and has perhaps moved
	   argv's last NULL before the operands. */
	if (optind > 0 && optind <= p->argc && p->argv[optind - 1] != NULL)
		word = p->argv[optind - 1];
	if (row != NULL && key == ':')
		missing_argument(row, word, e);
	else if (row != NULL)
		(void)error_set(e, "option '--%s' takes no argument",
		    row->name);
	else if (optopt == 0)
		unknown_long(p->rows, word + strspn(word, "-"), e);
	else if (optopt > ' ' && optopt < 127)
		(void)error_set(e, "unrecognised option '-%c'", optopt);
	else
		(void)error_set(e, "unrecognised option: a character outside "
		    "ASCII");
	return OPTIONS_ERROR;
}

int
options_next(struct option_parser *p, struct error *e)
{
	int	key;

	key = getopt_long(p->argc, p->argv, p->short_options, p->long_options,
	    NULL);
	p->argument = optarg;
	if (key == -1) {
		p->operand = optind;
		return OPTIONS_END;
	}
	if (key == '?' || key == ':')
		return refuse(p, key, e);
	return key;
}

void
options_print(FILE *out, const struct option_row *row)
{
	char	left[128];

	for (; row->key != 0; row++) {
		if (row->help == NULL)
			continue;
		(void)snprintf(left, sizeof(left), "  %s%c%s%s%s%s%s",
		    has_short(row) ? "-" : "  ",
		    has_short(row) ? row->key : ' ',
		    has_short(row) && row->name != NULL ? ", " :
		    has_short(row) ? "" : " ",
		    row->name != NULL ? "--" : "",
		    row->name != NULL ? row->name : "",
		    row->argument != NULL ? " " : "",
		    row->argument != NULL ? row->argument : "");
		if (strlen(left) < HELP_COLUMN)
			fprintf(out, "%-*s%s\n", HELP_COLUMN, left, row->help);
		else
			fprintf(out, "%s\n%*s%s\n", left, HELP_COLUMN, "",
			    row->help);
	}
}
