/*
 * Creating a partition as soon as its IPUs are free.  Each try is a separate
 * transaction; between tries the waiter holds a ticket and sleeps.
 */
#include "core/control/queue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/control/watcher.h"
#include "core/pod/pod.h"

struct queue_waiter {
	struct controller *controller;
	const struct directory *directory;   /* state directory */
	struct partition_request request;    /* checked */
	const struct partition_owner *owner; /* or NULL */
	struct ticket ticket;
	int before;	 /* number of earlier waiters */
	int64_t next_ms; /* next automatic event, or 0 */
};

/* Count earlier waiters; take a ticket if `waits` is set or others came
   earlier. */
static int
line_up(struct queue_waiter *w, const struct snapshot *s, bool waits,
    struct error *e)
{
	struct ticket *tickets;
	long count = ticket_read(w->directory, &tickets, e);
	int status = 0;

	if (count == -1)
		return -1;
	w->before = ticket_count_before(&s->pod, tickets, count, &w->request,
	    w->ticket.number);
	if (w->ticket.number == 0 && (waits || w->before > 0))
		status = ticket_take(w->directory, tickets, count, &w->request,
		    w->controller->user.name, &w->ticket, e);
	if (status == 0)
		status = ticket_clean(w->directory, tickets, count, e);
	free(tickets);
	return status;
}

/* Try under the lock.  0: created; 1: wait, with the reason in the text. */
static int
try_locked(struct queue_waiter *w, struct snapshot *s,
    struct partition *created, struct error *e)
{
	int status;

	(void)error_set_code(e, ERROR_NO_ROOM, "%d IPUs are free",
	    w->request.size);
	status = create_plan(w->controller, s, &w->request, created, e);
	if (status == -1 || line_up(w, s, status == 1, e) != 0)
		return -1;
	w->next_ms = watcher_next_event(w->controller, s, w->before == 0);
	if (status == 1 || w->before > 0)
		return 1;
	return create_under_lock(w->controller, s, &w->request, w->owner,
	    created, e);
}

int
queue_waiter_try(struct queue_waiter *w, struct partition *created,
    struct error *e)
{
	struct snapshot s;
	int status;

	if (transaction_begin(w->controller, &s, e) != 0)
		return -1;
	status = try_locked(w, &s, created, e);
	transaction_end(w->controller, &s);
	return status;
}

/* Append the number of earlier waiters. */
static void
append_before(const struct queue_waiter *w, struct error *e)
{
	if (w->before > 0)
		(void)error_append(e, "; %d %s before this one", w->before,
		    w->before == 1 ? "waits" : "wait");
}

/* Use what follows the first "; " of a reason such as "size 16: no group is
   free; taken by p (32)". */
void
queue_waiter_tell(const struct queue_waiter *w, const struct error *reason,
    struct error *text)
{
	const char *rest = strstr(reason->text, "; ");

	(void)error_set(text, "waiting for %d IPU%s%s", w->request.size,
	    w->request.size == 1 ? "" : "s", rest != NULL ? rest : "");
	append_before(w, text);
}

int
queue_waiter_time_out(const struct queue_waiter *w, int64_t waited_ms,
    struct error *e)
{
	append_before(w, e);
	(void)error_prefix(e, "waited %" PRId64 " s", waited_ms / 1000);
	return error_recode(e, ERROR_TIMED_OUT);
}

static void
queue_notify(const struct queue_waiter *w,
    const struct wait_options *wait_options, const struct error *reason)
{
	struct error text;

	queue_waiter_tell(w, reason, &text);
	if (wait_options->notify != NULL)
		wait_options->notify(wait_options->context, text.text);
}

/* Return ERROR_INTERRUPTED, by EINTR. */
static int
queue_interrupted(struct error *e)
{
	return error_set_number(e, EINTR, "gave up waiting");
}

/* Alternate between trying and waiting.  A waiter that becomes the first tries
   again, with the first one's additional watches. */
static int
wait_in_line(struct queue_waiter *w, const struct wait_options *wait_options,
    struct watcher *watcher, struct partition *created, struct error *e)
{
	const struct controller *c = w->controller;
	int64_t deadline_ms = 0, left_ms = -1;
	bool first, notified = false;
	int status;

	if (wait_options->wait_ms >= 0)
		deadline_ms = wait_options->wait_ms +
		    (wait_options->since_ms != 0 ? wait_options->since_ms :
						   c->monotonic_ms());
	for (;;) {
		first = w->before == 0;
		watcher_arm(watcher, first);
		if ((status = queue_waiter_try(w, created, e)) != 1)
			return status;
		if (!first && w->before == 0)
			continue;
		if (deadline_ms != 0)
			left_ms = deadline_ms - c->monotonic_ms();
		if (deadline_ms != 0 && left_ms <= 0)
			return queue_waiter_time_out(w, wait_options->wait_ms,
			    e);
		if (!notified)
			queue_notify(w, wait_options, e);
		notified = true;
		if (watcher_wait(watcher, w->next_ms, left_ms) != 0)
			return queue_interrupted(e);
	}
}

struct queue_waiter *
queue_waiter_new(struct controller *c, const struct partition_request *asked,
    const struct partition_owner *owner, struct error *e)
{
	struct queue_waiter *w = xcalloc(1, sizeof(*w));

	w->controller = c;
	w->directory = &c->state.directory;
	w->request = *asked;
	w->owner = owner;
	w->ticket.fd = -1;
	if (request_check(&w->request, e) == 0)
		return w;
	free(w);
	return NULL;
}

bool
queue_waiter_is_first(const struct queue_waiter *w)
{
	return w->before == 0;
}

void
queue_waiter_free(struct queue_waiter *w)
{
	if (w == NULL)
		return;
	(void)ticket_drop(w->directory, &w->ticket, NULL);
	free(w);
}

int
queue_embedded(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner,
    const struct wait_options *wait_options, struct partition *created,
    struct error *e)
{
	struct queue_waiter *w;
	struct partition partition;
	struct watcher watcher;
	int status;

	w = queue_waiter_new(c, r, owner, e);
	if (w == NULL)
		return -1;
	watcher_init(&watcher, c);
	status = wait_in_line(w, wait_options, &watcher, &partition, e);
	if (status == 0 && watcher_interrupted(&watcher)) {
		(void)remove_same(c, &partition, NULL);
		status = queue_interrupted(e);
	}
	queue_waiter_free(w);
	watcher_release(&watcher);
	if (status == 0 && created != NULL)
		*created = partition;
	return status;
}

int
queue_create(struct controller *c, const struct partition_request *asked,
    const struct partition_owner *owner,
    const struct wait_options *wait_options, struct partition *created,
    struct error *e)
{
	struct partition_request request = *asked;

	return request_check(&request, e) != 0 ?
	    -1 :
	    c->operations->queue(c, &request, owner, wait_options, created, e);
}

/* Whether a limited caller may see the names of a ticket. */
static bool
may_see(const struct user *u, const struct ticket *t)
{
	return strcmp(t->user, u->name) == 0 ||
	    (t->allocation[0] != '\0' && user_has_allocation(u, t->allocation));
}

long
queue_embedded_list(struct controller *c, struct ticket **out, struct error *e)
{
	struct ticket *all, *t;
	long i, count, live = 0;
	bool limited;

	*out = NULL;
	if (login_check(c, &limited, e) != 0 ||
	    (count = ticket_read(&c->state.directory, &all, e)) == -1)
		return -1;
	for (i = 0; i < count; i++) {
		if (!all[i].live)
			continue;
		t = &all[live++];
		*t = all[i];
		if (limited && !may_see(&c->user, t))
			t->partition[0] = t->cluster[0] = t->allocation[0] =
			    t->user[0] = '\0';
	}
	*out = all;
	return live;
}

long
queue_list(struct controller *c, struct ticket **out, struct error *e)
{
	*out = NULL;
	return c->operations->list_waiting != NULL ?
	    c->operations->list_waiting(c, out, e) :
	    error_set_code(e, ERROR_UNSUPPORTED,
		"the server does not report it");
}
