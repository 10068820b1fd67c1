/*
 * "Did you mean": the known word that is nearest to a mistyped one.
 *
 * A word is near if a few typing slips explain the difference: a letter more,
 * less or wrong, or two letters exchanged (the optimal string alignment
 * distance), ignoring case; or if only its beginning was typed.  A word of up
 * to two letters has no near one, of up to five allows one slip, of up to eight
 * two, a longer one three.  Names that differ only in the digits of their
 * numbers are not near.
 */
#ifndef CORE_BASE_SUGGEST_H
#define CORE_BASE_SUGGEST_H

#include <stddef.h>

#include "core/base/error.h"

struct suggestion {
	const char *typed;
	const char *best; /* the best so far, or NULL */
	int distance;	  /* slips to `best`; without it one more than the
			     limit */
};

/* Begin.  Texts are not copied and must outlive the suggestion. */
void suggest_begin(struct suggestion *, const char *typed);

/* Offer a candidate; of equally near words the first counts. */
void suggest_offer(struct suggestion *, const char *word);

/* If a word is near enough, append " (did you mean DASHESWORD?)" to the error's
   text, or insert it within the parentheses at its end.  Keeps the code.
   Returns -1 in any case. */
int suggest_append(const struct suggestion *, const char *dashes,
    struct error *);

/* Do the same for a list of words that ends with NULL. */
int suggest_word(const char *typed, const char *const *words, struct error *);

/* Do the same for the names in `count` rows of `size` bytes, each a text at
   `offset` in its row; `rows` may be NULL if count is 0. */
int suggest_name(const char *typed, const void *rows, size_t count, size_t size,
    size_t offset, struct error *);

/* Refuse a value that is not one of the words, with "WHAT 'VALUE': must be
   WORDS" and the hint; always -1.  The words are one text, as "old or new",
   "sh, csh or fish". */
int suggest_refuse(const char *what, const char *value, const char *words,
    struct error *);

/* Set *index to the value's place among the words (from 0), or refuse it. */
int suggest_choose(const char *what, const char *value, const char *words,
    int *index, struct error *);

#endif
