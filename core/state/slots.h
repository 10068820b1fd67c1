/*
 * The slots: a file beside the registry's mirror ("REGISTRY.slots") with one
 * slot and two lock bytes per IPU.  One byte says that a program is attached,
 * the other that its slot describes it.  Programs that attach write here and
 * nowhere else.
 *
 *	header | slots[] (one per IPU)		... lock bytes, far after
 *
 * An attached program holds an open-file-description lock on its IPU's byte,
 * which the kernel drops when the holder dies.  So the file is never replaced:
 * it grows in place.
 */
#ifndef CORE_STATE_SLOTS_H
#define CORE_STATE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/state/ipu_slot.h"

enum { SLOTS_PATH_SIZE = 256 + 8 };

struct state_paths;

struct slots {
	int fd; /* -1: closed */
	bool writable;
	bool made;   /* this process created the file */
	int count;   /* IPUs that the file has slots for */
	size_t size; /* size of the mapping */
	void *map;   /* shared mapping if writable, else NULL */
	char path[SLOTS_PATH_SIZE];
};

/*
 * Open the slots of the registry at these paths.  ERROR_NOT_FOUND: missing;
 * ERROR_STALE: another version, or damaged; ERROR_UNSAFE as in registry_open().
 * Closed again after a failure.
 */
int slots_open(struct slots *, const struct state_paths *, bool writable,
    struct error *);
void slots_close(struct slots *);

/*
 * Open the slots for writing, under the writer's lock, for this many IPUs and
 * the state of that id (STORE_ID_SIZE bytes).  Creates or grows the file as
 * needed.  Slots of another state or version are reset to 0 (ERROR_BUSY while a
 * program is attached), which ends the lock of slots_reserve().  Before, the
 * slots may be open for writing, reserved, or closed (fd -1).  -1: they are
 * closed, and the file is removed if this process created it.
 */
int slots_prepare(struct slots *, const struct state_paths *, const uint8_t *id,
    int ipus, struct error *);

/* Close the slots, and remove the file if this process created it. */
void slots_take_back(struct slots *);

/* Open the file and lock all IPUs, whatever is in it, until slots_close() or
   slots_give_back().  The slots are not mapped yet.  ERROR_BUSY: a program is
   attached.  If the file is missing, the result is 0.  Then, and after -1, the
   slots are closed. */
int slots_reserve(struct slots *, const struct state_paths *, struct error *);

/* Reserve disk space for a new pod's IPUs, in the reserved file or in a new
   one.  Follow with slots_prepare(); to undo it, also after -1, with
   slots_take_back(). */
int slots_make_room(struct slots *, const struct state_paths *, int ipus,
    struct error *);

/* Whether the slots belong to the state and have room for this many IPUs. */
bool slots_fit(const struct slots *, const uint8_t *id, int ipus);

/* _is_file: whether the open file is the one at the path.  _are_current:
   whether the slots' file is; false if closed. */
bool slots_is_file(int fd, const char *path);
bool slots_are_current(const struct slots *);

/* Whether the file was truncated while mapped here. */
bool slots_are_cut(const struct slots *);

/* slots_take(): lock the first byte of each IPU of a range, all or none,
   without waiting; see registry_attach().  -1, errno EAGAIN or EACCES: another
   program holds one of them.  slots_give_back(): unlock both bytes of each
   IPU.  -1 with errno set. */
int slots_take(struct slots *, int first, int count);
int slots_give_back(struct slots *, int first, int count);
/* Lock the second byte of each IPU, after the holder's fields were written.  -1
   with errno set. */
int slots_announce(struct slots *, int first, int count);
/* Narrow the range to adjacent IPUs that another program has announced, not
   always its lowest.  Returns false, with the range unchanged, if none is. */
bool slots_find_holder(const struct slots *, int *first, int *count);
/* Lock every IPU of a file, whatever is in it, until the descriptor is closed.
   -1, with none locked: a program holds one, or errno has another reason. */
int slots_lock_all(int fd);
/* Return the lowest IPU in the range that another program holds, or -1. */
int slots_held(const struct slots *, int first, int count);

/* Copy a slot, with its texts terminated and safe for a terminal; all 0 if the
   file has no such slot. */
void slots_read(const struct slots *, int ipu, struct ipu_slot *);
/* Return an IPU's errors, or 0 without such a slot. */
uint32_t slots_faults(const struct slots *, int ipu);
/* Terminate the texts of a copy, and make them safe for a terminal. */
void slots_clean(struct ipu_slot *);

/* Create slots in memory, all 0.  Returns a descriptor to be closed, or -1. */
int slots_create_private(const uint8_t *id, int ipus, struct error *);
/* Write one slot of slots in memory. */
int slots_put(const struct slots *, int ipu, const struct ipu_slot *,
    struct error *);

/* Return the slot itself if the slots are mapped and have it, else NULL. */
struct ipu_slot *slots_at(const struct slots *, int ipu);

#endif
