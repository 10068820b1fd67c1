/*
 * Functions of the state for the other files of core/state.  Private to
 * core/state and its tests.
 *
 * A reader that finds a half-written registry asks whether its writer is alive,
 * and repairs it if not.
 */
#ifndef CORE_STATE_STATE_INTERNAL_H
#define CORE_STATE_STATE_INTERNAL_H

#include "core/state/state.h"
#include "core/state/store.h"

/* Whether a program holds the state directory's lock; true if that cannot be
   determined, false if the lock's file is missing. */
bool state_has_writer(const char *directory);

/* Make or rebuild the registry `path` as state_open() does, and close it.  -1
   also if that is possible only in memory. */
int state_repair(const char *directory, const char *path, struct error *);

/* _begin: create and open the directory and its lock's file, nothing else;
   after a success the caller ends it with state_close().  _take_lock: take the
   lock, waiting at most limit_ms (lock.h), until state_unlock(). */
int state_begin(struct state *, const struct state_paths *, struct error *);
int state_take_lock(struct state *, int64_t limit_ms, struct error *);

/*
 * Change the files and the mirror in an order that survives a kill at any
 * point, under the writer's lock and after the checks of state.c:
 *
 *	mark the registry dirty	-> the INI file -> the mirror -> unmark
 *
 * A kill leaves either no change or the mark, which has the mirror rebuilt from
 * the files.
 *
 * The checks of mirror_copy.h protect a writer's memory, but not against a
 * forged mirror with a valid checksum, such as an expired partition.  So a file
 * is replaced or removed only if it agrees with the mirror, and a file that the
 * mirror does not show is never overwritten.
 *
 * _put_partition: write a partition's file and its slot in the mirror, which
 * may be free.  _remove_partition: remove the file and slot.  _put_agent: write
 * a machine's condition.  0: on the disk, except a new `reset_ms` alone.  -1:
 * nothing has changed; with ERROR_UNCONFIRMED it may have.  ERROR_STALE: mirror
 * and file disagree; the registry is marked, and the next lock rebuilds it.
 */
int change_put_partition(struct state *, int slot, const struct partition *,
    struct error *);
int change_remove_partition(struct state *, int slot, struct error *);
int change_put_agent(struct state *, int index, const struct agent *,
    struct error *);

/* -1 (ERROR_STALE, as above): the files have a partition of that name, or not
   as many partitions as the mirror. */
int change_check_absent(const struct state *, const char *name, struct error *);

/* Return a user's INI text, which the caller frees. */
char *user_store_text(const struct user *);

/*
 * The layout of the slots' file, and a copy of all slots at one moment.
 * Private to core/state and its tests.
 */

struct slots_header {
	char magic[8];	    /* "ipuslot\n" */
	uint32_t version;   /* of slots.c */
	uint32_t slot_size; /* bytes */
	uint32_t count;	    /* number of slots after the header */
	uint32_t reserved;
	uint8_t id[STORE_ID_SIZE]; /* id of the state directory */
	uint8_t padding[24];	   /* to a cache line */
};

_Static_assert(sizeof(struct slots_header) == 64, "layout");
_Static_assert(offsetof(struct slots_header, id) == 24, "layout");
/* Whole cache lines: threads of two IPUs never write to the same one. */
_Static_assert(sizeof(struct ipu_slot) == 640, "layout");

/* The slots at one moment, for displays of many IPUs: the file is copied in a
   few pieces, and only used slots are kept. */
struct slots_frozen;

/* Copy the slots of that many IPUs; now_ns is CLOCK_REALTIME.  Unreadable slots
   are 0.  The caller frees the copy with slots_frozen_free(), for which NULL is
   fine. */
struct slots_frozen *slots_frozen_new(const struct slots *, int ipus,
    int64_t now_ns);
void slots_frozen_free(struct slots_frozen *);

/* Whether the IPU has an announced holder. */
bool slots_frozen_is_held(const struct slots_frozen *, int ipu);
/* Make slots_frozen_is_held() return false for the IPU from now on. */
void slots_frozen_forget(struct slots_frozen *, int ipu);
/* Return the IPU's errors (core/pod/pod.h); 0 outside the copy. */
uint32_t slots_frozen_faults(const struct slots_frozen *, int ipu);
/* Copy a slot, with texts safe for a terminal.  All 0 outside the copy; of an
   unused slot all but the errors is 0.  The ring of an IPU that had not
   computed in the two minutes before now_ns is 0. */
void slots_frozen_read(const struct slots_frozen *, int ipu, struct ipu_slot *);
/* Copy only the ring.  Returns false, without a copy, if it is 0. */
bool slots_frozen_ring(const struct slots_frozen *, int ipu,
    struct busy_ring *);

#endif
