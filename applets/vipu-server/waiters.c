/*
 * Calls that wait.  Each is checked after a change of the pod or a due event.
 * Calls that wait for IPUs are checked in the order of their arrival, under the
 * rules of core/control/queue.h.
 */
#include "applets/vipu-server/waiters.h"

#include <bsd/string.h>
#include <ipubox_v1.pb.h>

#include <inttypes.h>
#include <stdlib.h>

#include "applets/vipu-server/daemon.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"

/* Each waiting creation has a ticket, and sees the tickets of the others. */
enum { WAITERS_CREATIONS_MAX = 64 };

/* A call that is not the first is checked when an earlier one leaves, and
   periodically, because that one may belong to another program. */
enum { WAITERS_ALL_MS = 1000 };

enum waiter_kind {
	WAITER_CREATE,
	WAITER_CONFIGURED,
	WAITER_GONE,
	WAITER_LEASE /* until its caller disconnects */
};

struct waiter {
	TAILQ_ENTRY(waiter) link;
	enum waiter_kind kind;
	struct daemon *daemon;
	struct rpc_call *call;
	struct identity id;
	struct queue_waiter *queue; /* of a creation, or NULL */
	char text[OWNER_TEXT_SIZE];
	struct partition_owner owner; /* text of a lease; NULL: a plain
					 creation */
	struct partition partition;   /* of the other kinds */
	char *left;		      /* of a removal */
	bool is_empty;		      /* its answer is empty */
	int64_t wait_ms;
	struct error reason; /* reason for the wait */
	struct rpc_timer limit;
};

/* ---- the answers ---- */

static void
waiter_report_created(struct rpc_call *call, const struct partition *p)
{
	ipubox_v1_CreatePartitionReply m =
	    ipubox_v1_CreatePartitionReply_init_zero;

	m.has_partition = true;
	wire_partition_put(p, &m.partition);
	rpc_message_send(call, ipubox_v1_CreatePartitionReply_fields, &m);
	rpc_message_release(ipubox_v1_CreatePartitionReply_fields, &m);
}

void
waiters_reply_created(struct rpc_call *call, const struct partition *p)
{
	waiter_report_created(call, p);
	rpc_call_finish(call, RPC_OK, "");
}

static void
waiters_reply_configured(struct rpc_call *call, const struct partition *p)
{
	ipubox_v1_WaitPartitionReply m = ipubox_v1_WaitPartitionReply_init_zero;

	m.has_partition = true;
	wire_partition_put(p, &m.partition);
	rpc_message_reply(call, ipubox_v1_WaitPartitionReply_fields, &m);
	rpc_message_release(ipubox_v1_WaitPartitionReply_fields, &m);
}

void
waiters_reply_removed(struct rpc_call *call, const struct partition *p,
    const char *left)
{
	ipubox_v1_RemovePartitionReply m =
	    ipubox_v1_RemovePartitionReply_init_zero;

	m.has_partition = true;
	wire_partition_put(p, &m.partition);
	m.left = left != NULL ? xstrdup(left) : NULL;
	rpc_message_reply(call, ipubox_v1_RemovePartitionReply_fields, &m);
	rpc_message_release(ipubox_v1_RemovePartitionReply_fields, &m);
}

/* Tell the caller what its creation waits for. */
static void
waiter_report(struct waiter *w)
{
	ipubox_v1_CreatePartitionReply m =
	    ipubox_v1_CreatePartitionReply_init_zero;
	struct error text;

	queue_waiter_tell(w->queue, &w->reason, &text);
	m.waiting = xstrdup(text.text);
	rpc_message_send(w->call, ipubox_v1_CreatePartitionReply_fields, &m);
	rpc_message_release(ipubox_v1_CreatePartitionReply_fields, &m);
}

/* ---- a waiting call ---- */

static void waiter_time_out(void *context);

static struct waiter *
waiter_new(struct rpc_call *call, enum waiter_kind kind,
    const struct identity *id, int64_t wait_ms)
{
	struct waiter *w = xcalloc(1, sizeof(*w));

	w->kind = kind;
	w->daemon = rpc_call_context(call);
	w->call = call;
	w->id = *id;
	/* Its key was checked. */
	w->id.caller.known = true;
	w->wait_ms = wait_ms;
	w->limit.fire = waiter_time_out;
	w->limit.context = w;
	return w;
}

/* Add a waiter to the waiting calls. */
static void
waiter_keep(struct waiter *w)
{
	struct waiters *all = &w->daemon->waiters;

	if (!all->is_ready)
		TAILQ_INIT(&all->list);
	all->is_ready = true;
	all->creations += w->kind == WAITER_CREATE;
	TAILQ_INSERT_TAIL(&all->list, w, link);
	rpc_call_set_data(w->call, w);
	if (w->wait_ms >= 0)
		rpc_timer_set(&rpc_server_loop(w->daemon->rpc)->timers,
		    &w->limit, clock_monotonic_ms() + w->wait_ms);
}

/* Remove a waiter from the waiting calls; the later ones are checked soon. */
static void
waiter_leave(struct waiter *w)
{
	struct rpc_timers *timers = &rpc_server_loop(w->daemon->rpc)->timers;

	if (rpc_call_data(w->call) == w) {
		TAILQ_REMOVE(&w->daemon->waiters.list, w, link);
		rpc_call_set_data(w->call, NULL);
		w->daemon->waiters.creations -= w->kind == WAITER_CREATE;
		w->daemon->waiters.order_changed = true;
		if (w->kind == WAITER_LEASE)
			w->daemon->waiters.is_tidy = false;
		rpc_timer_set(timers, &w->daemon->tick, clock_monotonic_ms());
	}
	rpc_timer_clear(timers, &w->limit);
	queue_waiter_free(w->queue);
	w->queue = NULL;
}

static void
waiter_free(struct waiter *w)
{
	waiter_leave(w);
	free(w->left);
	free(w);
}

void
waiters_end(struct rpc_call *call, enum rpc_end why)
{
	struct waiter *w = rpc_call_data(call);

	(void)why;
	if (w != NULL)
		waiter_free(w);
}

void
waiters_half_close(struct rpc_call *call)
{
	if (rpc_call_data(call) == NULL)
		rpc_call_finish(call, RPC_OK, "");
}

/* Tie the waiter's partition to the call, with a text for people. */
static void
waiter_set_owner(struct waiter *w, const char *text)
{
	(void)strlcpy(w->text, text, sizeof(w->text));
	if (text[0] != '\0')
		(void)strlcat(w->text, ", ", sizeof(w->text));
	(void)strlcat(w->text, w->id.text, sizeof(w->text));
	w->owner.kind = PO_LEASE;
	w->owner.text = w->text;
}

/*
 * Answer a created partition.  The call of a lease stays open as long as the
 * partition.
 */
static void
waiter_created(struct waiter *w, const struct partition *p)
{
	struct rpc_call *call = w->call;
	const struct identity id = w->id;

	if (w->owner.text == NULL) {
		waiter_free(w);
		daemon_changed(call, &id, "create partition %s (%d IPUs)",
		    p->name, partition_size(p));
		waiters_reply_created(call, p);
		return;
	}
	waiter_leave(w);
	w->kind = WAITER_LEASE;
	w->wait_ms = -1;
	w->partition = *p;
	waiter_keep(w);
	daemon_changed(call, &id,
	    "create partition %s (%d IPUs), until its caller ends", p->name,
	    partition_size(p));
	waiter_report_created(call, p);
}

/* End a call that need not wait any more. */
static void
waiter_refuse(struct waiter *w, const struct error *e)
{
	struct rpc_call *call = w->call;

	waiter_free(w);
	rpc_call_refuse(call, e);
}

static void
waiter_time_out(void *context)
{
	struct waiter *w = context;
	struct error e = w->reason;

	if (w->kind == WAITER_CREATE)
		(void)queue_waiter_time_out(w->queue, w->wait_ms, &e);
	else
		(void)error_set_code(&e, ERROR_TIMED_OUT,
		    "partition %s is still being configured after %" PRId64
		    " ms; vipu get partition %s shows its state",
		    w->partition.name, w->wait_ms, w->partition.name);
	waiter_refuse(w, &e);
}

/* ---- checking ---- */

/* Try a creation: it keeps waiting, or it is answered and freed. */
static void
try_create(struct waiter *w)
{
	struct partition created;
	struct error e;

	switch (queue_waiter_try(w->queue, &created, &e)) {
	case 1:
		w->reason = e;
		break;
	case 0:
		waiter_created(w, &created);
		break;
	default:
		/* Another program is changing the pod: try again later. */
		if (e.code != ERROR_TIMED_OUT)
			waiter_refuse(w, &e);
		break;
	}
}

static void
waiter_reply_gone(struct waiter *w)
{
	struct rpc_call *call = w->call;
	const struct partition gone = w->partition;
	const bool is_empty = w->is_empty;
	char *left = w->left;

	w->left = NULL;
	waiter_free(w);
	if (is_empty)
		rpc_call_reply(call, "", 0);
	else
		waiters_reply_removed(call, &gone, left);
	free(left);
}

static void
look_partition(struct waiter *w, struct controller *c)
{
	struct rpc_call *call = w->call;
	struct partition p = w->partition;
	struct error e;
	int status;

	if (w->kind == WAITER_GONE)
		p.state = PS_REMOVED;
	status = wait_look(c, &p, &e);
	if (status == 1)
		return;
	if (w->kind == WAITER_GONE &&
	    (status == 0 || e.code == ERROR_NOT_FOUND)) {
		waiter_reply_gone(w);
	} else if (status == -1) {
		waiter_refuse(w, &e);
	} else {
		waiter_free(w);
		waiters_reply_configured(call, &p);
	}
}

/* Check a call in its caller's name; it may be freed. */
static void
waiter_check(struct waiter *w)
{
	struct controller *c = w->daemon->controller;
	struct error e;

	if (w->kind == WAITER_LEASE)
		return;
	if (login_switch(c, &w->id.caller, &e) != 0)
		waiter_refuse(w, &e);
	else if (w->kind == WAITER_CREATE)
		try_create(w);
	else
		look_partition(w, c);
}

void
waiters_recheck(struct daemon *d)
{
	struct waiter *w, *next;
	struct error e;

	if (d->waiters.is_ready)
		TAILQ_FOREACH_SAFE(w, &d->waiters.list, link, next)
			if (login_recheck(d->controller, &w->id.caller,
				w->partition.name, &e) != 0 &&
			    e.code == ERROR_UNAUTHENTICATED)
				waiter_refuse(w, &e);
}

/* Whether the partition's call still exists. */
static bool
waiters_have(const struct waiters *all, const struct partition *p)
{
	const struct waiter *w;

	if (all->is_ready)
		TAILQ_FOREACH(w, &all->list, link)
			if (w->kind == WAITER_LEASE &&
			    identity_is_same(&w->partition, p))
				return true;
	return false;
}

/* Remove a lease's partition, unless a program is attached: then it is tried
   again. */
static bool
remove_lease(struct controller *c, const struct partition *p)
{
	static const struct caller server = { .admin = true };
	struct partition removed;

	if (login_switch(c, &server, NULL) != 0 ||
	    remove_begin_same(c, p, false, &removed, NULL) == -1)
		return false;
	log_info("remove partition %s: %s is gone", p->name, p->owner_text);
	return true;
}

/*
 * Remove leases without calls, also those of a server that was killed.
 */
static void
waiters_tidy(struct daemon *d, const struct registry *r)
{
	struct snapshot s;
	int i;

	if (d->waiters.is_tidy || snapshot_take(r, &s, NULL) != 0)
		return;
	d->waiters.is_tidy = true;
	for (i = 0; i < s.partition_count; i++)
		if (s.partitions[i].owner_kind == PO_LEASE &&
		    s.partitions[i].state != PS_REMOVED &&
		    !waiters_have(&d->waiters, &s.partitions[i]) &&
		    !remove_lease(d->controller, &s.partitions[i]))
			d->waiters.is_tidy = false;
	snapshot_release(&s);
}

void
waiters_check(struct daemon *d)
{
	struct waiters *all = &d->waiters;
	struct waiter *w, *next;
	struct registry *r = daemon_registry(d, NULL);
	const int64_t now_ms = clock_monotonic_ms();
	const bool order_changed = all->order_changed ||
	    now_ms >= all->all_ms + WAITERS_ALL_MS;

	if (r == NULL)
		return;
	waiters_tidy(d, r);
	if (!all->is_ready)
		return;
	all->order_changed = false;
	if (order_changed)
		all->all_ms = now_ms;
	/* The loop is safe: a served or refused call removes only itself. */
	TAILQ_FOREACH_SAFE(w, &all->list, link, next)
		if (order_changed || w->kind != WAITER_CREATE ||
		    queue_waiter_is_first(w->queue))
			waiter_check(w);
}

/* ---- new calls ---- */

int
waiters_create(struct rpc_call *call, const struct identity *id,
    const struct partition_request *r, const char *text, int64_t wait_ms,
    struct error *e)
{
	struct waiter *w = waiter_new(call, WAITER_CREATE, id, wait_ms);
	struct partition created;
	int status = -1;

	if (text != NULL)
		waiter_set_owner(w, text);
	w->queue = queue_waiter_new(w->daemon->controller, r,
	    text != NULL ? &w->owner : NULL, e);
	if (w->queue != NULL)
		status = queue_waiter_try(w->queue, &created, &w->reason);
	if (w->queue != NULL && status == -1)
		(void)error_copy(e, &w->reason);
	if (status == 1 && wait_ms != 0 &&
	    w->daemon->waiters.creations >= WAITERS_CREATIONS_MAX)
		status = error_set_code(e, ERROR_UNAVAILABLE,
		    "%d callers already wait for IPUs at this server, which is "
		    "the limit; try again later",
		    WAITERS_CREATIONS_MAX);
	if (status == 1 && wait_ms == 0) {
		(void)error_copy(e, &w->reason);
		status = queue_waiter_time_out(w->queue, 0, e);
	}
	if (status == 1) {
		waiter_keep(w);
		waiter_report(w);
		return 0;
	}
	if (status == 0)
		waiter_created(w, &created);
	else
		waiter_free(w);
	return status;
}

int
waiters_lease(struct rpc_call *call, const struct identity *id,
    const struct partition_request *r, const char *text, struct error *e)
{
	struct waiter *w = waiter_new(call, WAITER_LEASE, id, -1);
	struct partition created;

	waiter_set_owner(w, text);
	if (create_owned_partition(w->daemon->controller, r, &w->owner,
		&created, e) == 0) {
		waiter_created(w, &created);
		return 0;
	}
	waiter_free(w);
	return -1;
}

int
waiters_configured(struct rpc_call *call, const struct identity *id,
    const struct partition *asked, int64_t wait_ms, struct error *e)
{
	const struct daemon *d = rpc_call_context(call);
	struct partition p = *asked;
	struct waiter *w;

	if (wait_look(d->controller, &p, e) == -1)
		return -1;
	if (p.state != PS_PENDING) {
		waiters_reply_configured(call, &p);
		return 0;
	}
	w = waiter_new(call, WAITER_CONFIGURED, id, wait_ms);
	w->partition = p;
	waiter_keep(w);
	return 0;
}

void
waiters_gone(struct rpc_call *call, const struct identity *id,
    const struct partition *p, const char *left)
{
	struct waiter *w = waiter_new(call, WAITER_GONE, id, -1);

	w->partition = *p;
	w->left = left != NULL ? xstrdup(left) : NULL;
	waiter_keep(w);
}

void
waiters_gone_empty(struct rpc_call *call, const struct identity *id,
    const struct partition *p)
{
	struct waiter *w = waiter_new(call, WAITER_GONE, id, -1);

	w->partition = *p;
	w->is_empty = true;
	waiter_keep(w);
}
