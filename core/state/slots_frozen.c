/*
 * The copy of all slots at one moment; see state_internal.h.
 *
 *	locks: announced holders ->  pieces of the file  ->  a piece with a
 *	held IPU again: has a slot moved, it is read alone (slots_read())
 *
 * A pod of 65,536 IPUs has 40 MiB of slots.  Unused slots show nothing but
 * faults, so only these are kept.
 */
#include "core/state/state_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

#define WARM_NS INT64_C(120000000000) /* longer than a slot's ring */

enum { PIECE_SLOTS = 256, HEAD_SIZE = offsetof(struct ipu_slot, ring) };

/* A kept slot; its ring, half of the size, only if it has work. */
struct kept_slot {
	unsigned char head[HEAD_SIZE];
	uint64_t memory_bytes;
	struct busy_ring *ring; /* or NULL */
};

struct slots_frozen {
	int ipus;
	bool *held;
	uint32_t *faults;
	int *place; /* in slots[]; -1: not kept */
	struct kept_slot *slots;
	int count, room;
};

/* A range of IPUs still to be examined. */
struct frozen_range {
	int first, count;
};

/* Each query of a range finds one holder; the parts before and after it are
   queried later.  A pod without holders takes one call. */
static void
frozen_find(const struct slots *s, struct slots_frozen *f)
{
	struct frozen_range *todo, now;
	int n = 1, room = 64, first, count;

	todo = xreallocarray(NULL, (size_t)room, sizeof(*todo));
	todo[0] = (struct frozen_range){ 0, f->ipus };
	while (n > 0) {
		now = todo[--n];
		first = now.first;
		count = now.count;
		if (!slots_find_holder(s, &first, &count))
			continue;
		memset(f->held + first, true, (size_t)count);
		if (n + 2 > room) {
			room *= 2;
			todo = xreallocarray(todo, (size_t)room, sizeof(*todo));
		}
		todo[n++] = (struct frozen_range){ now.first,
			first - now.first };
		todo[n++] = (struct frozen_range){ first + count,
			now.first + now.count - first - count };
	}
	free(todo);
}

/* Whether its ring has recent work. */
static bool
is_warm(const struct ipu_slot *slot, int64_t now_ns)
{
	return (int64_t)atomic_load(&slot->last_busy_ns) > now_ns - WARM_NS;
}

/* Whether a program has used it, and left counts or a description. */
static bool
is_used(const struct ipu_slot *slot)
{
	return slot->pid != 0 || atomic_load(&slot->busy_ns) != 0 ||
	    atomic_load(&slot->exchange_bytes) != 0 ||
	    atomic_load(&slot->host_bytes) != 0;
}

/* Make room for the held slots; used ones are added later. */
static void
frozen_reserve(struct slots_frozen *f)
{
	int i;

	for (i = 0; i < f->ipus; i++)
		f->room += f->held[i];
	f->slots = xreallocarray(NULL, (size_t)f->room + 1, sizeof(*f->slots));
}

static void
frozen_keep(struct slots_frozen *f, int ipu, struct ipu_slot *slot,
    int64_t now_ns)
{
	struct kept_slot *kept;

	if (f->count == f->room) {
		f->room = 2 * f->room + 16;
		f->slots = xreallocarray(f->slots, (size_t)f->room + 1,
		    sizeof(*f->slots));
	}
	slots_clean(slot);
	f->place[ipu] = f->count;
	kept = &f->slots[f->count++];
	memcpy(kept->head, slot, HEAD_SIZE);
	kept->memory_bytes = atomic_load(&slot->memory_bytes);
	kept->ring = NULL;
	if (!is_warm(slot, now_ns))
		return;
	kept->ring = xreallocarray(NULL, 1, sizeof(*kept->ring));
	memcpy(kept->ring, &slot->ring, sizeof(*kept->ring));
}

/* Read slots from `first` on; missing ones are 0. */
static void
read_piece(const struct slots *s, int first, int count, struct ipu_slot *to)
{
	const size_t size = (size_t)count * sizeof(*to);
	ssize_t n;

	n = pread(s->fd, to, size,
	    (off_t)(sizeof(struct slots_header) + (size_t)first * sizeof(*to)));
	if (n < 0)
		n = 0;
	memset((char *)to + n, 0, size - (size_t)n);
}

/* Keep a holder's slot: whole if its number did not change, else read alone. */
static void
keep_held(const struct slots *s, struct slots_frozen *f, int ipu,
    struct ipu_slot *slot, const struct ipu_slot *again, int64_t now_ns)
{
	const uint32_t sequence = atomic_load(&slot->sequence);
	struct ipu_slot alone;

	if (sequence % 2 == 0 && sequence == atomic_load(&again->sequence)) {
		frozen_keep(f, ipu, slot, now_ns);
		return;
	}
	slots_read(s, ipu, &alone);
	frozen_keep(f, ipu, &alone, now_ns);
}

static void
freeze_piece(const struct slots *s, struct slots_frozen *f, int first,
    int count, int64_t now_ns, struct ipu_slot *piece, struct ipu_slot *again)
{
	int i;

	read_piece(s, first, count, piece);
	if (memchr(f->held + first, true, (size_t)count) != NULL)
		read_piece(s, first, count, again);
	for (i = 0; i < count; i++) {
		f->faults[first + i] = atomic_load(&piece[i].soc_error);
		if (f->held[first + i])
			keep_held(s, f, first + i, &piece[i], &again[i],
			    now_ns);
		else if (is_used(&piece[i]))
			frozen_keep(f, first + i, &piece[i], now_ns);
	}
}

struct slots_frozen *
slots_frozen_new(const struct slots *s, int ipus, int64_t now_ns)
{
	struct slots_frozen *f;
	struct ipu_slot *pieces;
	int first, count;

	f = xcalloc(1, sizeof(*f));
	f->ipus = ipus;
	f->held = xcalloc((size_t)ipus + 1, sizeof(*f->held));
	f->faults = xcalloc((size_t)ipus + 1, sizeof(*f->faults));
	f->place = xreallocarray(NULL, (size_t)ipus + 1, sizeof(*f->place));
	memset(f->place, -1, ((size_t)ipus + 1) * sizeof(*f->place));
	pieces = xreallocarray(NULL, 2 * PIECE_SLOTS, sizeof(*pieces));
	frozen_find(s, f);
	frozen_reserve(f);
	for (first = 0; first < ipus; first += count) {
		count = ipus - first < PIECE_SLOTS ? ipus - first : PIECE_SLOTS;
		freeze_piece(s, f, first, count, now_ns, pieces,
		    pieces + PIECE_SLOTS);
	}
	free(pieces);
	return f;
}

void
slots_frozen_free(struct slots_frozen *f)
{
	int i;

	if (f == NULL)
		return;
	for (i = 0; i < f->count; i++)
		free(f->slots[i].ring);
	free(f->held);
	free(f->faults);
	free(f->place);
	free(f->slots);
	free(f);
}

bool
slots_frozen_is_held(const struct slots_frozen *f, int ipu)
{
	return ipu >= 0 && ipu < f->ipus && f->held[ipu];
}

void
slots_frozen_forget(struct slots_frozen *f, int ipu)
{
	if (ipu >= 0 && ipu < f->ipus)
		f->held[ipu] = false;
}

uint32_t
slots_frozen_faults(const struct slots_frozen *f, int ipu)
{
	return ipu >= 0 && ipu < f->ipus ? f->faults[ipu] : 0;
}

void
slots_frozen_read(const struct slots_frozen *f, int ipu, struct ipu_slot *copy)
{
	const struct kept_slot *kept;

	if (ipu >= 0 && ipu < f->ipus && f->place[ipu] != -1) {
		kept = &f->slots[f->place[ipu]];
		memcpy(copy, kept->head, HEAD_SIZE);
		memset((char *)copy + HEAD_SIZE, 0, sizeof(*copy) - HEAD_SIZE);
		atomic_store(&copy->memory_bytes, kept->memory_bytes);
		if (kept->ring != NULL)
			memcpy(&copy->ring, kept->ring, sizeof(copy->ring));
		return;
	}
	memset(copy, 0, sizeof(*copy));
	atomic_store(&copy->soc_error, slots_frozen_faults(f, ipu));
}

bool
slots_frozen_ring(const struct slots_frozen *f, int ipu, struct busy_ring *ring)
{
	const struct busy_ring *kept;

	if (ipu < 0 || ipu >= f->ipus || f->place[ipu] == -1)
		return false;
	kept = f->slots[f->place[ipu]].ring;
	if (kept == NULL)
		return false;
	memcpy(ring, kept, sizeof(*ring));
	return true;
}
