/*
 * The layout of the slots' file, and a copy of all slots at one moment.
 * Private to core/state and its tests.
 */
#ifndef CORE_STATE_SLOTS_INTERNAL_H
#define CORE_STATE_SLOTS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/state/ipu_slot.h"
#include "core/state/slots.h"
#include "core/state/store.h"

enum { SLOTS_VERSION = 5 };

struct slots_header {
	char magic[8];
	uint32_t version;
	uint32_t slot_size;
	uint32_t count; /* slots after the header */
	uint32_t reserved;
	uint8_t id[STORE_ID_SIZE]; /* id of the state directory */
	uint8_t padding[24];	   /* to a cache line */
};

_Static_assert(sizeof(struct slots_header) == 64, "layout");
_Static_assert(offsetof(struct slots_header, id) == 24, "layout");
/* Whole cache lines: threads of two IPUs never write to the same one. */
_Static_assert(sizeof(struct ipu_slot) == 640, "layout");

/*
 * Lock bytes: an IPU's is LOCK_IPUS plus its number.  They are the same in
 * every version of the slots, and in the registry of version 3, which contained
 * them, so that versions see each other's attachments.
 */
#define LOCK_IPUS ((int64_t)1 << 40)

/*
 * The lock on a slot's description: held by an IPU's holder once it has written
 * the fields.  The kernel drops both locks at once when the holder dies.  So
 * while this one is held the fields are those of the living holder, not of a
 * dead one before it.
 */
#define LOCK_WORDS (LOCK_IPUS + ((int64_t)1 << 32))

/* The slots at one moment, for displays of many IPUs: the file copied in a few
   pieces, of which the needed part is kept. */
struct slots_frozen;

/* Copy the slots of that many IPUs; now_ns is CLOCK_REALTIME.  Unreadable slots
   are 0.  The caller frees it. */
struct slots_frozen *slots_frozen_new(const struct slots *, int ipus,
    int64_t now_ns);
void slots_frozen_free(struct slots_frozen *);

/* Whether the IPU has an announced holder. */
bool slots_frozen_is_held(const struct slots_frozen *, int ipu);
/* Treat the IPU as free, because its partition was replaced meanwhile. */
void slots_frozen_forget(struct slots_frozen *, int ipu);
uint32_t slots_frozen_faults(const struct slots_frozen *, int ipu);
/* Copy a slot.  The ring of an IPU that has not computed in the last two
   minutes is 0. */
void slots_frozen_read(const struct slots_frozen *, int ipu, struct ipu_slot *);

#endif
