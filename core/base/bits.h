/*
 * Whole numbers as bits.
 */
#ifndef CORE_BASE_BITS_H
#define CORE_BASE_BITS_H

#include <stdbool.h>

/* Whether n is 1, 2, 4, 8, ... */
static inline bool
bits_is_power_of_two(unsigned long n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

#endif
