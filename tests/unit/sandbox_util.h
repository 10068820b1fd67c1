/*
 * Cases that each need a separate process: the actions in it, the user's
 * rights, and the checks of the outcome.
 */
#ifndef TESTS_UNIT_SANDBOX_UTIL_H
#define TESTS_UNIT_SANDBOX_UTIL_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/kube/sandbox/sandbox.h"

/* A user id without an account. */
enum { SANDBOX_UTIL_USER = 64011 };

/* Within a case: continue only if the condition holds. */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			return sandbox_util_fail(__LINE__, #condition); \
	} while (0)

/* The needs of a case, of this machine or user. */
enum sandbox_need {
	NEEDS_MOUNTS = 0,
	NEEDS_OVERLAY = 1,
	NEEDS_ROOT = 2,
	NEEDS_FILTER = 4 /* seccomp(2) */
};

/* `act` runs in a child with the room, a new directory of the user's; `before`
   and `after` (may be NULL) run in the test.  0: all is well. */
struct sandbox_case {
	const char *name;
	int (*act)(const char *room);
	int (*after)(const char *room);
	int needs; /* bits of enum sandbox_need */
	int (*before)(const char *room);
};

/* Run the case as the user as one check, or skip it. */
void sandbox_util_run(const struct sandbox_case *, uid_t user);

/* Print the failed REQUIRE(); return 1. */
int sandbox_util_fail(int line, const char *what);

/* Run sandbox_enter() with the plan, which must succeed; print its error. */
int sandbox_util_enter(const struct sandbox_plan *);

/* Return "ROOM/NAME", or "NAME" if absolute; valid for 256 calls. */
const char *sandbox_util_path(const char *room, const char *name);

/* Make a directory; write a file; check its text.  End the case on failure. */
void sandbox_util_mkdir(const char *path);
void sandbox_util_write(const char *path, const char *text);
bool sandbox_util_reads(const char *path, const char *text);

/* Make that system call fail with that errno from now on. */
int sandbox_util_refuse(int call, int number);

/* Whether the child ended with status 0. */
bool sandbox_util_wait(pid_t child);

#endif
