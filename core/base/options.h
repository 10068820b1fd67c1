/*
 * Command line options from one table, which is also the help text.
 *
 * A row whose help is NULL is an alias: parsed, not shown.  A row with the key
 * OPTIONS_HEADING has nothing but a help: the heading of the rows after it.
 * The rows end with a row of zeroes.  getopt_long(3) does the parsing:
 * unambiguous prefixes of long names work (an alias counts as a name of its
 * own), and short options may be bundled.  `--name value` takes the next word.
 * A next word that is a long option of the table is refused, unless the
 * argument is called ARGS.  An argument that may be left out is written
 * "[=SECONDS]"; where it stands in a word of its own it must be a number, or,
 * for "[=BOOL]", a boolean word, or that word would be an operand.  One parser
 * is in use at a time: getopt_long(3) keeps its place in globals.
 */
#ifndef CORE_BASE_OPTIONS_H
#define CORE_BASE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"

enum {
	OPTIONS_MAX = 128,	 /* rows of a table */
	OPTIONS_END = -1,	 /* no option is left */
	OPTIONS_ERROR = -2,	 /* misuse; the struct error says which */
	OPTIONS_LONG = 256,	 /* keys from here on have no short option */
	OPTIONS_HEADING = 0x7fff /* of a row that is no option */
};

struct option_row {
	int key;	      /* what options_next() returns; a letter or digit
				 is the short option as well */
	const char *name;     /* long name, or NULL */
	const char *argument; /* name of the argument, NULL: a flag; "[=NAME]":
				 may be left out */
	const char *help;     /* one line, or NULL for an alias */
};

/*
 * What an option's value may be: one of some words, or the name of something.
 * From one row come what completion offers and what a refusal names.  A table
 * of them ends with a row of zeroes.
 */
struct option_values {
	int key;
	const char *words;	 /* "auto, always or never", or NULL */
	const char *const *list; /* words in an array, or NULL */
	int kind;		 /* of what has names; 0: none */
};

struct option_parser {
	const struct option_row *rows;
	struct option long_options[OPTIONS_MAX + 1];
	char short_options[2 * OPTIONS_MAX + 3];
	char **argv;
	int argc;
	const char *argument;		/* of the last one, or NULL */
	int operands;			/* so many so far, moved to argv[1] and
					   on */
	int operand;			/* index of the first operand, valid
					   after OPTIONS_END */
	bool dashes;			/* so is this: "--" ended the options */
	bool numbers;			/* the caller says: a negative number
					   behind an operand is one too */
	bool unknown;			/* OPTIONS_ERROR: no row has that
					   name */
	const struct option_row *meant; /* then: the one that may have been, or
					   NULL */
};

/* Whether the row's argument may be left out. */
bool options_is_optional(const struct option_row *);

/*
 * Make a parser over argv[1..].  With `stop_at_operand` the first word that is
 * not an option ends the options, as for a command line that holds a command;
 * without it options may stand behind operands, and these come to stand at
 * argv's end.  It owns nothing.
 */
void options_init(struct option_parser *, const struct option_row *, int argc,
    char **argv, bool stop_at_operand);

/* The next option's key, OPTIONS_END or OPTIONS_ERROR. */
int options_next(struct option_parser *, struct error *);

/*
 * Behind an unknown option: pass over the word that is its argument, if the one
 * that was meant takes one and it did not stand behind a '='.  Then the next
 * options can be read, so that all unknown ones are found.
 */
void options_skip_argument(struct option_parser *);

/* The row of the key, or NULL; so where there is no table. */
const struct option_values *options_values(const struct option_values *,
    int key);

/*
 * Which of its row's words the value of an option is, from 0 on; or it is
 * refused, with the option's name and the words.
 */
int options_choose(const struct option_row *, const struct option_values *,
    int key, const char *value, int *index, struct error *);

/* The rows as help: two columns, and help that is wrapped in the second. */
void options_print(FILE *, const struct option_row *);

#endif
