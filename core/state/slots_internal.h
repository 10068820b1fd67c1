/*
 * The layout of the slots' file, and a copy of all slots at one moment.
 * Private to core/state and its tests.
 */
#ifndef CORE_STATE_SLOTS_INTERNAL_H
#define CORE_STATE_SLOTS_INTERNAL_H

#include "core/state/store.h"

enum { SLOTS_VERSION = 5 };

struct slots_header {
	char magic[8];	    /* "ipuslot\n" */
	uint32_t version;   /* SLOTS_VERSION */
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

/*
 * Offset of the lock bytes: an IPU's is LOCK_IPUS plus its number.  They are
 * the same in every version of the slots, and in the registry of version 3,
 * which contained them, so that versions see each other's attachments.
 */
#define LOCK_IPUS ((int64_t)1 << 40)

/*
 * Offset of the locks on the slots' descriptions.  An IPU's holder takes it
 * once it has written the slot's fields.  The kernel drops both locks of an IPU
 * at once when the holder dies.  So while this one is held, the fields are
 * those of the living holder, not of a dead one before it.
 */
#define LOCK_WORDS (LOCK_IPUS + ((int64_t)1 << 32))

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

#endif
