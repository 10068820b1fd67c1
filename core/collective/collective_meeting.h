/*
 * Meetings, for collective_table.c alone.  A meeting is one operation in
 * progress.  It completes when all members have come with a call, or fails for
 * all when it fails for one.  A failed one stays, to refuse late members, until
 * every member that still can has come.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_MEETING_H
#define CORE_COLLECTIVE_COLLECTIVE_MEETING_H

#include "core/base/text.h"
#include "core/collective/collective_group.h"
#include "core/collective/collective_table.h"

enum {
	COLLECTIVE_MEETING_REGISTER = 0, /* not an operation: registers a
					    communicator */
	COLLECTIVE_MEETING_LISTS = 64	 /* number of lists; a hash of the id
					    chooses one */
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
	struct collective_members *set; /* the members to register, or NULL */
	struct collective_call call;	/* the first member's call */
	int first;			/* that member's place; -1: none yet */
	uint32_t waiting;		/* number of waiting requests */
	int64_t due_ms;			/* earliest time limit; 0: none */
	uint32_t timeout_ms;		/* the limit that due_ms was set from */
	enum collective_code code;	/* 0: no failure */
	char *why;			/* text of the failure, or NULL */
	struct collective_place places[]; /* one per member */
};

TAILQ_HEAD(collective_meeting_list, collective_meeting);

struct collective_meetings {
	struct collective_meeting_list lists[COLLECTIVE_MEETING_LISTS];
	size_t open;	 /* number of meetings */
	int64_t next_ms; /* no time limit ends earlier; 0: none */
	collective_table_act *act;
	void *context;
};

/* A guest's call. */
struct collective_entry {
	const struct collective_guest *guest;
	const struct collective_call *call;
	struct collective_members *members; /* the participants, including the
					       guest; calls only meet if they
					       have the same pointer */
	struct collective_members *set;	    /* to register, or NULL */
	struct collective_request *request;
	int64_t now_ms;
	enum collective_code code; /* fault that the caller found; 0: none */
	const char *reason;	   /* its text */
};

/* Begin without meetings; `act` receives the outcome of requests.  _release()
   frees all meetings without an outcome. */
void collective_meeting_init(struct collective_meetings *,
    collective_table_act *, void *context);
void collective_meeting_release(struct collective_meetings *);

/*
 * Handle a call.  If it is wrong, or differs from the first call, the meeting
 * fails.  Three kinds of calls are refused without effect on others: a second
 * call of an id by a member that still waits; a call that comes after the
 * failure; and one that would begin a meeting although one of its members is
 * dead or retired, or the limit of meetings is reached.
 */
void collective_meeting_enter(struct collective_meetings *,
    const struct collective_entry *);
/* Refuse only this request; closes and frees the text, which must be open. */
void collective_meeting_refuse(struct collective_meetings *,
    struct collective_request *, enum collective_code, struct memstream *text);

/* Fail all meetings that include the member, after collective_group_miss().  If
   it retired, those in which it waits continue. */
void collective_meeting_miss(struct collective_meetings *,
    const struct collective_group *, uint32_t member);
/* Forget the requests of a guest, and if it has left, fail the meetings in
   which it waited.  `left` false: it was lost, and its death is reported
   later. */
void collective_meeting_drop(struct collective_meetings *,
    const struct collective_guest *, bool left);
/* Fail the meetings that have passed their time limit, except those that only
   wait for the report of a lost member's death. */
void collective_meeting_expire(struct collective_meetings *, int64_t now_ms);

/* Open the text, which the caller must close, and begin a message about a call:
   "all-reduce 'grads': ". */
FILE *collective_meeting_begin(const struct collective_call *,
    struct memstream *);

#endif
