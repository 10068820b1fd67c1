/*
 * Which machines stay where they were when a pod is changed: IPU numbers
 * follow from their places.  Private to core/state.
 */
#ifndef CORE_STATE_RENUMBER_H
#define CORE_STATE_RENUMBER_H

#include "core/pod/pod.h"
#include "core/state/registry.h"

struct renumber {
	int32_t *from; /* by the new place: the old one, or -1 */
	int count;     /* machines of the new pod */
	int old_count;
};

/*
 * From one pod to another.  A machine is known by its data plane address, or,
 * where that was changed, by its name in its old place.
 */
void renumber_find(struct renumber *, const struct pod *from,
    const struct pod *to);
void renumber_release(struct renumber *);

/* Whether the IPUs of that place become another machine's, or nobody's. */
bool renumber_away(const struct renumber *, int place);

/*
 * Hold the IPUs that become another machine's, so that nobody attaches to them
 * meanwhile.  Refused, and none held, where a program is attached to one.
 */
int renumber_lock(const struct renumber *, struct registry *,
    const struct pod *from, struct error *);
void renumber_unlock(const struct renumber *, struct registry *);

/* What the IPUs counted goes to the machines' new places. */
void renumber_slots(const struct renumber *, const struct slots *);

/* "BEFOREag01:0 is in use by user ...BEHIND; end the program first"; -1. */
int renumber_in_use(const struct registry *, const struct pod *, int ipu,
    const char *before, const char *behind, struct error *);

#endif
