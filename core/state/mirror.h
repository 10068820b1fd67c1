/*
 * Changing the mirror: first the writer's private copy (mirror_copy.h), then
 * the file, record by record.  Private to core/state; every change is made
 * under the lock of the directory.
 *
 * If a change of one record cannot be written to the file, the change still
 * counts: the dirty mark stays, and the next process that takes the lock
 * rebuilds the mirror from the INI files.
 */
#ifndef CORE_STATE_MIRROR_H
#define CORE_STATE_MIRROR_H

#include "core/state/mirror_copy.h"
#include "core/state/registry.h"

/*
 * Finds the machines that keep their places when a pod changes.  A place is an
 * index in the pod's agents; IPU numbers follow from it.  Private to
 * core/state.
 */

struct renumber {
	/* By new place: old place of the machine, or -1 if it is new. */
	int32_t *from;
	int count;     /* number of machines in the new pod */
	int old_count; /* in the old one */
};

/* Compare two pods.  A machine is identified by its data plane address or, if
   that changed, by its name in its old place.  Release the result. */
void renumber_find(struct renumber *, const struct pod *from,
    const struct pod *to);
void renumber_release(struct renumber *);

/*
 * Lock the IPUs at all old places whose machine has moved or is gone, so that
 * no program attaches to them meanwhile.  -1, with none locked; ERROR_BUSY: a
 * program is attached to one, described as `reader` may see it.
 */
int renumber_lock(const struct renumber *, struct registry *,
    const struct pod *from, uid_t reader, struct error *);
void renumber_unlock(const struct renumber *, struct registry *);

/* Move the IPUs' slots to the machines' new places; those of new machines and
   beyond the last become 0.  Does nothing if the slots are not mapped. */
void renumber_slots(const struct renumber *, const struct slots *);

/* Create the mirror's file at `path`, with the store's contents, for the state
   directory `directory`.  It replaces an old file only when complete; after -1
   the old file stays. */
int mirror_create(const char *path, const char *directory, const struct store *,
    struct error *);

/* Return -1 if mirror_create() would fail now: this user may not replace the
   file, or the disk has too little room.  Nothing stays on the disk. */
int mirror_check_create(const char *path, const char *directory,
    const struct store *, struct error *);

/* Create a mirror in memory, without a path.  Returns its descriptor, which the
   caller closes, or -1. */
int mirror_create_private(const char *directory, const struct store *,
    struct error *);

/*
 * Write the store into the open mirror file.  The file grows if the pod needs
 * it, and the copy is replaced by one of the new contents.  The IPUs' slots
 * follow their machines as `moved` says (NULL: no machine moved).  -1: the file
 * may be half written, so the caller must mark it dirty before.
 */
int mirror_fill(struct mirror *, struct registry *, const struct store *,
    const struct renumber *moved, struct error *);

/* Return the index of a free slot in the partition table; -1: all are used. */
int mirror_free_slot(const struct mirror *);
/* Return the slot of the partition of that name, or -1. */
int mirror_find(const struct mirror *, const char *name);
/* Put the partition into a slot of the copy, then of the file; NULL frees the
   slot.  -1 and errno: the copy has changed, the file perhaps not. */
int mirror_set(struct mirror *, const struct registry *, int slot,
    const struct partition *);

/* Replace the machine with that index in the pod, in the copy, then in the
   file.  -1 as for mirror_set(). */
int mirror_set_agent(struct mirror *, const struct registry *, int index,
    const struct agent *);

/* Set or clear the mark that the INI files may be ahead of the mirror.  Failure
   to write the mark is an error. */
int mirror_mark(const struct registry *, bool dirty, struct error *);

/* Record the modification time of partitions/; ignores a failure. */
void mirror_set_stamp(const struct registry *, int64_t s, int64_t ns);

/*
 * Return -1 for a partition with an invalid name, or a place outside the pod
 * (both ERROR_INVALID), or with IPUs of a partition in a slot other than `slot`
 * (ERROR_NO_ROOM).  `slot` is its present slot, or -1 for a new one.
 */
int mirror_check(const struct mirror *, const struct partition *, int slot,
    struct error *);

/* Mark the file as replaced, for processes that still have it open. */
void mirror_retire(int fd);

#endif
