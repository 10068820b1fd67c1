/*
 * Whole numbers as bits.
 */
#ifndef CORE_BASE_BITS_H
#define CORE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether n is 1, 2, 4, 8, ... */
static inline bool
bits_is_power_of_two(unsigned long n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* Four bytes, little endian, as they go to another host. */
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

#endif
