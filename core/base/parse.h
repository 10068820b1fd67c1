/*
 * Parsing values, names of objects and variables of the environment.  A text is
 * accepted whole or refused.  `what` names the value in the error, as "--size"
 * or "FILE:3: size".  The parse_ and name_ functions return 0, or -1 with
 * ERROR_INVALID.
 */
#ifndef CORE_BASE_PARSE_H
#define CORE_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

/* Parse a decimal number from min to max.  On failure *value may change. */
int parse_number(const char *what, const char *text, long long min,
    long long max, long long *value, struct error *);

/* Parse a finite decimal number, as 0.001 or 1e-3, from low to high.  On
   failure *value may change. */
int parse_real(const char *what, const char *text, double low, double high,
    double *value, struct error *);

/* Parse a duration from one second to ten years: a whole number of seconds, or
   one followed by s, m, h or d. */
int parse_duration(const char *what, const char *text, int64_t *ms,
    struct error *);

/* Parse yes/no, on/off, true/false or 1/0, ignoring case. */
int parse_bool(const char *what, const char *text, bool *value, struct error *);

/*
 * Check the name of a pod object (partition, cluster, agent, allocation, user):
 * 1 to NAME_LENGTH_MAX characters from A-Z a-z 0-9 . _ -, the first a letter or
 * a digit.  Names become file names, so this is the only gate between a command
 * line and the state directory.
 */
enum { NAME_LENGTH_MAX = 63 };
int name_check(const char *what, const char *name, struct error *);

/* Check the text as name_check() does, and copy it to `name`, which stays
   unchanged on failure. */
int name_parse(const char *what, const char *text,
    char name[NAME_LENGTH_MAX + 1], struct error *);

/* Return the value of a variable, owned by the environment; NULL if it is unset
   or empty, because scripts pass missing values as empty ones. */
const char *variable_get(const char *name);

/* Remove a variable from the environment and return a copy, which the caller
   frees; NULL if it is unset.  The value is also erased from /proc/PID/environ,
   where other processes of this user could read it. */
char *variable_take(const char *name);

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

struct suggestion {
	const char *typed;
	const char *best; /* the best so far, or NULL */
	int distance;	  /* slips to `best`; without it one more than the
			     limit */
};

/* Texts are not copied and must outlive the suggestion. */
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
   WORDS" and the hint, ERROR_FAILED; always -1.  The words are one text, as
   "old or new", "sh, csh or fish". */
int suggest_refuse(const char *what, const char *value, const char *words,
    struct error *);

/* Set *index to the value's place among the words (from 0) and return 0, or
   return suggest_refuse(). */
int suggest_choose(const char *what, const char *value, const char *words,
    int *index, struct error *);

#endif
