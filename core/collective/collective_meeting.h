/*
 * Meetings, for collective_table.c alone.  A meeting is one operation under
 * way: it ends when all have come, or for all when it fails for one.  One that
 * failed stays until all who can have come to it.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_MEETING_H
#define CORE_COLLECTIVE_COLLECTIVE_MEETING_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/collective/collective_group.h"
#include "core/collective/collective_message.h"
#include "core/collective/collective_table.h"

enum {
	COLLECTIVE_MEETING_REGISTER = 0, /* no operation: a communicator */
	COLLECTIVE_MEETING_LISTS = 64
};

/* A member's place in a meeting. */
struct collective_place {
	bool has_come;
	const struct collective_guest *guest;
	struct collective_request *request; /* NULL: it does not wait */
};

struct collective_meeting {
	TAILQ_ENTRY(collective_meeting) link;
	struct collective_group *group;
	struct collective_members *members;
	struct collective_members *set; /* a registration's */
	struct collective_call call;	/* of the first one */
	int first;			/* the place of that */
	uint32_t waiting;
	int64_t due_ms; /* 0: no limit */
	uint32_t timeout_ms;
	enum collective_code code; /* 0: all is well */
	char *why;
	struct collective_place places[];
};

TAILQ_HEAD(collective_meeting_list, collective_meeting);

struct collective_meetings {
	struct collective_meeting_list lists[COLLECTIVE_MEETING_LISTS];
	size_t open;
	int64_t next_ms; /* no time limit is before; 0: none */
	collective_table_act *act;
	void *context;
};

/* A call of a guest. */
struct collective_entry {
	const struct collective_guest *guest;
	const struct collective_call *call;
	struct collective_members *members; /* who meet: the guest's is one of
					       them */
	struct collective_members *set;	    /* to register */
	struct collective_request *request;
	int64_t now_ms;
	enum collective_code code; /* 0: all is well */
	const char *reason;	   /* where it is not */
};

/* No meeting yet. */
void collective_meeting_init(struct collective_meetings *,
    collective_table_act *, void *context);
void collective_meeting_release(struct collective_meetings *);

/*
 * A call comes.  What is wrong with it, or different from the first one's call,
 * fails the meeting.
 */
void collective_meeting_enter(struct collective_meetings *,
    const struct collective_entry *);
/* One request alone fails; the text is closed. */
void collective_meeting_refuse(struct collective_meetings *,
    struct collective_request *, enum collective_code, struct memstream *text);

/* The member is dead, or has retired: who waits for it fails. */
void collective_meeting_miss(struct collective_meetings *,
    const struct collective_group *, uint32_t member);
/* The guest has left: what it waits for fails.  Or it is lost: its requests are
   forgotten. */
void collective_meeting_drop(struct collective_meetings *,
    const struct collective_guest *, bool left);
/* Those whose time limit has passed fail. */
void collective_meeting_expire(struct collective_meetings *, int64_t now_ms);

/* Begin a sentence about a call: "all-reduce 'grads': ". */
FILE *collective_meeting_begin(const struct collective_call *,
    struct memstream *);

#endif
