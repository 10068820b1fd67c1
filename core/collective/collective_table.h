/*
 * The rules of a job's collectives (ipubox-link(7)): the members, the
 * operations that each has called, and the result for waiting members when one
 * ends, leaves, differs or does not come.  It does no input, output or
 * arithmetic.  Its time, of clock_monotonic_ms(), is a parameter.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_TABLE_H
#define CORE_COLLECTIVE_COLLECTIVE_TABLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/collective/collective_message.h"

enum {
	/* How long the report of a process's end may come after its connection
	   broke. */
	COLLECTIVE_TABLE_WORD_MS = 1000
};

struct collective_table;
struct collective_guest;   /* a connection that has said hello */
struct collective_request; /* a request, owned and answered by the caller */

enum collective_event_kind {
	COLLECTIVE_CARRY_OUT, /* all have come: the requests are in member
				 order */
	COLLECTIVE_CONFIRM,   /* the requests have succeeded */
	COLLECTIVE_REFUSE     /* they have failed */
};

/* The outcome of requests, which the table has forgotten.  Valid only during
   the call of collective_table_act. */
struct collective_event {
	enum collective_event_kind kind;
	struct collective_request **requests;
	size_t count; /* of requests */
	/* COLLECTIVE_CARRY_OUT only. */
	int operation, type;
	uint64_t elements; /* per member */
	size_t root;	   /* of a broadcast: index of the root's request */
	/* COLLECTIVE_REFUSE only. */
	enum collective_code code;
	const char *text; /* the reason */
};

/* Carries out an event at once, within a function of the table.  Events come in
   the order in which they happen. */
typedef void collective_table_act(void *context,
    const struct collective_event *);

/* Make the table of a job of `instances` instances; none has joined. */
struct collective_table *collective_table_new(int instances,
    collective_table_act *, void *context);
void collective_table_free(struct collective_table *);

/* Let a connection of process `pid` join.  The table owns the guest until it
   leaves or is lost.  Returns NULL with *code and the error set if it may
   not. */
struct collective_guest *collective_table_join(struct collective_table *,
    const struct collective_hello *, pid_t pid, enum collective_code *code,
    struct error *);

/* Handle a guest's call of an operation; _register: of a new communicator.  If
   no_room is not NULL the call is refused for that reason, and the operation
   fails for the others as well. */
void collective_table_call(struct collective_table *, struct collective_guest *,
    const struct collective_call *, struct collective_request *, int64_t now_ms,
    const char *no_room);
void collective_table_register(struct collective_table *,
    struct collective_guest *, const struct collective_set *,
    struct collective_request *);

/* Return true if the guest is that member of its group. */
bool collective_table_is_member(const struct collective_guest *,
    uint32_t member);

/* Return the number of members of a communicator in the guest's group; 0: it
   does not exist. */
uint32_t collective_table_size(const struct collective_guest *,
    const char *communicator);

/* Free a guest.  _leave: operations in which it waits fail; for_good: its
   member may not join again.  _lose, after its connection broke: its requests
   are forgotten, and its member counts as dead when its end is reported or
   after COLLECTIVE_TABLE_WORD_MS. */
void collective_table_leave(struct collective_table *,
    struct collective_guest *, bool for_good);
void collective_table_lose(struct collective_table *, struct collective_guest *,
    int64_t now_ms);

/* Report the end, with a status of waitpid(2), of the process that was started
   as the instance.  Everything that it had sent must have been handled. */
void collective_table_ended(struct collective_table *, int instance, pid_t pid,
    int status);

/* Handle time limits that have passed. */
void collective_table_expire(struct collective_table *, int64_t now_ms);
/* Return the monotonic ms at which the next limit may pass; -1: none. */
int64_t collective_table_deadline(const struct collective_table *);

#endif
