/*
 * Integers as bits and bytes, and sets of small numbers.
 */
#ifndef CORE_BASE_BITS_H
#define CORE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Return true if n is 1, 2, 4, 8, ... */
static inline bool
bits_is_power_of_two(unsigned long n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* Write and read a number as two bytes, the lowest first, so that other hosts
   can read it. */
static inline void
bits_put_le16(unsigned char *to, uint16_t number)
{
	to[0] = (unsigned char)number;
	to[1] = (unsigned char)(number >> 8);
}

static inline uint16_t
bits_get_le16(const unsigned char *from)
{
	return (uint16_t)(from[0] | from[1] << 8);
}

/* Write and read a number as four bytes in the same way. */
static inline void
bits_put_le32(unsigned char *to, uint32_t number)
{
	to[0] = (unsigned char)number;
	to[1] = (unsigned char)(number >> 8);
	to[2] = (unsigned char)(number >> 16);
	to[3] = (unsigned char)(number >> 24);
}

static inline uint32_t
bits_get_le32(const unsigned char *from)
{
	return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
	    (uint32_t)from[3] << 24;
}

/* Write and read a number as eight bytes in the same way. */
static inline void
bits_put_le64(unsigned char *to, uint64_t number)
{
	bits_put_le32(to, (uint32_t)number);
	bits_put_le32(to + 4, (uint32_t)(number >> 32));
}

static inline uint64_t
bits_get_le64(const unsigned char *from)
{
	return bits_get_le32(from) | (uint64_t)bits_get_le32(from + 4) << 32;
}

/*
 * A set of small numbers, as the processors of a machine: one bit each, so that
 * {{0}} is the empty set and `words` has the kernel's format.
 *
 * As text it is a list of numbers and ranges, "0-3,8", as Linux writes it:
 * cpuset(7), "List format".
 */

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
