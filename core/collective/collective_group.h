/*
 * The members of a job's collectives, for collective_table.c alone: groups, the
 * state of each member, and sets of members.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_GROUP_H
#define CORE_COLLECTIVE_COLLECTIVE_GROUP_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/collective/collective_message.h"

/* The end of a process that was started as an instance. */
struct collective_end {
	bool known;	      /* false: the rest is not set */
	int instance, status; /* status of waitpid(2) */
	pid_t pid;
};

enum collective_presence {
	COLLECTIVE_ABSENT, /* no process has joined yet */
	COLLECTIVE_PRESENT,
	COLLECTIVE_AWAY,    /* it left, and may come back */
	COLLECTIVE_RETIRED, /* it left for good */
	COLLECTIVE_LOST,    /* connection broken; DEAD by due_ms */
	COLLECTIVE_DEAD	    /* process ended; `end` says how, if known */
};

struct collective_seat { /* a member's state */
	enum collective_presence presence;
	int instance;		/* -1: not known before a process joins */
	pid_t pid;		/* the last process that joined or was lost */
	uint32_t guests;	/* number of connections */
	int64_t due_ms;		/* for COLLECTIVE_LOST; monotonic */
	uint32_t missing_since; /* order of the losses; the first is 1 */
	struct collective_end end;
};

/* Members of a group in ascending order; shared, so they do not change. */
struct collective_members {
	uint32_t holders; /* number of references; at 0 it is freed */
	uint32_t count;
	uint32_t list[];
};

struct collective_group {
	TAILQ_ENTRY(collective_group) link;
	char name[COLLECTIVE_GROUP_MAX + 1];
	struct collective_members *all;
	struct collective_seat *seats; /* one per member */
	bool is_listed;		       /* its name lists its members */
	uint32_t missing;	       /* number of dead or retired members */
	TAILQ_HEAD(, collective_communicator) communicators;
};

/* A connection that has said hello. */
struct collective_guest {
	TAILQ_ENTRY(collective_guest) link;
	struct collective_group *group;
	uint32_t member;
	pid_t pid;
};

/* Make a group.  In the group named "", member i is instance i of the job.  If
   a name ends in a list of `members` numbers ("x@0-2,5"), the members belong to
   those instances. */
struct collective_group *collective_group_new(const char *name,
    uint32_t members);
void collective_group_free(struct collective_group *);

/* Return a set's members, which the caller drops.  NULL: a member is named
   twice or is not in the group. */
struct collective_members *
collective_group_read(const struct collective_group *,
    const struct collective_set *, struct error *);
/* _hold: add a reference, return the argument.  _drop: end one (NULL: none). */
struct collective_members *collective_group_hold(struct collective_members *);
void collective_group_drop(struct collective_members *);
bool collective_group_same(const struct collective_members *,
    const struct collective_members *);

/* Return the index of a member in the list, or -1. */
int collective_group_place(const struct collective_members *, uint32_t member);

/* Return a communicator's members ("": all) or NULL; adds no reference. */
struct collective_members *
collective_group_find(const struct collective_group *, const char *name);
/* Make the communicator or replace its members; adds its own reference. */
void collective_group_define(struct collective_group *, const char *name,
    struct collective_members *);

/* Return the member of the list that died or retired earliest, because others
   may have ended as a consequence; -1: none has. */
int64_t collective_group_missing(const struct collective_group *,
    const struct collective_members *);

/* Return true if the member is dead or retired. */
bool collective_group_is_missing(const struct collective_group *,
    uint32_t member);
/* Set a member's presence: COLLECTIVE_DEAD or COLLECTIVE_RETIRED. */
void collective_group_miss(struct collective_group *, uint32_t member,
    enum collective_presence);

/* Print "instance 2" if the group's name is "" or lists instances; else "member
   5 of instance 2", or "member 5" if the instance is not known. */
void collective_group_name(const struct collective_group *, uint32_t member,
    FILE *);

/* Print why a member is missing: "instance 2 (pid 4711) exited with status 3".
   Returns COLLECTIVE_LEFT if it retired, else COLLECTIVE_GONE. */
enum collective_code collective_group_explain(const struct collective_group *,
    uint32_t member, FILE *);

#endif
