/*
 * The identity of a partition: 16 random bytes that it keeps for life, so that
 * another one that gets its name later is not taken for it.  Private to
 * core/state and core/control.
 *
 * The low 40 bits are a number of their own, by which the owner of a partition
 * locks a byte (owner_lock.h): no two partitions of a pod share it.
 */
#ifndef CORE_STATE_IDENTITY_H
#define CORE_STATE_IDENTITY_H

#include "core/pod/partition.h"

/*
 * A new identity, whose number none of these partitions has and which is not 0.
 * Free slots of the registry may be among them.
 */
void	identity_draw(const struct partition *, size_t count,
	    uint8_t id[PARTITION_ID_SIZE]);

/* Give one to each of them that has none, as those of an older ipubox. */
void	identity_complete(struct partition *, size_t count);

#endif
