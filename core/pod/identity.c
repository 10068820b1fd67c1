/*
 * Identities of partitions; core/pod/pod.h explains them.
 */
#include "core/pod/pod.h"

#include <bsd/stdlib.h>

#include <string.h>

bool
identity_is_set(const uint8_t id[PARTITION_ID_SIZE])
{
	static const uint8_t none[PARTITION_ID_SIZE];

	return memcmp(id, none, sizeof(none)) != 0;
}

uint64_t
identity_number(const uint8_t id[PARTITION_ID_SIZE])
{
	uint64_t number = 0;
	int i;

	for (i = PARTITION_ID_SIZE - 5; i < PARTITION_ID_SIZE; i++)
		number = number << 8 | id[i];
	return number;
}

bool
identity_is_same(const struct partition *p, const struct partition *q)
{
	return strcmp(p->name, q->name) == 0 &&
	    memcmp(p->id, q->id, sizeof(p->id)) == 0;
}

/* Partitions without an identity, and free slots, have the number 0. */
static bool
is_taken(const struct partition *p, size_t count, uint64_t number)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (identity_number(p[i].id) == number)
			return true;
	return number == 0;
}

void
identity_draw(const struct partition *p, size_t count,
    uint8_t id[PARTITION_ID_SIZE])
{
	uint8_t drawn[PARTITION_ID_SIZE];

	/* Not drawn directly into id, which may belong to one of them. */
	do {
		arc4random_buf(drawn, sizeof(drawn));
	} while (is_taken(p, count, identity_number(drawn)));
	memcpy(id, drawn, sizeof(drawn));
}

void
identity_complete(struct partition *p, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!identity_is_set(p[i].id))
			identity_draw(p, count, p[i].id);
}
