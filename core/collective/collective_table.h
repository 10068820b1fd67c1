/*
 * The rules by which the programs of a job meet in collectives, as
 * ipubox-link(7) has them: who is a member, who has come to which operation,
 * and what becomes of those who wait when one of them ends, leaves, differs or
 * does not come.  It does no input, output or arithmetic, and its time, of
 * clock_monotonic_ms(), is a parameter.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_TABLE_H
#define CORE_COLLECTIVE_COLLECTIVE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/collective/collective_message.h"

enum {
	/* So long after a connection has ended the word of how its process did
	   may come. */
	COLLECTIVE_TABLE_WORD_MS = 1000
};

struct collective_table;
struct collective_guest;   /* a connection that has said hello */
struct collective_request; /* what the caller answers, and keeps */

enum collective_event_kind {
	COLLECTIVE_CARRY_OUT, /* all have come: the requests are those of the
				 members in their order */
	COLLECTIVE_CONFIRM,   /* the requests have succeeded */
	COLLECTIVE_REFUSE     /* they have failed */
};

/* What becomes of requests; the table has forgotten them. */
struct collective_event {
	enum collective_event_kind kind;
	struct collective_request **requests;
	size_t count;
	int operation, type; /* to carry out */
	uint64_t elements;
	size_t root;		   /* its place among the requests */
	enum collective_code code; /* to refuse */
	const char *text;
};

/* Does what an event says, at once and in the order in which they happen. */
typedef void collective_table_act(void *context,
    const struct collective_event *);

/* For a job of so many instances, of which nobody has come. */
struct collective_table *collective_table_new(int instances,
    collective_table_act *, void *context);
void collective_table_free(struct collective_table *);

/*
 * A connection of process `pid` says hello; the guest is the table's until it
 * leaves or is lost.  NULL, *code and the reason: it may not.
 */
struct collective_guest *collective_table_join(struct collective_table *,
    const struct collective_hello *, pid_t pid, enum collective_code *code,
    struct error *);

/* A guest calls an operation, or makes a communicator.  An operation for which
   there is no room, and why, fails for the others as well. */
void collective_table_call(struct collective_table *, struct collective_guest *,
    const struct collective_call *, struct collective_request *, int64_t now_ms,
    const char *no_room);
void collective_table_register(struct collective_table *,
    struct collective_guest *, const struct collective_set *,
    struct collective_request *);

/* Whether the guest is that member of its group. */
bool collective_table_is_member(const struct collective_guest *,
    uint32_t member);

/* How many members a communicator of the guest has; 0: there is none. */
uint32_t collective_table_size(const struct collective_guest *,
    const char *communicator);

/*
 * It leaves, or its connection ends without that: then its requests are
 * forgotten.  Either way there is no such guest afterwards.
 */
void collective_table_leave(struct collective_table *,
    struct collective_guest *, bool for_good);
void collective_table_lose(struct collective_table *, struct collective_guest *,
    int64_t now_ms);

/* The process that was started as the instance ended, with this status of
   waitpid(2).  All that it had sent has been told before. */
void collective_table_ended(struct collective_table *, int instance, pid_t pid,
    int status);

/* Act on time limits that have passed; when the next one may, -1: never. */
void collective_table_expire(struct collective_table *, int64_t now_ms);
int64_t collective_table_deadline(const struct collective_table *);

#endif
