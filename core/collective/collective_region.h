/*
 * Where a program is on another host than poprun, what it gave as memory is
 * memory of both sides, and the vectors and results in it go as messages of
 * kind COLLECTIVE_BYTES, which have the place in the memory (64 bits, behind
 * the head) and the bytes.  No program sees them (ipubox-internals(7)).
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_REGION_H
#define CORE_COLLECTIVE_COLLECTIVE_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/collective/collective_message.h"

enum {
	COLLECTIVE_BYTES = 64,		/* beside enum collective_kind */
	COLLECTIVE_REGION_HEAD = COLLECTIVE_HEAD_BYTES + 8,
	COLLECTIVE_REGION_MAX = COLLECTIVE_MESSAGE_MAX - COLLECTIVE_REGION_HEAD
};

/* The message that so many bytes, at most COLLECTIVE_REGION_MAX, stand
   behind. */
void	collective_region_put(unsigned char head[COLLECTIVE_REGION_HEAD],
	    uint64_t offset, size_t bytes);

/* Put the bytes of a message's body in their place.  -1, ERROR_INVALID: that is
   not in the memory. */
int	collective_region_take(const unsigned char *body, size_t size,
	    unsigned char *memory, size_t memory_bytes, struct error *);

#endif
