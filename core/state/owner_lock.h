/*
 * How a partition's owner shows that it lives: a process of a job, or of an
 * IPUJob, holds a lock on one byte of STATE/lock.  Its offset follows from the
 * number of the partition's identity (core/pod/pod.h).
 *
 *	byte 0				the writer's lock
 *	byte LOCK_OWNERS + number	the owner's
 *
 * It is an open-file-description lock (fcntl(2)): forked children inherit it,
 * executed programs do not, and the kernel drops it when the last holder ends
 * for any reason.  Every container and host that shares the directory sees it.
 * Process ids mean nothing there, so they decide nothing.
 */
#ifndef CORE_STATE_OWNER_LOCK_H
#define CORE_STATE_OWNER_LOCK_H

#include "core/state/lock.h"
#include "core/state/registry.h"

#define LOCK_OWNERS ((int64_t)1 << 41)

/* An owner, and the identity of its present or future partition. */
struct owner_lock {
	int fd; /* -1: closed */
	uint8_t id[PARTITION_ID_SIZE];
};

/*
 * Draw an identity and lock its byte in STATE/lock of this process, which must
 * exist.  Call this before forking children that share the ownership; the
 * partition is made later with that identity.  The caller closes the lock;
 * after -1 it is closed.
 */
int owner_lock_open(struct owner_lock *, struct error *);

/* Replace the lock's identity by a new one that none of the `count` partitions
   has.  Unlock the old byte and lock the new one.  Children with the descriptor
   own the new one as well.  -1: no byte is locked, but the lock stays open. */
int owner_lock_draw(struct owner_lock *, const struct partition *, size_t count,
    struct error *);

/* Open STATE/lock and lock the byte of an existing partition's identity.  -1:
   the lock is closed; ERROR_BUSY: another process holds the byte.  After a
   success the partition may be gone already. */
int owner_lock_adopt(struct owner_lock *, const uint8_t id[PARTITION_ID_SIZE],
    struct error *);

/* Give up this process's share of the lock; the owner is gone when all
   processes have done so.  A closed lock is fine. */
void owner_lock_close(struct owner_lock *);

/* Close the lock, and wait, without a limit, until no other process holds the
   byte.  Does not wait if STATE/lock cannot be opened. */
void owner_lock_outlive(struct owner_lock *);

/* Whether any process owns the partition with that identity; true if that
   cannot be determined.  `fd` must be a descriptor of STATE/lock other than an
   owner's, which would not see its own lock. */
bool owner_lock_is_held(int fd, const uint8_t id[PARTITION_ID_SIZE]);

/* Whether the partition has an owner of a kind that locks, and that owner is
   gone.  False if that cannot be determined.  Needs no descriptor. */
bool owner_lock_is_gone(const struct partition *);

/* Whether the registry shows a partition with a dead owner; false if it is
   unreadable.  Takes no lock, so the caller must look again under the writer's
   lock. */
bool owner_lock_any_gone(const struct registry *);

/* Whether the registry shows a partition whose owner is of that kind; false if
   it is unreadable. */
bool owner_lock_any_kind(const struct registry *, int kind);

/*
 * How a server shows that it owns a state directory: it holds byte
 * SERVER_LOCK_BYTE of STATE/lock (lock.h) while it lives, and leaves a record
 * after the writer's.
 *
 * A process that wants to change the state checks this lock twice: before it
 * takes the writer's lock, so that it does not wait for a hanging server, and
 * again under it, in case a server has started meanwhile.
 */

enum { SERVER_LOCK_BYTE = 1 };

/* Become the server by locking the byte in STATE/lock, which must exist.
   Returns a close-on-exec descriptor, to be closed only by
   server_lock_give_back(), or -1.  ERROR_BUSY: another process is the server,
   which the text names. */
int server_lock_take(const struct directory *, struct error *);
/* Become the server by locking an open file that will replace STATE/lock.
   Returns 0, and `fd` holds the lock; -1 as above, and `fd` stays open. */
int server_lock_take_file(int fd, const char *directory, struct error *);
/* Stop being the server, and close the descriptor. */
void server_lock_give_back(int fd);

/*
 * Return 0, or -1 if another process is the server (ERROR_BUSY; the text names
 * it and how to end it).  `fd` is any descriptor of STATE/lock.
 * server_lock_check_path() opens the file itself; if it cannot, it returns 0,
 * because the rights of the other files protect them.
 */
int server_lock_check(int fd, const char *directory, struct error *);
int server_lock_check_path(const char *directory, struct error *);

/* Whether any process is the server, also this one; but `fd` must not be the
   descriptor that holds the lock.  False if that cannot be determined. */
bool server_lock_is_held(int fd);
/* Whether this process is the server of any directory. */
bool server_lock_is_own(void);

/* Read the server's record.  Returns false, with the record all 0, without a
   server or if STATE/lock cannot be opened. */
bool server_lock_find_holder(const char *directory, struct lock_holder *);

#endif
