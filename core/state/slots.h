/*
 * The slots: a file beside the mirror ("REGISTRY.slots") with one slot per IPU,
 * and the locks of the IPUs.  Programs that attach write here and nowhere else.
 *
 *	header | slots[] (one per IPU)		... lock bytes, far behind
 *
 * Whoever is attached to an IPU holds an open-file-description lock on its
 * byte.  The kernel drops it when its holder dies.  So nobody puts another file
 * in the place of this one: it grows in its place.
 */
#ifndef CORE_STATE_SLOTS_H
#define CORE_STATE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/state/ipu_slot.h"

enum { SLOTS_PATH_SIZE = 256 + 8 };

struct state_paths;

struct slots {
	int fd; /* -1: closed */
	bool writable;
	bool made;   /* the file, not found there */
	int count;   /* IPUs that the file has slots for */
	size_t size; /* of the mapping */
	void *map;   /* shared, where writable */
	char path[SLOTS_PATH_SIZE];
};

/*
 * Open the slots that belong to the registry of these paths.  ERROR_NOT_FOUND:
 * there are none; ERROR_STALE: another version, or damaged; ERROR_UNSAFE as
 * registry_open() has it.  Closed again after each failure.
 */
int slots_open(struct slots *, const struct state_paths *, bool writable,
    struct error *);
void slots_close(struct slots *);

/*
 * Under the writer's lock: open for writing, with room for so many IPUs, and of
 * the state of that id (STORE_ID_SIZE bytes).  Made where there are none, and
 * grown where they are short.  The slots of another state, or version, begin
 * again at 0: ERROR_BUSY where a program is attached.  They may be open or
 * closed before.
 */
int slots_prepare(struct slots *, const struct state_paths *, const uint8_t *id,
    int ipus, struct error *);

/* Close them, and remove the file where it was made here. */
void slots_take_back(struct slots *);

/*
 * Hold all IPUs, whatever is in the file, until it is closed or detached:
 * ERROR_BUSY where a program is attached to one.  Where there is no file there
 * is nothing to hold, and the slots stay closed.
 */
int slots_reserve(struct slots *, const struct state_paths *, struct error *);

/*
 * Before a new pod: make room for so many IPUs, in the file that was reserved,
 * or in a new one where there is none.
 */
int slots_make_room(struct slots *, const struct state_paths *, int ipus,
    struct error *);

/* Whether they are those of the state, with room for so many IPUs. */
bool slots_fit(const struct slots *, const uint8_t *id, int ipus);

/* Whether an open file, and that of the slots, is the one under its path. */
bool slots_is_file(int fd, const char *path);
bool slots_are_current(const struct slots *);

/* Whether somebody cut the file while it was mapped here. */
bool slots_are_cut(const struct slots *);

/*
 * Take or give back a range of IPUs; see registry_attach().  slots_take()
 * returns -1 with errno set, EAGAIN where somebody holds one of them.
 */
int slots_take(struct slots *, int first, int count);
int slots_give_back(struct slots *, int first, int count);
/* The words of their holder are in these slots: others may be told of it. */
int slots_announce(struct slots *, int first, int count);
/*
 * Some IPUs of the range that a holder was announced of, as a range within it;
 * false where there are none.  Not the lowest.
 */
bool slots_find_holder(const struct slots *, int *first, int *count);
/* Lock every IPU of a file, whatever is in it, by its descriptor, until that is
   closed.  -1: somebody holds one, and none is locked. */
int slots_lock_all(int fd);
/* The lowest IPU of the range that is held by anyone else, or -1. */
int slots_held(const struct slots *, int first, int count);

/*
 * A copy of a slot, with texts that end and are fit for a terminal; all 0 where
 * the file has none for that IPU.
 */
void slots_read(const struct slots *, int ipu, struct ipu_slot *);
/* Its errors alone; 0 where the file has no such slot. */
uint32_t slots_faults(const struct slots *, int ipu);
/* Make the texts of a copy end, and fit for a terminal. */
void slots_clean(struct ipu_slot *);

/* Slots in memory, for readers: a descriptor or -1; and what one shows. */
int slots_create_private(const uint8_t *id, int ipus, struct error *);
int slots_put(const struct slots *, int ipu, const struct ipu_slot *,
    struct error *);

/* The slot itself, where the slots are writable and have one, else NULL. */
struct ipu_slot *slots_at(const struct slots *, int ipu);

#endif
