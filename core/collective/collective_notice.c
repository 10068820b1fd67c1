/*
 * The queue of notices.
 */
#include "core/collective/collective_notice.h"

#include <stdlib.h>

#include "core/base/alloc.h"

struct collective_notice {
	TAILQ_ENTRY(collective_notice)	 link;
	struct collective_event		 event;
	struct collective_request	*requests[];
};

void
collective_notice_init(struct collective_notices *t)
{
	TAILQ_INIT(&t->queue);
	t->told = NULL;
}

static void
notice_free(struct collective_notice *n)
{
	if (n != NULL)
		free(n->event.text);
	free(n);
}

void
collective_notice_release(struct collective_notices *t)
{
	struct collective_notice	*n;

	while ((n = TAILQ_FIRST(&t->queue)) != NULL) {
		TAILQ_REMOVE(&t->queue, n, link);
		notice_free(n);
	}
	notice_free(t->told);
	t->told = NULL;
}

struct collective_event *
collective_notice_add(struct collective_notices *t,
    enum collective_event_kind kind, size_t room)
{
	struct collective_notice	*n = xcalloc(1, sizeof(*n) +
	    room * sizeof(n->requests[0]));

	n->event.kind = kind;
	n->event.requests = n->requests;
	TAILQ_INSERT_TAIL(&t->queue, n, link);
	return &n->event;
}

bool
collective_notice_next(struct collective_notices *t,
    struct collective_event *event)
{
	struct collective_notice	*n = TAILQ_FIRST(&t->queue);

	notice_free(t->told);
	t->told = n;
	if (n == NULL)
		return false;
	TAILQ_REMOVE(&t->queue, n, link);
	*event = n->event;
	return true;
}
