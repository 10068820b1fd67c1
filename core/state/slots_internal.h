/*
 * The slots from within: how their file is laid out, and a copy of all of them
 * at one moment.  Private to core/state and its tests.
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
	uint32_t count; /* of slots behind the header */
	uint32_t reserved;
	uint8_t id[STORE_ID_SIZE]; /* of the state directory */
	uint8_t padding[24];	   /* to a cache line */
};

_Static_assert(sizeof(struct slots_header) == 64, "layout");
_Static_assert(offsetof(struct slots_header, id) == 24, "layout");
/* Whole cache lines: the threads of two IPUs do not write to one. */
_Static_assert(sizeof(struct ipu_slot) == 640, "layout");

/*
 * Lock bytes: an IPU's is LOCK_IPUS plus its number.  They are the same in
 * every version of the file, and in the registry of version 3, which had the
 * slots in itself, so that versions see each other's attachments.
 */
#define LOCK_IPUS ((int64_t)1 << 40)

/*
 * The same for the words of its slot: held by who holds the IPU and has written
 * them.  The kernel drops both at once when their holder dies, so where this
 * one is held the words are those of the living holder, and not of a dead one
 * whose place somebody just took.
 */
#define LOCK_WORDS (LOCK_IPUS + ((int64_t)1 << 32))

/* The slots at one moment, for those who show many IPUs: a copy of the file in
   a few pieces, of which the part that is asked for is kept. */
struct slots_frozen;

/*
 * Copy the slots of that many IPUs; now_ns is CLOCK_REALTIME.  What cannot be
 * read is as if it was 0.  The caller frees it; NULL is fine.
 */
struct slots_frozen *slots_frozen_new(const struct slots *, int ipus,
    int64_t now_ns);
void slots_frozen_free(struct slots_frozen *);

/* Whether a holder was announced of the IPU. */
bool slots_frozen_is_held(const struct slots_frozen *, int ipu);
/* Not held, whatever was seen: its partition is another one meanwhile. */
void slots_frozen_forget(struct slots_frozen *, int ipu);
uint32_t slots_frozen_faults(const struct slots_frozen *, int ipu);
/*
 * A copy of a slot; the ring of an IPU that has not computed in the last two
 * minutes is 0.
 */
void slots_frozen_read(const struct slots_frozen *, int ipu, struct ipu_slot *);

#endif
