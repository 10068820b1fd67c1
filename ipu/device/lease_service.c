/*
 * Leases in the server.  Read lease_take() first: the first message of a stream
 * is a wish, which is granted, queued or refused.  Then read
 * lease_service_look(), which runs a few times a second while leases exist.
 *
 * A stream is a lease.  The server takes the device as any program does, and
 * gives it back when the stream ends for any reason.  A connection that was cut
 * silently is found by its silence (rpc_limits.h).  A program on this host
 * counts in memory that it shares with the server; others report their
 * counters.  The plausible part goes into the registry (lease_counters.c).
 */
#include "ipu/device/device.h"

#include <sys/mman.h>

#include <bsd/string.h>
#include <bsd/sys/queue.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/server/rpc/rpc.h"
#include "ipu/device/device_internal.h"
#include "ipu/device/lease.h"

enum {
	/* Delay before a wish for held IPUs is refused: the end of their holder
	   may be among the messages still to be read. */
	SECOND_TRY_MS = 20,
	FIRST_LOOK_MS = 5, /* after a grant, to serve bursts */
	LOOK_MS = 250,	   /* maximum age of the server's knowledge */
	TRIES = 64	   /* for waiting wishes, per look */
};

struct held_lease {
	TAILQ_ENTRY(held_lease) link;
	struct lease_service *service;
	struct rpc_call *call;
	struct lease_wish wish;
	struct caller caller; /* when it was last admitted */
	bool is_granted;
	/* Members of a granted lease. */
	struct local_attachment attachment;
	struct ipu_slot *memory;    /* written by the program; or NULL: it sends
				       reports */
	struct lease_meter *meters; /* accepted counters, per IPU */
	ipubox_v1_LeaseIpu *reported; /* last state sent, per IPU */
	bool is_cut;		      /* loss of its registry was reported */
	bool has_sibling_trouble;     /* was reported */
};

struct lease_service {
	struct lease_service_options options;
	struct rpc_loop *loop;
	struct rpc_timer timer;
	TAILQ_HEAD(lease_list, held_lease) leases, waiting;
	int count; /* length of both */
};

/* ---- memory ---- */

/* Make memory for the counters of a lease.  Returns its descriptor, or -1 if
   the system has none. */
static int
lease_make_memory(struct held_lease *l, size_t size)
{
	void *map;
	int fd = memfd_create("ipubox-lease", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd == -1)
		return -1;
	/* The seals keep the program from shrinking or growing the memory. */
	if (ftruncate(fd, (off_t)size) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) ==
		0) {
		map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
		if (map != MAP_FAILED) {
			l->memory = map;
			return fd;
		}
	}
	(void)close(fd);
	return -1;
}

static void
lease_share_memory(struct held_lease *l)
{
	const size_t size = (size_t)l->attachment.taken.count *
	    sizeof(*l->memory);
	int fd;

	if (!l->wish.shares || !rpc_call_peer(l->call)->is_local ||
	    (fd = lease_make_memory(l, size)) == -1)
		return;
	if (rpc_call_pass(l->call, fd))
		return;
	(void)munmap(l->memory, size);
	l->memory = NULL;
}

/* ---- the condition of the device ---- */

/* Note the IPUs' state.  Returns whether it differs from the one sent. */
static bool
lease_note_ipus(struct held_lease *l)
{
	const struct ipu_slot *slot;
	ipubox_v1_LeaseIpu now, *reported;
	bool changed = false;
	int i;

	for (i = 0; i < l->attachment.taken.count; i++) {
		slot = attach_local_slot(&l->attachment, i);
		reported = &l->reported[i];
		now =
		    (ipubox_v1_LeaseIpu){ .lost = atomic_load(&slot->lost) != 0,
			    .soc_error = atomic_load(&slot->soc_error) };
		changed = changed || now.lost != reported->lost ||
		    now.soc_error != reported->soc_error;
		*reported = now;
	}
	return changed;
}

static void
lease_send_status(struct held_lease *l)
{
	struct error trouble = { .text = "" };
	struct error siblings = { .text = "" };
	ipubox_v1_LeaseReply m = ipubox_v1_LeaseReply_init_zero;
	bool changed = lease_note_ipus(l);

	if (!l->is_cut && slots_are_cut(&l->attachment.registry.slots))
		changed = l->is_cut = true;
	if (!l->has_sibling_trouble &&
	    attach_local_check_siblings(&l->attachment, &siblings) != 0)
		changed = l->has_sibling_trouble = true;
	if (!changed)
		return;
	(void)attach_local_check(&l->attachment, &trouble);
	m.has_status = true;
	m.status = (ipubox_v1_LeaseStatus){
		.ipus_count = (pb_size_t)l->attachment.taken.count,
		.ipus = l->reported,
		.trouble = trouble.text,
		.trouble_code = rpc_status_from(trouble.code),
		.siblings = siblings.text,
		.siblings_code = rpc_status_from(siblings.code)
	};
	rpc_message_send(l->call, ipubox_v1_LeaseReply_fields, &m);
}

/* Take the counters of a program that shares memory. */
static void
lease_take_memory(struct held_lease *l)
{
	const int64_t now_ns = clock_real_ns();
	struct lease_counters counters;
	int i;

	for (i = 0; l->memory != NULL && i < l->attachment.taken.count; i++) {
		lease_counters_read(&counters, &l->memory[i]);
		lease_counters_take(&counters, &l->meters[i], now_ns,
		    attach_local_slot(&l->attachment, i));
	}
}

/* ---- the lifetime of a lease ---- */

void
lease_service_note(const struct lease_service_options *o, struct rpc_call *call,
    const char *what, int id, const char *partition,
    const struct ipu_slot *words)
{
	char device[32] = "all devices", text[512];

	if (o->note == NULL)
		return;
	if (id != -1)
		(void)snprintf(device, sizeof(device), "device %d", id);
	(void)snprintf(text, sizeof(text),
	    "%s %s of partition %s: %s of %s on %s", what, device, partition,
	    words->command, words->user, words->host);
	o->note(o->owner, call, text);
}

static void
lease_note(const struct held_lease *l, const char *what)
{
	const struct lease_service_options *o = &l->service->options;
	const struct taken_device *d = &l->attachment.taken;

	lease_service_note(o, l->call, what, d->device.id, d->partition,
	    &l->wish.words);
}

/* Free the lease; in_order: the program gave it back, rather than vanished. */
static void
lease_free(struct held_lease *l, bool in_order)
{
	struct lease_service *s = l->service;

	if (l->is_granted) {
		lease_take_memory(l);
		lease_note(l, "gave back");
		if (l->memory != NULL)
			(void)munmap(l->memory,
			    (size_t)l->attachment.taken.count *
				sizeof(*l->memory));
		(in_order ? attach_local_end :
			    attach_local_abandon)(&l->attachment);
	}
	free(l->meters);
	free(l->reported);
	TAILQ_REMOVE(l->is_granted ? &s->leases : &s->waiting, l, link);
	s->count--;
	if (s->count == 0)
		rpc_timer_clear(&s->loop->timers, &s->timer);
	free(l);
}

static void
lease_refuse(struct held_lease *l, const struct error *e)
{
	struct rpc_call *call = l->call;

	lease_free(l, false);
	rpc_call_set_data(call, NULL);
	rpc_call_refuse(call, e);
}

static void
lease_grant(struct held_lease *l)
{
	const int64_t now_ns = clock_real_ns();
	const size_t count = (size_t)l->attachment.taken.count;
	ipubox_v1_LeaseReply m;
	size_t i;

	TAILQ_REMOVE(&l->service->waiting, l, link);
	TAILQ_INSERT_TAIL(&l->service->leases, l, link);
	l->is_granted = true;
	l->meters = xcalloc(count, sizeof(*l->meters));
	l->reported = xcalloc(count, sizeof(*l->reported));
	for (i = 0; i < count; i++)
		l->meters[i].granted_ns = now_ns;
	lease_share_memory(l);
	lease_message_grant(&l->attachment, l->memory != NULL, &m);
	rpc_message_send(l->call, ipubox_v1_LeaseReply_fields, &m);
	lease_note(l, "leased");
}

bool
lease_service_knows(const struct lease_service_options *o,
    struct rpc_call *call)
{
	struct caller who;
	struct error e;

	if (o->allows == NULL || o->allows(o->owner, call, NULL, &who, &e) == 0)
		return true;
	rpc_call_refuse(call, &e);
	return false;
}

int
lease_service_admit(const struct lease_service_options *o,
    struct rpc_call *call, const struct visible_name *name,
    struct ipu_slot *words, struct caller *caller, struct error *e)
{
	memset(caller, 0, sizeof(*caller));
	if (o->allows != NULL &&
	    o->allows(o->owner, call, name, caller, e) != 0)
		return -1;
	lease_holder_check(words, rpc_call_peer(call), caller->user);
	return 0;
}

static int
lease_try(struct held_lease *l, struct error *e)
{
	const struct attach_request r = { .ipus = l->wish.ipus,
		.device_id = l->wish.device_id,
		.words = &l->wish.words,
		.name = &l->wish.name,
		.popdist = &l->wish.popdist,
		.at_once = true };

	if (lease_service_admit(&l->service->options, l->call, &l->wish.name,
		&l->wish.words, &l->caller, e) != 0 ||
	    attach_local(&l->attachment, &r, e) != 0)
		return -1;
	lease_grant(l);
	return 0;
}

void
lease_service_recheck(struct lease_service *s)
{
	struct held_lease *l, *next;
	struct error e;

	TAILQ_FOREACH_SAFE(l, &s->leases, link, next)
		if (s->options.admits != NULL &&
		    s->options.admits(s->options.owner, &l->caller,
			l->attachment.taken.partition, &e) != 0 &&
		    e.code == ERROR_UNAUTHENTICATED)
			lease_refuse(l, &e);
}

/* ---- the clock ---- */

/* Try the wishes that have waited longest since their last try. */
static void
lease_service_try(struct lease_service *s)
{
	struct held_lease *l, *last = TAILQ_LAST(&s->waiting, lease_list);
	struct error reason;
	bool was_last = last == NULL;
	int i;

	for (i = 0; i < TRIES && !was_last; i++) {
		l = TAILQ_FIRST(&s->waiting);
		was_last = l == last;
		if (lease_try(l, &reason) == 0)
			continue;
		if (!l->wish.wait || reason.code != ERROR_NO_ROOM) {
			lease_refuse(l, &reason);
			continue;
		}
		TAILQ_REMOVE(&s->waiting, l, link);
		TAILQ_INSERT_TAIL(&s->waiting, l, link);
	}
}

static void
lease_service_look(void *context)
{
	struct lease_service *s = context;
	struct held_lease *l;

	lease_service_try(s);
	TAILQ_FOREACH(l, &s->leases, link) {
		lease_take_memory(l);
		lease_send_status(l);
	}
	if (s->count > 0)
		rpc_timer_set(&s->loop->timers, &s->timer,
		    s->loop->now_ms + LOOK_MS);
}

static void
lease_service_look_soon(struct lease_service *s, int64_t ms)
{
	const int64_t due_ms = s->loop->now_ms + ms;

	if (!s->timer.is_set || s->timer.due_ms > due_ms)
		rpc_timer_set(&s->loop->timers, &s->timer, due_ms);
}

/* ---- messages ---- */

/* Count the leases of a local user, or of all TCP callers. */
static int
lease_count_of(const struct lease_list *list, const struct rpc_peer *owner)
{
	const struct held_lease *l;
	const struct rpc_peer *peer;
	int count = 0;

	TAILQ_FOREACH(l, list, link) {
		peer = rpc_call_peer(l->call);
		count += peer->is_local == owner->is_local &&
		    (!peer->is_local || peer->uid == owner->uid);
	}
	return count;
}

/* Check that the limits, in total and of this user, allow another lease. */
static int
lease_check_count(const struct lease_service *s, const struct rpc_peer *peer,
    struct error *e)
{
	int own;

	if (s->count >= LEASE_SERVICE_MAX)
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "%d programs already hold or wait for devices through this "
		    "server; it accepts no more",
		    s->count);
	if (peer->is_local && peer->uid == 0)
		return 0;
	own = lease_count_of(&s->leases, peer) +
	    lease_count_of(&s->waiting, peer);
	return own < (peer->is_local ? LEASE_SERVICE_USER_MAX :
				       LEASE_SERVICE_REMOTE_MAX) ?
	    0 :
	    error_set_code(e, ERROR_UNAVAILABLE,
		"%d programs of %s already hold or wait for devices through "
		"this server; it accepts no more",
		own, peer->is_local ? "this user" : "other hosts");
}

/* Begin a stream. */
static void
lease_begin(struct lease_service *s, struct rpc_call *call,
    const ipubox_v1_LeaseRequest *m)
{
	struct held_lease *l;
	struct lease_wish wish;
	struct error e;

	if (lease_message_read_wish(m, &wish, &e) != 0 ||
	    lease_check_count(s, rpc_call_peer(call), &e) != 0) {
		rpc_call_refuse(call, &e);
		return;
	}
	l = xcalloc(1, sizeof(*l));
	l->service = s;
	l->call = call;
	l->wish = wish;
	TAILQ_INSERT_TAIL(&s->waiting, l, link);
	s->count++;
	rpc_call_set_data(call, l);
	lease_service_look_soon(s, LOOK_MS);
	if (lease_try(l, &e) == 0) {
		/* Look soon: the job's other instances must see its IPUs in
		   order before a failure. */
		lease_service_look_soon(s, FIRST_LOOK_MS);
		return;
	}
	if (e.code == ERROR_NO_ROOM)
		lease_service_look_soon(s, SECOND_TRY_MS);
	else
		lease_refuse(l, &e);
}

/* Take the counters of a program that sends reports. */
static void
lease_take_report(struct held_lease *l, const ipubox_v1_LeaseRequest *m)
{
	const int64_t now_ns = clock_real_ns();
	struct lease_counters counters;
	struct error e;
	int i;

	if (!l->is_granted || m->has_wish ||
	    m->counters_count != (pb_size_t)l->attachment.taken.count) {
		(void)error_set_code(&e, ERROR_INVALID,
		    "the message has counters of %u IPUs, but the lease has %d",
		    (unsigned)m->counters_count,
		    l->is_granted ? l->attachment.taken.count : 0);
		lease_refuse(l, &e);
		return;
	}
	for (i = 0; l->memory == NULL && i < l->attachment.taken.count; i++) {
		lease_message_read_counters(&m->counters[i], &counters);
		lease_counters_take(&counters, &l->meters[i], now_ns,
		    attach_local_slot(&l->attachment, i));
	}
}

static void
lease_take(struct rpc_call *call, const void *bytes, size_t size)
{
	struct lease_service *s = rpc_call_context(call);
	struct held_lease *l = rpc_call_data(call);
	ipubox_v1_LeaseRequest m;
	struct error e;

	if (l == NULL && !lease_service_knows(&s->options, call))
		return;
	if (rpc_message_read(call, ipubox_v1_LeaseRequest_fields, bytes, size,
		&m, &e) != 0) {
		if (l != NULL)
			lease_refuse(l, &e);
		else
			rpc_call_refuse(call, &e);
		return;
	}
	if (l == NULL)
		lease_begin(s, call, &m);
	else
		lease_take_report(l, &m);
	rpc_message_release(ipubox_v1_LeaseRequest_fields, &m);
}

/* Handle the program's giving the device back. */
static void
lease_half_close(struct rpc_call *call)
{
	struct held_lease *l = rpc_call_data(call);

	if (l != NULL)
		lease_free(l, true);
	rpc_call_set_data(call, NULL);
	rpc_call_finish(call, RPC_OK, "");
}

/* Handle the end of the stream. */
static void
lease_end(struct rpc_call *call, enum rpc_end why)
{
	struct held_lease *l = rpc_call_data(call);

	(void)why;
	if (l != NULL)
		lease_free(l, false);
}

/* ---- the service ---- */

struct lease_service *
lease_service_new(const struct lease_service_options *o)
{
	struct lease_service *s = xcalloc(1, sizeof(*s));

	s->options = *o;
	s->timer.fire = lease_service_look;
	s->timer.context = s;
	TAILQ_INIT(&s->leases);
	TAILQ_INIT(&s->waiting);
	return s;
}

void
lease_service_free(struct lease_service *s)
{
	free(s);
}

void
lease_service_methods(struct lease_service *s,
    struct rpc_method rows[LEASE_SERVICE_METHODS])
{
	rows[0] = (struct rpc_method){ .path = LEASE_MESSAGE_PATH,
		.is_stream = true,
		.take = lease_take,
		.half_close = lease_half_close,
		.end = lease_end,
		.context = s };
}

void
lease_service_use(struct lease_service *s, struct rpc_loop *loop)
{
	s->loop = loop;
}
