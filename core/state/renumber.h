/*
 * Finds the machines that keep their places when a pod changes; IPU numbers
 * follow from places.  Private to core/state.
 */
#ifndef CORE_STATE_RENUMBER_H
#define CORE_STATE_RENUMBER_H

#include "core/pod/pod.h"
#include "core/state/registry.h"

struct renumber {
	int32_t *from; /* old place by new place, or -1 */
	int count;     /* machines of the new pod */
	int old_count;
};

/* Compare two pods.  A machine is identified by its data plane address or, if
   that changed, by its name in its old place. */
void renumber_find(struct renumber *, const struct pod *from,
    const struct pod *to);
void renumber_release(struct renumber *);

/* Whether the IPUs at that old place become another machine's, or vanish. */
bool renumber_away(const struct renumber *, int place);

/*
 * Lock the IPUs that become another machine's, so that no program attaches to
 * them meanwhile.  Refused, with none locked, if a program is attached to one.
 */
int renumber_lock(const struct renumber *, struct registry *,
    const struct pod *from, struct error *);
void renumber_unlock(const struct renumber *, struct registry *);

/* Move the IPUs' counters to the machines' new places. */
void renumber_slots(const struct renumber *, const struct slots *);

/* Set the error "BEFOREag01:0 is in use by user ...AFTER; end the program
   first".  Returns -1. */
int renumber_in_use(const struct registry *, const struct pod *, int ipu,
    const char *before, const char *after, struct error *);

#endif
