/*
 * Finds the machines that keep their places when a pod changes.  A place is an
 * index in the pod's agents; IPU numbers follow from it.  Private to
 * core/state.
 */
#ifndef CORE_STATE_RENUMBER_H
#define CORE_STATE_RENUMBER_H

#include "core/state/registry.h"

struct renumber {
	/* By new place: old place of the machine, or -1 if it is new. */
	int32_t *from;
	int count;     /* number of machines in the new pod */
	int old_count; /* in the old one */
};

/* Compare two pods.  A machine is identified by its data plane address or, if
   that changed, by its name in its old place.  The caller releases the
   result. */
void renumber_find(struct renumber *, const struct pod *from,
    const struct pod *to);
void renumber_release(struct renumber *);

/* Whether the IPUs at that old place become another machine's, or vanish. */
bool renumber_away(const struct renumber *, int place);

/*
 * Lock the IPUs at all places of renumber_away(), so that no program attaches
 * to them meanwhile.  -1, with none locked; ERROR_BUSY: a program is attached
 * to one.
 */
int renumber_lock(const struct renumber *, struct registry *,
    const struct pod *from, struct error *);
void renumber_unlock(const struct renumber *, struct registry *);

/* Move the IPUs' slots to the machines' new places; those of new machines
   become 0.  Does nothing if the slots are not mapped. */
void renumber_slots(const struct renumber *, const struct slots *);

/* Set the error (ERROR_BUSY) "BEFOREag01:0 is in use by user ...AFTER; end the
   program first"; if the IPU has no announced holder, another text.  Returns
   -1. */
int renumber_in_use(const struct registry *, const struct pod *, int ipu,
    const char *before, const char *after, struct error *);

#endif
