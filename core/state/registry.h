/*
 * The registry: two files in shared memory, so that programs that attach to an
 * IPU need no right to write what others rely on.
 *
 *	PATH		the mirror: pod and partitions; written under the
 *			writer's lock (STATE/lock)
 *	PATH.slots	one slot and one lock per IPU (slots.h); written by
 *			the programs that attach
 *
 * The mirror is never mapped.  It changes under a sequence number, odd
 * meanwhile; readers repeat their copy until the number was even and unchanged,
 * then check it (mirror_copy.h).  A writer marks it dirty before it touches the
 * INI files.  A process that finds the mark but no writer rebuilds the mirror.
 */
#ifndef CORE_STATE_REGISTRY_H
#define CORE_STATE_REGISTRY_H

#include "core/state/slots.h"
#include "core/state/snapshot.h"

enum { REGISTRY_VERSION = 6, REGISTRY_NAME_SIZE = 256, REGISTRY_ID_SIZE = 16 };

struct holder_place;
struct state_paths;
struct mirror;

/* How the registry was opened. */
enum registry_use {
	REGISTRY_READ,	 /* both files for reading */
	REGISTRY_ATTACH, /* the slots for writing as well */
	REGISTRY_CHANGE	 /* both for writing */
};

struct registry {
	int fd; /* descriptor of the mirror; -1: closed */
	enum registry_use use;
	bool is_private; /* in this process's memory */
	bool is_image;	 /* made by registry_image_open() (state.h) */
	int holders;	 /* of an image: fd with the holders' locks; -1: none */
	struct slots slots;
	struct slots_frozen *frozen; /* NULL: not frozen */
	int64_t frozen_ns;	     /* moment of the freeze, CLOCK_REALTIME */
	struct holder_place *place;  /* owned; the reader; NULL: this process */
	struct mirror *kept;	     /* copy, owned by struct state; or NULL */
	uint8_t id[REGISTRY_ID_SIZE]; /* id of the state */
	char path[REGISTRY_NAME_SIZE];
	char directory[REGISTRY_NAME_SIZE];
};

/*
 * Open the registry of the state directory.  ERROR_NOT_FOUND: it does not
 * exist, and is not made.  Refused: a symbolic link, a file of neither the
 * caller nor root unless a group shares the directory (both ERROR_UNSAFE), a
 * wrong magic, version or size (ERROR_STALE).  For a change the slots may be
 * missing or stale; they then stay closed.  After -1 nothing is open.
 */
int registry_open(struct registry *, const struct state_paths *,
    enum registry_use, struct error *);
void registry_close(struct registry *);

/* Return (0 if unreadable), or set (ignoring a failure), the time when the
   controller must act next: a configuration ends, a partition expires.  In ms
   since the epoch; 0: never.  A process that opens the state later lets the
   controller act first. */
int64_t registry_due(const struct registry *);
void registry_set_due(struct registry *, int64_t due_ms);

/* Return the mirror's sequence number, which changes with everything in a
   snapshot, and registry_due() in *due_ms.  0, with *due_ms not set: the mirror
   is unreadable, being changed, dirty, replaced or new. */
uint32_t registry_revision(const struct registry *, int64_t *due_ms);

/* Return the pod's present number of IPUs; 0 if unreadable. */
int registry_ipu_count(const struct registry *);

/* Return an IPU's slot for its holder's counters, or NULL: open for reading
   only, or no such IPU. */
struct ipu_slot *registry_slot(const struct registry *, int ipu);

/* Return, add and clear errors of an IPU (core/pod/pod.h); mark the IPU
   as lost.  Without a slot registry_faults() returns 0; the others need a slot
   open for writing, or do nothing. */
uint32_t registry_faults(const struct registry *, int ipu);
void registry_set_faults(struct registry *, int ipu, uint32_t set);
void registry_clear_faults(struct registry *, int ipu, uint32_t set);
void registry_mark_lost(struct registry *, int ipu);

/*
 * Take IPUs first to first+count-1 by one lock, without waiting; it ends with
 * registry_detach() or the last process with the inherited description.  Fails
 * with the system's text: ERROR_BUSY if any is held; ERROR_STALE if a new pod
 * replaced this one or, for REGISTRY_ATTACH, a server has the state.  *holder
 * is the lowest held IPU for ERROR_BUSY (-1: free again), else -1.  Attachments
 * through the same struct do not exclude each other.  registry_detach() gives
 * them back; it and registry_announce() return 0, or -1 and errno.
 */
int registry_attach(struct registry *, int first, int count, int *holder,
    struct error *);
int registry_detach(struct registry *, int first, int count);
/* Make the holder visible to others, after its slots are filled in. */
int registry_announce(struct registry *, int first, int count);
/* Return the lowest IPU in the range that another program holds, or -1. */
int registry_held(const struct registry *, int first, int count);
/* Copy a slot with texts safe for a terminal; all 0 if it does not exist.
   registry_holder() does so, and returns true, if an announced holder has it;
   after false the copy has no meaning. */
void registry_copy(const struct registry *, int ipu, struct ipu_slot *);
bool registry_holder(const struct registry *, int ipu, struct ipu_slot *);
/* Copy the ring of a slot.  False, without a valid copy: no recent work. */
bool registry_ring(const struct registry *, int ipu, struct busy_ring *);
/* Make registry_copy(), registry_holder() and registry_faults() report the
   present state (now_ns: CLOCK_REALTIME) until registry_thaw() or closing. */
void registry_freeze(struct registry *, int64_t now_ns);
void registry_thaw(struct registry *);

/* Whether the open files are still those at their paths. */
bool registry_is_current(const struct registry *);

#endif
