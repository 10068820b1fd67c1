/*
 * A set of small numbers, as the processors of a machine: a plain bit for each,
 * so that {{0}} is the empty set and the kernel takes `words` as it is.
 *
 * As text it is a list of numbers and ranges, "0-3,8", as Linux writes it:
 * cpuset(7), "List format".
 */
#ifndef CORE_BASE_NUMBER_SET_H
#define CORE_BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stdio.h>

enum {
	NUMBER_SET_SIZE = 8192, /* 0 to 8191: most processors that Linux may be
				   built for */
	NUMBER_SET_WORD_BITS = (int)sizeof(unsigned long) * 8
};

struct number_set {
	unsigned long words[NUMBER_SET_SIZE / NUMBER_SET_WORD_BITS];
};

/* A number that is too large for a set is in none. */
void number_set_add(struct number_set *, int number);
bool number_set_has(const struct number_set *, int number);

/* The first one from `number` on, -1: there is none.  For a walk:
   for (n = number_set_next(s, 0); n != -1; n = number_set_next(s, n + 1)) */
int number_set_next(const struct number_set *, int number);
bool number_set_is_empty(const struct number_set *);
int number_set_count(const struct number_set *);

/*
 * The set that a list names; an empty list, with or without a line's end, is
 * the empty set.  Numbers that are too large for a set are passed over.  -1,
 * and the empty set: it is not a list.
 */
int number_set_parse(struct number_set *, const char *list);

/* The list of a set. */
void number_set_print(FILE *, const struct number_set *);
/* The same as a text, which the caller frees. */
char *number_set_text(const struct number_set *);

#endif
