/*
 * Bytes of a memory that two hosts have.
 */
#include "core/collective/collective_region.h"

#include <string.h>

#include "core/base/bits.h"

void
collective_region_put(unsigned char head[COLLECTIVE_REGION_HEAD],
    uint64_t offset, size_t bytes)
{
	memset(head, 0, COLLECTIVE_HEAD_BYTES);
	bits_put_le32(head, (uint32_t)(COLLECTIVE_REGION_HEAD + bytes));
	bits_put_le16(head + 4, COLLECTIVE_BYTES);
	bits_put_le64(head + COLLECTIVE_HEAD_BYTES, offset);
}

int
collective_region_take(const unsigned char *body, size_t size,
    unsigned char *memory, size_t memory_bytes, struct error *e)
{
	uint64_t	offset = 0;
	size_t		bytes = 0;

	if (size >= sizeof(offset)) {
		offset = bits_get_le64(body);
		bytes = size - sizeof(offset);
	}
	if (bytes == 0 || offset > memory_bytes ||
	    bytes > memory_bytes - offset)
		return error_set_code(e, ERROR_INVALID, "%zu bytes at %llu "
		    "are not in the memory of %zu bytes", bytes,
		    (unsigned long long)offset, memory_bytes);
	memcpy(memory + offset, body + sizeof(offset), bytes);
	return 0;
}
