/*
 * How a partition's owner shows that it lives: a process of a job, or of an
 * IPUJob, holds a lock on one byte of STATE/lock, whose place is the number of
 * the partition's identity (core/pod/pod.h).
 *
 *	byte 0				whoever changes the state
 *	bytes LOCK_OWNERS and on	owners: LOCK_OWNERS + number
 *
 * It is an open-file-description lock (fcntl(2)): children that are forked
 * inherit it, programs that are executed do not, and the kernel drops it when
 * the last holder is gone, whatever ended it.  It lies on the file, so it is
 * seen from every container and every host that share the directory; process
 * ids, which mean nothing there, decide nothing.
 */
#ifndef CORE_STATE_OWNER_LOCK_H
#define CORE_STATE_OWNER_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/registry.h"

#define LOCK_OWNERS ((int64_t)1 << 41)

/* An owner, and the identity of the partition that it has or will have. */
struct owner_lock {
	int fd; /* -1: none */
	uint8_t id[PARTITION_ID_SIZE];
};

/*
 * Draw an identity and take its byte, in the state directory of this process,
 * which must be there.  Before any fork whose child shall own as well; the
 * partition is made later, with that identity.  The caller closes it.
 */
int owner_lock_open(struct owner_lock *, struct error *);

/*
 * Another identity in place of this one, which none of these partitions has;
 * children that have the descriptor own that one as well.
 */
int owner_lock_draw(struct owner_lock *, const struct partition *, size_t count,
    struct error *);

/*
 * Take the byte of an identity that a partition has, if nobody holds it, as a
 * lock that is opened: ERROR_BUSY, and it is closed.  The partition may be gone
 * by then.
 */
int owner_lock_adopt(struct owner_lock *, const uint8_t id[PARTITION_ID_SIZE],
    struct error *);

/* Give up the share of this process; a closed one is fine. */
void owner_lock_close(struct owner_lock *);

/* Close it, and return when no other process holds that byte any more. */
void owner_lock_outlive(struct owner_lock *);

/*
 * Whether any process owns the partition with that identity; `fd` is any
 * descriptor of STATE/lock but an owner's own.  Where it cannot be found out:
 * true.
 */
bool owner_lock_is_held(int fd, const uint8_t id[PARTITION_ID_SIZE]);

/* The same for those who have no descriptor: whether its owner is gone. */
bool owner_lock_is_gone(const struct partition *);

/*
 * Whether the registry shows a partition whose owner is gone.  It takes no
 * lock, so it is a reason to look again under the writer's lock, and no more.
 */
bool owner_lock_any_gone(const struct registry *);

#endif
