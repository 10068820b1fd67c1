/*
 * Completion: prints the candidates for the last word of a command line, one
 * per line on stdout, as the scripts of config/completions expect.
 */
#ifndef APPLETS_CANDIDATES_H
#define APPLETS_CANDIDATES_H

#include "core/base/options.h"
#include "core/control/control.h"

/* Kinds of things that have names (struct option_values, struct applet). */
enum candidates_kind {
	CANDIDATES_NOTHING,
	CANDIDATES_PARTITIONS,
	CANDIDATES_ALLOCATIONS,
	CANDIDATES_CLUSTERS,
	CANDIDATES_AGENTS,
	CANDIDATES_USERS,
	CANDIDATES_PODS, /* pods that the program contains */
	CANDIDATES_MODELS,
	CANDIDATES_DEVICES, /* their ids, in the active partition */
	CANDIDATES_PROGRAM  /* the words that follow belong to it */
};

/* The exit status that tells a shell not to offer files. */
enum { CANDIDATES_CLOSED = 3 };

/* The line up to the word to complete.  The caller sets the first four members
   and zeroes the others, which candidates_read() sets. */
struct candidates {
	/* Return the option of the word "-q", "--quiet" or "--size=4", or
	   NULL. */
	const struct option_row *(*find)(void *context, const char *word);
	/* Take a complete word that is not an option.  false: this program
	   does not complete the words after it. */
	bool (*operand)(void *context, const char *word);
	void *context;
	const struct caller *caller; /* identity for requests */

	const char *begun;		 /* the incomplete last word */
	const struct option_row *option; /* `begun` is its value; or NULL */
	bool attached;			 /* `begun` is all of "--size=4" */
};

/* Read all words, of which the last one is incomplete.  A shell may pass "=" as
   a separate word.  false: there is nothing to complete: `count` is 0, a word
   is "--", or operand() returned false. */
bool candidates_read(struct candidates *, char **words, int count);

/* Return the row of "-q" or "--quiet", with or without "=VALUE", or NULL. */
const struct option_row *candidates_find(const struct option_row *,
    const char *word);

/* Print one candidate if it starts with the incomplete word.  Of "--size=4" the
   candidate is compared with "4", and printed after "--size=". */
void candidates_offer(const struct candidates *, const char *word);

/* Offer all names of the kind that the caller can see; DEVICES: those that
   programs of this host see.  Returns EXIT_DONE for NOTHING and PROGRAM, which
   have no names, and for PODS and MODELS, because a file is accepted too;
   otherwise CANDIDATES_CLOSED, also if no name was found. */
int candidates_offer_kind(const struct candidates *, enum candidates_kind);

/* Offer all values of the line's `option`, which must not be NULL.  Options
   called --color or --device-id, and options with an argument such as
   "old|new", need no row in the table.  Returns EXIT_DONE if the values are
   unknown or may be files; otherwise CANDIDATES_CLOSED. */
int candidates_offer_values(const struct candidates *,
    const struct option_values *);

/* Offer "--NAME" of all options of a table, except aliases. */
void candidates_offer_options(const struct candidates *,
    const struct option_row *);

#endif
