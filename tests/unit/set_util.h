/*
 * The message that makes a communicator.
 */
#ifndef TESTS_UNIT_SET_UTIL_H
#define TESTS_UNIT_SET_UTIL_H

#include <string.h>

#include "core/base/bits.h"
#include "core/collective/collective_message.h"

/* Write the message at `to`; return its bytes. */
static inline size_t
set_util_put(unsigned char *to, uint32_t request, const char *name,
    const uint32_t *members, uint32_t count)
{
	const size_t name_bytes = strlen(name);
	const struct collective_head h = {
		.size = (uint32_t)(COLLECTIVE_HEAD_BYTES + 8 + name_bytes +
		    count * 4),
		.kind = COLLECTIVE_COMMUNICATOR,
		.request = request
	};
	uint32_t i;

	collective_message_put_head(to, &h);
	to += COLLECTIVE_HEAD_BYTES;
	bits_put_le16(to, (uint16_t)name_bytes);
	bits_put_le16(to + 2, 0);
	bits_put_le32(to + 4, count);
	memcpy(to + 8, name, name_bytes);
	for (i = 0; i < count; i++)
		bits_put_le32(to + 8 + name_bytes + i * 4, members[i]);
	return h.size;
}

#endif
