#include "core/base/options.h"

#include <assert.h>
#include <string.h>

enum { HELP_COLUMN = 32 };

static bool
has_short(const struct option_row *row)
{
	return row->key > ' ' && row->key < 127;
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

void
option_parser_release(struct option_parser *p)
{
	p->rows = NULL;
}

/* Why getopt_long(3) refused a long option. */
static int
long_option_error(const struct option_parser *p, const char *word,
    struct error *e)
{
	const struct option_row	*row, *first = NULL;
	size_t			 len = strcspn(word, "=");

	for (row = p->rows; row->key != 0; row++) {
		if (row->name == NULL || strncmp(row->name, word, len) != 0)
			continue;
		if (strlen(row->name) == len) {
			(void)error_set(e, row->argument != NULL ?
			    "option '--%s' needs an argument" :
			    "option '--%s' takes no argument", row->name);
			return OPTIONS_ERROR;
		}
		if (first != NULL && first->key != row->key) {
			(void)error_set(e, "option '--%.*s' is ambiguous: "
			    "--%s or --%s", (int)len, word, first->name,
			    row->name);
			return OPTIONS_ERROR;
		}
		if (first == NULL)
			first = row;
	}
	if (first != NULL)
		(void)error_set(e, first->argument != NULL ?
		    "option '--%s' needs an argument" :
		    "option '--%s' takes no argument", first->name);
	else
		(void)error_set(e, "unrecognised option '--%.*s'", (int)len,
		    word);
	return OPTIONS_ERROR;
}

int
options_next(struct option_parser *p, struct error *e)
{
	const char	*word;
	int		 key;

	key = getopt_long(p->argc, p->argv, p->short_options, p->long_options,
	    NULL);
	p->argument = optarg;
	if (key == -1) {
		p->operand = optind;
		return OPTIONS_END;
	}
	if (key != '?' && key != ':')
		return key;
	word = optind > 0 && optind <= p->argc ? p->argv[optind - 1] : "";
	if (strncmp(word, "--", 2) == 0 && word[2] != '\0')
		return long_option_error(p, word + 2, e);
	if (key == ':')
		(void)error_set(e, "option '-%c' needs an argument", optopt);
	else
		(void)error_set(e, "unrecognised option '-%c'", optopt);
	return OPTIONS_ERROR;
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
