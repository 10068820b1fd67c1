/*
 * The links of a job.  A connection is a guest until it has proved itself, and
 * then the peer of its instance.  Read link_hub_continue() first.
 */
#include "core/link/link.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/link/link_internal.h"
#include "core/process/process.h"

enum {
	EVENTS = 64,
	OUTPUTS = 2,		/* streams 1 and 2 */
	KEYS = 1 + OUTPUTS + 1, /* per peer: link, outputs, input */
	PAUSE_MS = 100,		/* pause after accept(2) failed */
	ACCEPTS = 16,		/* per round: guests speak in between */
	WINDOW_MIN = 64 * 1024,
	WINDOW_MAX = 256 * 1024,
	MAX_WINDOWS = 64, /* with more instances the windows are smaller */
};
/* Keys of epoll(7): the source of an event. */
enum { KEY_LISTENER, KEY_TIMER, KEY_GUESTS };

struct link_hub_peer {
	struct link *link;
	bool has_connected; /* it has connected, now or before */
	short events;
	struct link_output outputs[OUTPUTS];
	struct link_input input;
};

struct link_hub {
	int instances;
	struct link_hub_peer *peers;
	struct link_guests guests;
	size_t window;
	int listener, timer, epoll;
	bool listens;  /* epoll(7) watches the listener */
	bool is_far;   /* other hosts may connect */
	bool is_known; /* all of them are in the network `only` */
	struct network only;
	int64_t paused_ms; /* end of the pause; 0: none */
	char *path, *address;
	unsigned char secret[LINK_SECRET_BYTES];
	char digits[HEX_SIZE(LINK_SECRET_BYTES)];
	void (*event)(void *, const struct link_hub_event *);
	void *context;
};

/* Watch with epoll_ctl(2); poll(2) and epoll(7) use the same bits. */
static int
watch(const struct link_hub *h, int how, int fd, short events, size_t key)
{
	struct epoll_event e = { .events = (uint32_t)events, .data.u64 = key };

	return epoll_ctl(h->epoll, how, fd, &e);
}

static size_t
peer_key(const struct link_hub *h, const struct link_hub_peer *p)
{
	return KEY_GUESTS + h->guests.places + (size_t)(p - h->peers) * KEYS;
}

static size_t
guest_key(const struct link_hub *h, const struct link_guest *g)
{
	return KEY_GUESTS + (size_t)(g - h->guests.all);
}

/* Watch for the events that the link waits for. */
static void
update(const struct link_hub *h, const struct link *l, size_t key,
    short *events)
{
	if (link_events(l) == *events)
		return;
	*events = link_events(l);
	(void)watch(h, EPOLL_CTL_MOD, link_fd(l), *events, key);
}

static void
update_peer(const struct link_hub *h, struct link_hub_peer *p)
{
	if (p->link != NULL)
		update(h, p->link, peer_key(h, p), &p->events);
}

static void
tell(const struct link_hub *h, const struct link_hub_peer *p,
    enum link_hub_kind kind, const struct link_message *m,
    const struct error *reason)
{
	const struct link_hub_event event = { .kind = kind,
		.instance = (int)(p - h->peers),
		.message = m,
		.reason = reason };

	h->event(h->context, &event);
}

/* Close the link of a peer or a guest. */
static void
close_link(const struct link_hub *h, struct link **l)
{
	/* epoll(7) keeps a descriptor that a forked process still has open. */
	(void)watch(h, EPOLL_CTL_DEL, link_fd(*l), 0, 0);
	link_free(*l);
	*l = NULL;
}

/* Grant the instance as much as went into the pipe. */
static void
grant(struct link_hub_peer *p, int stream)
{
	const size_t more = p->link == NULL ?
	    0 :
	    link_output_grant(&p->outputs[stream - 1]);

	if (more > 0)
		link_grant(p->link, stream, more);
}

/* Continue a stream after its pipe got room again. */
static void
serve_output(const struct link_hub *h, struct link_hub_peer *p, int stream)
{
	link_output_continue(&p->outputs[stream - 1]);
	grant(p, stream);
	update_peer(h, p);
}

static void
take(const struct link_hub *h, struct link_hub_peer *p,
    const struct link_message *m)
{
	if (m->kind == LINK_DATA) {
		link_output_take(&p->outputs[m->stream - 1], m->body, m->size);
		grant(p, m->stream);
	} else if (m->kind == LINK_END_OF_STREAM)
		link_output_end(&p->outputs[m->stream - 1]);
	else if (m->kind == LINK_INPUT_CLOSED || m->kind == LINK_INPUT_TAKEN)
		link_input_take(&p->input, m);
	else if (m->kind >= LINK_STARTED)
		tell(h, p, LINK_HUB_MESSAGE, m, NULL);
}

static void
lose(const struct link_hub *h, struct link_hub_peer *p,
    const struct error *reason)
{
	int i;

	close_link(h, &p->link);
	for (i = 0; i < OUTPUTS; i++)
		link_output_end(&p->outputs[i]);
	link_input_close(&p->input);
	tell(h, p, LINK_HUB_LOST, NULL, reason);
}

/* Continue the input, which may have credit or bytes now. */
static void
serve_input(const struct link_hub *h, struct link_hub_peer *p)
{
	if (p->link == NULL)
		return;
	link_input_continue(&p->input, p->link);
	update_peer(h, p);
}

/* Handle the result `found` of link_receive(), and all further messages. */
static void
serve_peer(const struct link_hub *h, struct link_hub_peer *p, int found,
    struct link_message *m, struct error *e)
{
	while (found == 1) {
		take(h, p, m);
		found = link_receive(p->link, m, e);
	}
	if (found == -1)
		lose(h, p, e);
	else
		serve_input(h, p);
}

static void
dismiss(struct link_hub *h, struct link_guest *g)
{
	close_link(h, &g->link);
	link_guests_remove(&h->guests, g);
}

/* Grant the whole window, once both the pipe and the link exist. */
static void
open_stream(const struct link_hub *h, struct link_hub_peer *p, int stream)
{
	const struct link_output *o = &p->outputs[stream - 1];

	if (p->link == NULL || !o->made || o->ended)
		return;
	link_grant(p->link, stream, h->window);
	update_peer(h, p);
}

/* Hand a visitor's connection over to the caller. */
static void
hand_over(struct link_hub *h, struct link_guest *g, int instance)
{
	const int fd = fcntl(link_fd(g->link), F_DUPFD_CLOEXEC, 0);

	dismiss(h, g);
	if (fd != -1)
		h->event(h->context,
		    &(struct link_hub_event){ .fd = fd,
			.kind = LINK_HUB_VISITOR,
			.instance = instance });
}

/* Make a proved guest its instance's peer.  NULL: a visitor, or refused. */
static struct link_hub_peer *
admit(struct link_hub *h, struct link_guest *g)
{
	const int instance = link_instance(g->link);
	const int visited = instance - LINK_HUB_VISITORS;
	struct link_hub_peer *p;
	int stream;

	if (visited >= 0 && (visited < h->instances || h->instances == 0)) {
		hand_over(h, g, visited);
		return NULL;
	}
	if (instance < 0 || instance >= h->instances ||
	    h->peers[instance].has_connected) {
		dismiss(h, g);
		return NULL;
	}
	p = &h->peers[instance];
	p->has_connected = true;
	p->link = g->link;
	p->events = link_events(p->link);
	(void)watch(h, EPOLL_CTL_MOD, link_fd(p->link), p->events,
	    peer_key(h, p));
	link_guests_remove(&h->guests, g);
	for (stream = 1; stream <= OUTPUTS; stream++)
		open_stream(h, p, stream);
	tell(h, p, LINK_HUB_OPEN, NULL, NULL);
	return p;
}

static void
serve_guest(struct link_hub *h, struct link_guest *g)
{
	struct error e = { .code = ERROR_NONE };
	struct link_message m;
	struct link_hub_peer *p;
	const int found = link_receive(g->link, &m, &e);

	if (link_is_open(g->link)) {
		if ((p = admit(h, g)) != NULL)
			serve_peer(h, p, found, &m, &e);
	} else if (found == -1)
		dismiss(h, g);
	else
		update(h, g->link, guest_key(h, g), &g->events);
}

static void
add_guest(struct link_hub *h, int fd)
{
	struct link_guest *g = link_guests_leaving(&h->guests);

	if (g != NULL)
		dismiss(h, g);
	g = link_guests_add(&h->guests, fd, h->secret, clock_monotonic_ms());
	if (watch(h, EPOLL_CTL_ADD, fd, g->events, guest_key(h, g)) != 0)
		dismiss(h, g);
}

/* Accept some of the waiting connections.  Pause if all guests came just now,
   or if this process has too many descriptors: some may be closed soon. */
static void
let_in(struct link_hub *h)
{
	struct sockaddr_storage from;
	struct sockaddr *const any = (struct sockaddr *)&from;
	socklen_t size;
	int fd, i;

	for (i = 0; i < ACCEPTS; i++) {
		if ((h->paused_ms = link_guests_full_ms(&h->guests,
			 clock_monotonic_ms())) != 0)
			return;
		size = sizeof(from);
		fd = accept4(h->listener, any, &size, SOCK_CLOEXEC);
		if (fd != -1 && h->is_known && !network_holds(&h->only, any))
			(void)close(fd);
		else if (fd != -1) {
			if (h->is_far)
				link_address_keep_alive(fd);
			add_guest(h, fd);
		} else if (errno != EINTR && errno != ECONNABORTED) {
			if (errno != EAGAIN)
				h->paused_ms = clock_monotonic_ms() + PAUSE_MS;
			return;
		}
	}
}

void
link_hub_expire(struct link_hub *h, int64_t now_ms)
{
	struct link_guest *g;

	while ((g = link_guests_late(&h->guests, now_ms)) != NULL)
		dismiss(h, g);
	if (h->paused_ms <= now_ms)
		h->paused_ms = 0;
}

/* Watch for guests, but not in a pause, and set the timer for the next work. */
static void
rest(struct link_hub *h)
{
	const bool listens = h->paused_ms == 0;
	const int64_t late_ms = link_guests_next_ms(&h->guests);
	int64_t next_ms = h->paused_ms;
	struct itimerspec when = { .it_value.tv_sec = 0 };

	if (late_ms != 0 && (next_ms == 0 || late_ms < next_ms))
		next_ms = late_ms;
	when.it_value.tv_sec = (time_t)(next_ms / 1000);
	when.it_value.tv_nsec = (long)(next_ms % 1000 * 1000000);
	(void)timerfd_settime(h->timer, TFD_TIMER_ABSTIME, &when, NULL);
	if (listens != h->listens)
		(void)watch(h, EPOLL_CTL_MOD, h->listener, listens ? POLLIN : 0,
		    KEY_LISTENER);
	h->listens = listens;
}

/* Handle the event of one watched descriptor. */
static void
serve(struct link_hub *h, size_t key)
{
	struct link_message m;
	struct error e = { .code = ERROR_NONE };
	struct link_hub_peer *p;
	size_t what;

	if (key == KEY_LISTENER) {
		let_in(h);
		return;
	}
	if (key == KEY_TIMER)
		return; /* rest() sets the timer again */
	if (key < KEY_GUESTS + h->guests.places) {
		serve_guest(h, &h->guests.all[key - KEY_GUESTS]);
		return;
	}
	key -= KEY_GUESTS + h->guests.places;
	p = &h->peers[key / KEYS];
	what = key % KEYS;
	if (what > OUTPUTS)
		serve_input(h, p);
	else if (what != 0)
		serve_output(h, p, (int)what);
	else if (p->link != NULL)
		serve_peer(h, p, link_receive(p->link, &m, &e), &m, &e);
}

/* Each descriptor comes at most once a round.  The listener comes last, so no
   new connection takes the place of a closed one within a round. */
void
link_hub_continue(struct link_hub *h)
{
	struct epoll_event events[EVENTS];
	bool has_waiting = false;
	int i, n;

	n = epoll_wait(h->epoll, events, EVENTS, 0);
	for (i = 0; i < n; i++)
		if (events[i].data.u64 == KEY_LISTENER)
			has_waiting = true;
		else
			serve(h, events[i].data.u64);
	link_hub_expire(h, clock_monotonic_ms());
	if (has_waiting)
		let_in(h);
	rest(h);
}

static int
start_listening(struct link_hub *h, const char *directory,
    const struct link_reach *reach, struct error *e)
{
	int port;

	if (reach == NULL)
		h->listener = link_address_listen(directory, "link", &h->path,
		    e);
	else
		h->listener = link_address_listen_reach(reach, &port, e);
	if (h->listener == -1)
		return -1;
	h->is_far = reach != NULL;
	h->is_known = reach != NULL && reach->only != NULL;
	if (h->is_known)
		h->only = *reach->only;
	h->address = h->is_far ? xasprintf("tcp:%d:%s", port, reach->address) :
				 xasprintf("unix:%s", h->path);
	return 0;
}

/* Open the descriptors that the hub waits with. */
static int
open_all(struct link_hub *h, const char *directory,
    const struct link_reach *reach, struct error *e)
{
	h->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (h->epoll == -1 || h->timer == -1)
		return error_set_errno(e, "cannot watch the instances");
	if (start_listening(h, directory, reach, e) != 0)
		return -1;
	h->listens = true;
	if (watch(h, EPOLL_CTL_ADD, h->listener, POLLIN, KEY_LISTENER) != 0 ||
	    watch(h, EPOLL_CTL_ADD, h->timer, POLLIN, KEY_TIMER) != 0)
		return error_set_errno(e, "cannot watch the instances");
	return 0;
}

static void
init_streams(struct link_hub *h)
{
	struct link_hub_peer *p;
	size_t i;

	for (p = h->peers; p < h->peers + h->instances; p++) {
		for (i = 0; i < OUTPUTS; i++)
			link_output_init(&p->outputs[i], h->epoll,
			    peer_key(h, p) + 1 + i, h->window);
		link_input_init(&p->input, h->epoll,
		    peer_key(h, p) + 1 + OUTPUTS);
	}
}

struct link_hub *
link_hub_new(int instances, const char *directory,
    const struct link_reach *reach,
    void (*event)(void *, const struct link_hub_event *), void *context,
    struct error *e)
{
	struct link_hub *h = xcalloc(1, sizeof(*h));

	h->instances = instances;
	h->peers = xcalloc((size_t)instances, sizeof(*h->peers));
	link_guests_init(&h->guests, LINK_HUB_GUESTS + (size_t)instances);
	h->window = WINDOW_MAX;
	if (instances > MAX_WINDOWS)
		h->window = WINDOW_MAX * MAX_WINDOWS / (size_t)instances;
	if (h->window < WINDOW_MIN)
		h->window = WINDOW_MIN;
	h->listener = h->timer = -1;
	h->epoll = epoll_create1(EPOLL_CLOEXEC);
	init_streams(h);
	h->event = event;
	h->context = context;
	arc4random_buf(h->secret, sizeof(h->secret));
	hex_text(h->secret, sizeof(h->secret), h->digits);
	if (open_all(h, directory, reach, e) == 0)
		return h;
	link_hub_free(h);
	return NULL;
}

void
link_hub_forget(struct link_hub *h)
{
	size_t i, j;

	for (i = 0; i < (size_t)h->instances; i++) {
		link_free(h->peers[i].link);
		for (j = 0; j < OUTPUTS; j++) {
			/* epoll(7) is shared with forked processes. */
			h->peers[i].outputs[j].watched = false;
			link_output_release(&h->peers[i].outputs[j]);
		}
		h->peers[i].input.watched = false;
		link_input_close(&h->peers[i].input);
	}
	link_guests_release(&h->guests);
	if (h->listener != -1)
		(void)close(h->listener);
	if (h->timer != -1)
		(void)close(h->timer);
	if (h->epoll != -1)
		(void)close(h->epoll);
	explicit_bzero(h->secret, sizeof(h->secret));
	explicit_bzero(h->digits, sizeof(h->digits));
	free(h->peers);
	free(h->path);
	free(h->address);
	free(h);
}

void
link_hub_free(struct link_hub *h)
{
	if (h == NULL)
		return;
	if (h->path != NULL)
		(void)unlink(h->path);
	link_hub_forget(h);
}

const char *
link_hub_address(const struct link_hub *h)
{
	return h->address;
}

const char *
link_hub_secret(const struct link_hub *h)
{
	return h->digits;
}

void
link_hub_set_secret(struct link_hub *h, const unsigned char *secret)
{
	memcpy(h->secret, secret, sizeof(h->secret));
	hex_text(h->secret, sizeof(h->secret), h->digits);
}

int
link_hub_fd(const struct link_hub *h)
{
	return h->epoll;
}

int
link_hub_output(struct link_hub *h, int instance, int stream)
{
	struct link_hub_peer *p = &h->peers[instance];
	const int fd = link_output_open(&p->outputs[stream - 1]);

	if (fd != -1)
		open_stream(h, p, stream);
	return fd;
}

void
link_hub_input(struct link_hub *h, int instance, int fd)
{
	h->peers[instance].input.fd = fd;
	serve_input(h, &h->peers[instance]);
}

bool
link_hub_holds_output(const struct link_hub *h)
{
	const struct link_hub_peer *p;
	int i;

	for (p = h->peers; p < h->peers + h->instances; p++)
		for (i = 0; i < OUTPUTS; i++)
			if (p->outputs[i].begin < p->outputs[i].end)
				return true;
	return false;
}

void
link_hub_send(struct link_hub *h, int instance, enum link_kind kind,
    const void *body, size_t size)
{
	struct link_hub_peer *p;
	int i;

	for (i = 0; i < h->instances; i++) {
		p = &h->peers[i];
		if ((instance != -1 && instance != i) || p->link == NULL)
			continue;
		link_send(p->link, kind, 0, body, size);
		update_peer(h, p);
	}
}
