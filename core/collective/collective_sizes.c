/*
 * A hash of a collective's sizes.
 */
#include "core/collective/collective_sizes.h"

uint64_t
collective_sizes_hash(const struct collective_config *c)
{
	uint64_t	h = (uint64_t)c->total;
	int		i;

	for (i = 0; i < c->part_count; i++)
		h = (h ^ c->floats[i]) * 0x100000001b3u;
	return h;
}
