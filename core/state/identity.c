/*
 * Drawing the identities of partitions.  What an identity is for, identity.h
 * says.
 */
#include "core/state/identity.h"

#include <bsd/stdlib.h>

#include <string.h>

/* Partitions without an identity, and free slots, have the number 0. */
static bool
is_taken(const struct partition *p, size_t count, uint64_t number)
{
	size_t	i;

	for (i = 0; i < count; i++)
		if (partition_id_number(p[i].id) == number)
			return true;
	return number == 0;
}

void
identity_draw(const struct partition *p, size_t count,
    uint8_t id[PARTITION_ID_SIZE])
{
	uint8_t	drawn[PARTITION_ID_SIZE];

	/* Not into id yet, which may be that of one of them. */
	do {
		arc4random_buf(drawn, sizeof(drawn));
	} while (is_taken(p, count, partition_id_number(drawn)));
	memcpy(id, drawn, sizeof(drawn));
}

void
identity_complete(struct partition *p, size_t count)
{
	size_t	i;

	for (i = 0; i < count; i++)
		if (!partition_has_id(&p[i]))
			identity_draw(p, count, p[i].id);
}
