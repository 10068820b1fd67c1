/*
 * Completion: prints the candidates for the last word of a command line, one
 * per line on stdout, as the scripts of config/completions expect.
 */
#ifndef APPLETS_CANDIDATES_H
#define APPLETS_CANDIDATES_H

#include <stdbool.h>

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

/* The line up to the word to complete.  The caller sets four members. */
struct candidates {
	/* Return the option of the word "-q", "--quiet" or "--size=4". */
	const struct option_row *(*find)(void *context, const char *word);
	/* Take a word that is not an option. false: the rest is not ours. */
	bool (*operand)(void *context, const char *word);
	void *context;
	const struct caller *caller; /* identity for requests */

	const char *begun;		 /* the incomplete last word */
	const struct option_row *option; /* the option it belongs to, or NULL */
	bool attached;			 /* written as --size=4 */
};

/* Read all words, of which the last one is incomplete.  A shell may pass "=" as
   a separate word.  false: the last word is not ours to complete. */
bool candidates_read(struct candidates *, char **words, int count);

/* Return the row of "-q" or "--quiet", with or without "=VALUE", or NULL. */
const struct option_row *candidates_find(const struct option_row *,
    const char *word);

/* Print one candidate if it starts with the incomplete word. */
void candidates_offer(const struct candidates *, const char *word);

/* Print all existing names of the kind that the caller can see.  Returns
   EXIT_DONE, or CANDIDATES_CLOSED if a file name is not allowed there. */
int candidates_offer_kind(const struct candidates *, enum candidates_kind);

/* Print all values of the option being completed; returns as above.  An option
   called --color or --device-id, and an argument called "old|new", need no row
   among the values. */
int candidates_offer_values(const struct candidates *,
    const struct option_values *);

/* Print all options of a table that its help lists. */
void candidates_offer_options(const struct candidates *,
    const struct option_row *);

#endif
