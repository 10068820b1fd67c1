/*
 * A set of small numbers, as the processors of a machine: one bit each, so that
 * {{0}} is the empty set and `words` has the kernel's format.
 *
 * As text it is a list of numbers and ranges, "0-3,8", as Linux writes it:
 * cpuset(7), "List format".
 */
#ifndef CORE_BASE_NUMBER_SET_H
#define CORE_BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stdio.h>

enum {
	NUMBER_SET_SIZE = 8192, /* 0 to 8191: the most processors that Linux can
				   be built for */
	NUMBER_SET_WORD_BITS = (int)sizeof(unsigned long) * 8
};

struct number_set {
	unsigned long words[NUMBER_SET_SIZE / NUMBER_SET_WORD_BITS];
};

/* Add a number.  A number outside of 0 to 8191 is ignored, and never in a
   set. */
void number_set_add(struct number_set *, int number);
bool number_set_has(const struct number_set *, int number);

/* Return the first number from `number` on, or -1.  To visit all: for (n =
   number_set_next(s, 0); n != -1; n = number_set_next(s, n + 1)) */
int number_set_next(const struct number_set *, int number);
bool number_set_is_empty(const struct number_set *);
int number_set_count(const struct number_set *);

/* Parse a list; an empty one, with or without a line end, is the empty set.
   Numbers that are too large are skipped.  Returns 0; or -1 with the empty set
   if it is not a list. */
int number_set_parse(struct number_set *, const char *list);

/* Print the set as a list. */
void number_set_print(FILE *, const struct number_set *);
/* Return the list as a text, which the caller frees. */
char *number_set_text(const struct number_set *);

#endif
