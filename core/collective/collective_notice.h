/*
 * What becomes of requests, in the order in which it happened: the queue
 * between the rules of the collectives and the server that does what they say.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_NOTICE_H
#define CORE_COLLECTIVE_COLLECTIVE_NOTICE_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/collective/collective_message.h"

struct collective_request;	/* what the server answers, and keeps */

enum collective_event_kind {
	COLLECTIVE_CARRY_OUT,	/* all have come: the requests are those of the
				   members in their order */
	COLLECTIVE_CONFIRM,	/* the requests have succeeded */
	COLLECTIVE_REFUSE	/* they have failed */
};

struct collective_event {
	enum collective_event_kind kind;
	struct collective_request **requests;
	size_t			 count;
	int			 operation, type;	/* to carry out */
	uint64_t		 elements;
	size_t			 root;	/* its place among the requests */
	enum collective_code	 code;	/* to refuse */
	char			*text;
};

struct collective_notices {
	TAILQ_HEAD(, collective_notice)	 queue;
	struct collective_notice	*told;	/* the last one */
};

/* An empty queue. */
void	collective_notice_init(struct collective_notices *);
void	collective_notice_release(struct collective_notices *);

/*
 * Queue an event, which the caller fills in: it has no request yet, and room
 * for so many.  Its text is freed with it.
 */
struct collective_event	*collective_notice_add(struct collective_notices *,
			    enum collective_event_kind, size_t room);

/* The first one, until the next call.  False: there is none. */
bool	collective_notice_next(struct collective_notices *,
	    struct collective_event *);

#endif
