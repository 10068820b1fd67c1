/*
 * A change of the state, interrupted at its fault points: with FULL=1 at all of
 * them.
 */
#ifndef TESTS_UNIT_FAULT_UTIL_H
#define TESTS_UNIT_FAULT_UTIL_H

#include "core/state/state.h"

/* Which of the two states may be found after an attempt. */
enum { BEFORE = 1, AFTER = 2 };

struct scenario {
	const char *name;
	void (*prepare)(void);
	int (*act)(struct error *);
	/* BEFORE or AFTER, or 0 with the reason: neither of them. */
	int (*judge)(const struct snapshot *, struct error *);
};

/*
 * Kill a child that acts at each point tried, and fail each for want of room:
 * the state must be the one before or after, and what was acknowledged is not
 * lost.  Two checks; returns the number of kills.
 */
long scenario_run(const struct scenario *);

#endif
