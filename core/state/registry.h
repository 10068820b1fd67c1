/*
 * The registry: two files in shared memory, so that who attaches to an IPU need
 * not be able to write what others believe.
 *
 *	PATH		the mirror: pod and partitions; whoever holds the
 *			writer's lock (STATE/lock) writes it
 *	PATH.slots	one slot and one lock per IPU (slots.h); the programs
 *			that attach write it
 *
 * Nobody maps the mirror.  It is changed under a sequence number, odd while it
 * is being changed: a reader copies, and copies again when the number moved;
 * then it checks its copy (mirror_copy.h).  A writer marks the registry dirty
 * before it touches the INI files; whoever finds the mark and no writer makes
 * the mirror again from them.
 */
#ifndef CORE_STATE_REGISTRY_H
#define CORE_STATE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/ipu_slot.h"
#include "core/state/slots.h"
#include "core/state/snapshot.h"

enum { REGISTRY_VERSION = 5, REGISTRY_NAME_SIZE = 256, REGISTRY_ID_SIZE = 16 };

struct state_paths; /* paths.h */
struct mirror;

/* What for it is open. */
enum registry_use {
	REGISTRY_READ,	 /* both files for reading */
	REGISTRY_ATTACH, /* the slots for writing as well */
	REGISTRY_CHANGE	 /* both for writing */
};

struct registry {
	int fd; /* of the mirror; -1: closed */
	enum registry_use use;
	bool is_private; /* in this process's memory */
	bool is_image;	 /* see state.h, */
	int holders;	 /* which locks for them; -1 */
	struct slots slots;
	struct slots_frozen *frozen;  /* or NULL: as they are now */
	struct mirror *kept;	      /* its owner's last copy of the mirror, or
					 NULL */
	uint8_t id[REGISTRY_ID_SIZE]; /* of the state */
	char path[REGISTRY_NAME_SIZE];
	char directory[REGISTRY_NAME_SIZE];
};

/*
 * Open the registry of the state directory.  ERROR_NOT_FOUND when there is
 * none; state_open() is what makes one.  Refused: a symbolic link, an owner who
 * is neither the caller nor root, unless a group shares the directory (both
 * ERROR_UNSAFE), another magic, version or size (ERROR_STALE).  For a change
 * the slots may be missing or stale: they stay closed then.
 */
int registry_open(struct registry *, const struct state_paths *,
    enum registry_use, struct error *);
void registry_close(struct registry *);

/* When something will happen by itself: a configuration ends, a partition
   expires (ms since the epoch; 0: nothing will).  Whoever opens the state later
   than that lets the controller act first. */
int64_t registry_due(const struct registry *);
void registry_set_due(struct registry *, int64_t due_ms);

/* The sequence number of the mirror, which changes with whatever a snapshot
   shows, and in *due_ms registry_due(); 0: it is being changed or replaced. */
uint32_t registry_revision(const struct registry *, int64_t *due_ms);

/* IPUs of the pod now: a change of the pod may make it another number. */
int registry_ipu_count(const struct registry *);

/* The slot of an IPU, for the counters of who is attached to it, or NULL: the
   registry is open for reading alone, or has no such IPU. */
struct ipu_slot *registry_slot(const struct registry *, int ipu);

/* The errors that an IPU has (core/pod/soc_error.h), to set and clear some, and
   that its machine is lost; nothing where there is no such slot. */
uint32_t registry_faults(const struct registry *, int ipu);
void registry_set_faults(struct registry *, int ipu, uint32_t set);
void registry_clear_faults(struct registry *, int ipu, uint32_t set);
void registry_mark_lost(struct registry *, int ipu);

/*
 * Take or give back the IPUs first .. first+count-1 as one lock.  Taking fails,
 * with the system's words, as ERROR_BUSY when any is held, of which *holder is
 * one (-1: no longer), and ERROR_STALE when a new pod took this one's place.
 * The lock belongs to the registry's open file description: it goes with the
 * last child that inherits it; two attachments through one struct registry do
 * not exclude each other.  The descriptor is close-on-exec.
 */
int registry_attach(struct registry *, int first, int count, int *holder,
    struct error *);
int registry_detach(struct registry *, int first, int count);
/* Others are told of the holder, whose words are in the slots now. */
int registry_announce(struct registry *, int first, int count);
/* The lowest IPU of the range that somebody else holds, or -1. */
int registry_held(const struct registry *, int first, int count);
/* A copy of a slot, its texts fit for a terminal; and only where an announced
   holder has the IPU, else false. */
void registry_copy(const struct registry *, int ipu, struct ipu_slot *);
bool registry_holder(const struct registry *, int ipu, struct ipu_slot *);
/* From now on these and registry_faults() tell of this moment (now_ns is of
   CLOCK_REALTIME), until it is closed, frozen again or thawed. */
void registry_freeze(struct registry *, int64_t now_ns);
void registry_thaw(struct registry *);

/* Whether the files are still those under their paths. */
bool registry_is_current(const struct registry *);

#endif
