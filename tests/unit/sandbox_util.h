/*
 * Cases that each need a process of their own: what happens in it, with which
 * user's rights, and what came of it.
 */
#ifndef TESTS_UNIT_SANDBOX_UTIL_H
#define TESTS_UNIT_SANDBOX_UTIL_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/kube/sandbox/sandbox.h"

/* A user whom no machine knows. */
enum { SANDBOX_UTIL_USER = 64011 };

/* In a case: go on only where that is so. */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			return sandbox_util_fail(__LINE__, #condition); \
	} while (0)

/* What this machine, or this user, has to have for it. */
enum sandbox_need {
	NEEDS_MOUNTS = 0,
	NEEDS_OVERLAY = 1,
	NEEDS_ROOT = 2,
	NEEDS_FILTER = 4 /* seccomp(2) */
};

/* `act` runs in a child with the room, a new directory of the user's; `after`
   (or NULL) in the test's own process behind it, and so does `before`.  0:
   good. */
struct sandbox_case {
	const char *name;
	int (*act)(const char *room);
	int (*after)(const char *room);
	int needs; /* bits of enum sandbox_need */
	int (*before)(const char *room);
};

/* Run it as the user, with a check of its name; or skip it by its name. */
void sandbox_util_run(const struct sandbox_case *, uid_t user);

/* What REQUIRE() says; 1. */
int sandbox_util_fail(int line, const char *what);

/* sandbox_enter() of the plan, where that has to go well: its error is what the
   test prints. */
int sandbox_util_enter(const struct sandbox_plan *);

/* "ROOM/NAME", "NAME" where it is absolute: one of the last 256. */
const char *sandbox_util_path(const char *room, const char *name);

/* Make a directory; a file of that text, without a line break; whether it has
   the text.  They end the case where they cannot. */
void sandbox_util_mkdir(const char *path);
void sandbox_util_write(const char *path, const char *text);
bool sandbox_util_reads(const char *path, const char *text);

/* From now on that system call fails with that errno here. */
int sandbox_util_refuse(int call, int number);

/* Whether the child ended with status 0. */
bool sandbox_util_wait(pid_t child);

#endif
