/*
 * Command line options from one table, which is also the help text.
 *
 * A row without a help (NULL) is an alias: parsed, not shown.  A row with the
 * key OPTIONS_HEADING has only a help: the heading of the rows after it.  The
 * rows end with a row of zeroes.  getopt_long(3) does the parsing: unambiguous
 * prefixes of long names work (an alias counts as a separate name), and short
 * options may be bundled.  `--name value` takes the next word.  A next word
 * that is a long option of the table is refused, unless the argument's name
 * contains ARGS.  An optional argument is written "[=SECONDS]".  As a separate
 * word it must be a number, or a boolean word for "[=BOOL]"; any other word is
 * an operand.  Use one parser at a time: getopt_long(3) keeps its place in
 * globals.
 */
#ifndef CORE_BASE_OPTIONS_H
#define CORE_BASE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"

enum {
	OPTIONS_MAX = 128,	 /* most rows of a table */
	OPTIONS_END = -1,	 /* all options were read */
	OPTIONS_ERROR = -2,	 /* misuse; the error says which */
	OPTIONS_LONG = 256,	 /* first key without a short option */
	OPTIONS_HEADING = 0x7fff /* key of a heading */
};

struct option_row {
	int key;	      /* result of options_next(); a letter or digit is
				 also the short option */
	const char *name;     /* long name, or NULL */
	const char *argument; /* name of the argument; NULL: a flag; "[=NAME]":
				 optional */
	const char *help;     /* one line, or NULL for an alias */
};

/* The allowed values of an option: one of some words, or the name of an object.
   Completion offers them and a refusal lists them.  A table ends with a row of
   zeroes. */
struct option_values {
	int key;
	const char *words;	 /* "auto, always or never", or NULL */
	const char *const *list; /* words in an array, or NULL */
	int kind;		 /* kind of named objects; 0: none */
};

struct option_parser {
	const struct option_row *rows;
	struct option long_options[OPTIONS_MAX + 1];
	char short_options[2 * OPTIONS_MAX + 3];
	char **argv;
	int argc;
	const char *argument; /* the last option's, or NULL */
	int operands;	      /* operands found, kept from argv[1] on until
				 OPTIONS_END moves them to argv's end */
	int operand;	      /* index in argv of the first operand, valid after
				 OPTIONS_END */
	bool dashes;	      /* "--" ended the options */
	bool numbers;	      /* set after options_init(): a negative number
				 after an operand is an operand */
	bool unknown;	      /* OPTIONS_ERROR: no option has that name, or
				 several begin with it */
	const struct option_row *meant; /* then the nearest option, or NULL */
};

/* Return true if the row's argument is optional. */
bool options_is_optional(const struct option_row *);

/* Make a parser over argv[1..].  With `stop_at_operand` the first operand ends
   the options, for a command line that contains a command.  Without it options
   may follow operands, and argv is reordered.  The parser owns nothing; the
   rows and argv must outlive it. */
void options_init(struct option_parser *, const struct option_row *, int argc,
    char **argv, bool stop_at_operand);

/* Return the next option's key, with parser->argument set; OPTIONS_END; or
   OPTIONS_ERROR. */
int options_next(struct option_parser *, struct error *);

/* After OPTIONS_ERROR with `unknown`, skip the next word if it is probably the
   argument: `meant` requires an argument, and no '=' was used. options_next()
   can then go on, to find all unknown options. */
void options_skip_argument(struct option_parser *);

/* Return the row of the key.  NULL: the table is NULL or has no such row. */
const struct option_values *options_values(const struct option_values *,
    int key);

/* Set *index to the place, from 0, of an option's value among the `words` of
   its row, which must exist.  -1: the value is not among them; the error lists
   them. */
int options_choose(const struct option_row *, const struct option_values *,
    int key, const char *value, int *index, struct error *);

/* Print the rows as help in two columns, the second wrapped. */
void options_print(FILE *, const struct option_row *);

#endif
