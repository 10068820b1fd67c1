/*
 * What may stand in place of the last word of a command line: its candidates,
 * one per line on stdout, as the scripts of config/completions ask for them.
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
	CANDIDATES_PODS, /* of the program, as are the models */
	CANDIDATES_MODELS,
	CANDIDATES_DEVICES, /* their ids, in the active partition */
	CANDIDATES_PROGRAM  /* the words behind it are not ours */
};

/* The exit status of a completion behind which a shell offers no files. */
enum { CANDIDATES_CLOSED = 3 };

/* A line up to the word that is completed; the caller fills in the first. */
struct candidates {
	/* The option that the word "-q", "--quiet" or "--size=4" names. */
	const struct option_row *(*find)(void *context, const char *word);
	/* A word that is no option's; false: nothing behind it is ours. */
	bool (*operand)(void *context, const char *word);
	void *context;
	const struct caller *caller; /* in whose name is asked */

	const char *begun;		 /* the last word */
	const struct option_row *option; /* whose value it is, or NULL */
	bool attached;			 /* as in --size=4 */
};

/*
 * Read the words before the last one, which is the begun one.  A shell may hand
 * "=" out as a word of its own.  false: nothing of ours is to be completed.
 */
bool candidates_read(struct candidates *, char **words, int count);

/* The row of "-q" or "--quiet", with or without "=VALUE"; NULL: none. */
const struct option_row *candidates_find(const struct option_row *,
    const char *word);

/* One candidate, if it begins as the word does. */
void candidates_offer(const struct candidates *, const char *word);

/*
 * All of the names of what there is, as the caller sees it.  EXIT_DONE, or
 * CANDIDATES_CLOSED where a file's name can not stand there.
 */
int candidates_offer_kind(const struct candidates *, enum candidates_kind);

/*
 * All values that the begun option may have; returned is the same.  An option
 * called --color or --device-id, and an argument called "old|new", need no row
 * among the values.
 */
int candidates_offer_values(const struct candidates *,
    const struct option_values *);

/* All options of a table that its help has. */
void candidates_offer_options(const struct candidates *,
    const struct option_row *);

#endif
