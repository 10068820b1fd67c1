/*
 * Integers as bits and bytes.
 */
#ifndef CORE_BASE_BITS_H
#define CORE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
