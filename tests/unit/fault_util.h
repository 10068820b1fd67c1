/*
 * A change of the state, interrupted at its fault points; with FULL=1 at all.
 */
#ifndef TESTS_UNIT_FAULT_UTIL_H
#define TESTS_UNIT_FAULT_UTIL_H

#include "core/state/state.h"

/* The states allowed after an attempt. */
enum { BEFORE = 1, AFTER = 2 };

struct scenario {
	const char *name;
	void (*prepare)(void);
	int (*act)(struct error *);
	/* Return BEFORE or AFTER; or 0 with the reason if it is neither. */
	int (*judge)(const struct snapshot *, struct error *);
};

/* Kill a child at each tried point, and let each point fail for lack of space:
   the state must be the old or the new one, and acknowledged changes must
   survive.  Makes two checks; returns the number of kills. */
long scenario_run(const struct scenario *);

#endif
