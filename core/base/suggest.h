/*
 * "Did you mean": the known word that is nearest to a mistyped one.
 *
 * Near is what a few slips of the fingers make of a word: a letter more, less
 * or wrong, two that changed places (the optimal string alignment distance),
 * in any case; so is a word of which only the beginning was typed.  A word of
 * one or two letters is near to no other, one of up to five is one slip away,
 * of up to eight two, a longer one three.  Names that differ in the digits of
 * their numbers alone are not near.
 */
#ifndef CORE_BASE_SUGGEST_H
#define CORE_BASE_SUGGEST_H

#include <stddef.h>

#include "core/base/error.h"

struct suggestion {
	const char *typed;
	const char *best; /* so far, or NULL */
	int distance;	  /* of the best; below it is nearer */
};

/* The texts are not copied: they must last as long as the suggestion. */
void suggest_begin(struct suggestion *, const char *typed);

/* A word that may have been meant; of two as near the first counts. */
void suggest_offer(struct suggestion *, const char *word);

/*
 * Put " (did you mean DASHESWORD?)" behind the text of the error, or within the
 * parentheses at its end, if a word is near enough; return -1.  The code stays.
 */
int suggest_append(const struct suggestion *, const char *dashes,
    struct error *);

/* The same for one list of words, which ends with NULL. */
int suggest_word(const char *typed, const char *const *words, struct error *);

/*
 * The same for the names in `count` rows of `size` bytes, each a text within
 * its row at `offset`; `rows` may be NULL where there are none.
 */
int suggest_name(const char *typed, const void *rows, size_t count, size_t size,
    size_t offset, struct error *);

/*
 * A value that is none of the words: "WHAT 'VALUE': must be WORDS" and the
 * hint.  The words stand in one text, as "old or new", "sh, csh or fish".
 */
int suggest_refuse(const char *what, const char *value, const char *words,
    struct error *);

/* Which of the words the value is, from 0 on; or it is refused as above. */
int suggest_choose(const char *what, const char *value, const char *words,
    int *index, struct error *);

#endif
