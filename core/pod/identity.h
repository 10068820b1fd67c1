/*
 * The identity of a partition: 16 random bytes that it keeps for life, so that
 * another one that gets its name later is not taken for it.  Zeros are
 * none: an older ipubox made it.
 *
 * The low 40 bits are a number of their own, by which the owner of a partition
 * locks a byte (core/state/owner_lock.h): no two partitions of a pod share it.
 */
#ifndef CORE_POD_IDENTITY_H
#define CORE_POD_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pod/partition.h"

/* Whether there is one, and its number. */
bool		identity_is_set(const uint8_t id[PARTITION_ID_SIZE]);
uint64_t	identity_number(const uint8_t id[PARTITION_ID_SIZE]);

/* Whether two partitions are the same one, by both name and identity. */
bool	identity_is_same(const struct partition *, const struct partition *);

/*
 * A new identity, whose number none of these partitions has and which is not 0.
 * Free slots of the registry may be among them.
 */
void	identity_draw(const struct partition *, size_t count,
	    uint8_t id[PARTITION_ID_SIZE]);

/* Give one to each of them that has none, as those of an older ipubox. */
void	identity_complete(struct partition *, size_t count);

#endif
