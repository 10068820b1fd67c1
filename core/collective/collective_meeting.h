/*
 * Meetings, for collective_table.c alone.  A meeting is one operation in
 * progress.  It ends when all members have come, or fails for all when it fails
 * for one. A failed meeting stays until every member that can still come has
 * come.
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
	COLLECTIVE_MEETING_REGISTER = 0, /* not an operation: registers a
					    communicator */
	COLLECTIVE_MEETING_LISTS = 64
};

/* A member's place in a meeting. */
struct collective_place {
	bool has_come;
	const struct collective_guest *guest;
	struct collective_request *request; /* NULL: the member is not
					       waiting */
};

struct collective_meeting {
	TAILQ_ENTRY(collective_meeting) link;
	struct collective_group *group;
	struct collective_members *members;
	struct collective_members *set; /* the members to register */
	struct collective_call call;	/* the first member's call */
	int first;			/* that member's place */
	uint32_t waiting;
	int64_t due_ms; /* 0: no limit */
	uint32_t timeout_ms;
	enum collective_code code; /* 0: no failure */
	char *why;
	struct collective_place places[];
};

TAILQ_HEAD(collective_meeting_list, collective_meeting);

struct collective_meetings {
	struct collective_meeting_list lists[COLLECTIVE_MEETING_LISTS];
	size_t open;
	int64_t next_ms; /* no time limit ends earlier; 0: none */
	collective_table_act *act;
	void *context;
};

/* A guest's call. */
struct collective_entry {
	const struct collective_guest *guest;
	const struct collective_call *call;
	struct collective_members *members; /* the participants, including the
					       guest's member */
	struct collective_members *set;	    /* the members to register */
	struct collective_request *request;
	int64_t now_ms;
	enum collective_code code; /* 0: no failure */
	const char *reason;	   /* reason of the failure */
};

/* Begin without meetings. */
void collective_meeting_init(struct collective_meetings *,
    collective_table_act *, void *context);
void collective_meeting_release(struct collective_meetings *);

/* Handle a call.  If it is wrong, or differs from the first call, the meeting
   fails. */
void collective_meeting_enter(struct collective_meetings *,
    const struct collective_entry *);
/* Refuse one request alone; closes the text. */
void collective_meeting_refuse(struct collective_meetings *,
    struct collective_request *, enum collective_code, struct memstream *text);

/* A member is dead or retired: fail all requests that wait for it. */
void collective_meeting_miss(struct collective_meetings *,
    const struct collective_group *, uint32_t member);
/* A guest has left: fail its requests.  Or it is lost: forget its requests. */
void collective_meeting_drop(struct collective_meetings *,
    const struct collective_guest *, bool left);
/* Fail the meetings that have passed their time limit. */
void collective_meeting_expire(struct collective_meetings *, int64_t now_ms);

/* Begin a message about a call: "all-reduce 'grads': ". */
FILE *collective_meeting_begin(const struct collective_call *,
    struct memstream *);

#endif
