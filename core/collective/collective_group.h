/*
 * Who takes part in the collectives of a job, for collective_table.c alone:
 * groups, their members and what became of these, and sets of members.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_GROUP_H
#define CORE_COLLECTIVE_COLLECTIVE_GROUP_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/collective/collective_message.h"

/* The end of the process that was started as an instance. */
struct collective_end {
	bool known;
	int instance, status;
	pid_t pid;
};

enum collective_presence {
	COLLECTIVE_ABSENT, /* nobody has come yet */
	COLLECTIVE_PRESENT,
	COLLECTIVE_AWAY,    /* it has left, and may come again */
	COLLECTIVE_RETIRED, /* it has left for good */
	COLLECTIVE_LOST,    /* its connection is lost: the word how its process
			       ended may come until due_ms */
	COLLECTIVE_DEAD	    /* it is gone: `end` says how, where known */
};

struct collective_seat {
	enum collective_presence presence;
	int instance;	 /* -1: nobody has come */
	pid_t pid;	 /* of the last one that came */
	uint32_t guests; /* connections */
	int64_t due_ms;
	uint32_t missing_since; /* the first one is 1 */
	struct collective_end end;
};

/* Members of a group, ascending; operations hold them as well. */
struct collective_members {
	uint32_t holders;
	uint32_t count;
	uint32_t list[];
};

struct collective_group {
	TAILQ_ENTRY(collective_group) link;
	char name[COLLECTIVE_GROUP_MAX + 1];
	struct collective_members *all;
	struct collective_seat *seats; /* of all */
	bool is_listed;		       /* in its name */
	uint32_t missing;	       /* dead or retired */
	TAILQ_HEAD(, collective_communicator) communicators;
};

/* A connection that has said hello. */
struct collective_guest {
	TAILQ_ENTRY(collective_guest) link;
	struct collective_group *group;
	uint32_t member;
	pid_t pid;
};

/* A group of so many members.  That without a name has the instances of the
   job, and one whose name ends in a list of as many ("x@0-2,5"), has these. */
struct collective_group *collective_group_new(const char *name,
    uint32_t members);
void collective_group_free(struct collective_group *);

/* The members that a set names, whom the caller drops.  NULL: it names one
   twice, or one that is not in the group. */
struct collective_members *
collective_group_read(const struct collective_group *,
    const struct collective_set *, struct error *);
struct collective_members *collective_group_hold(struct collective_members *);
void collective_group_drop(struct collective_members *);
/* Whether both have the same members. */
bool collective_group_same(const struct collective_members *,
    const struct collective_members *);

/* The place of a member among them, -1: it is not one of them. */
int collective_group_place(const struct collective_members *, uint32_t member);

/* The members of a communicator, "": all; NULL: there is none of that name. */
struct collective_members *
collective_group_find(const struct collective_group *, const char *name);
/* It has these members from now on. */
void collective_group_define(struct collective_group *, const char *name,
    struct collective_members *);

/* Who was the first of them to be dead or retired, for others may have ended
   because of it; -1: none is. */
int64_t collective_group_missing(const struct collective_group *,
    const struct collective_members *);

/* Whether nobody comes for the member any more. */
bool collective_group_is_missing(const struct collective_group *,
    uint32_t member);
/* A member is dead or retired from now on. */
void collective_group_miss(struct collective_group *, uint32_t member,
    enum collective_presence);

/* "instance 2"; "member 5 of instance 2" in a group that has a name. */
void collective_group_name(const struct collective_group *, uint32_t member,
    FILE *);

/* Why nobody waits for that member, who is not present or absent, any more:
   "instance 2 (pid 4711) exited with status 3"; and the code of that. */
enum collective_code collective_group_explain(const struct collective_group *,
    uint32_t member, FILE *);

#endif
