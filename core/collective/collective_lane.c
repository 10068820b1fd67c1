/*
 * Lanes.  In this order: a sum in progress (read run() first), connections from
 * neighbours, the lane.
 */
#include "core/collective/collective_lane.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include <bsd/stdlib.h>
#include <bsd/string.h>
#include <bsd/sys/queue.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/link/link.h"

enum {
	LOOK_MS = 100,
	PATIENCE_NS = 50000, /* spin this long before sleeping: sleeping and
				waking take as long */
	PIECE = 64 * 1024,   /* bytes added at once */
	VECTORS = 64,	     /* vectors added at once */
	MEET_MS = 30000,
	TICKETS = 1 << 30,
	THREAD_STACK = 256 * 1024
};

static_assert(sizeof(struct collective_lane_card) == COLLECTIVE_LANE_CARD_BYTES,
    "a card's size");

struct collective_lanes {
	struct link_hub *hub; /* neighbours connect as its visitors */
	unsigned char secret[LINK_SECRET_BYTES];
	int wake; /* tells the door's thread to end */
	bool admits;
	pthread_t door;	      /* thread that accepts neighbours */
	pthread_mutex_t lock; /* protects the rest */
	pthread_cond_t arrived;
	TAILQ_HEAD(, collective_lane) lanes;
};

/* A non-blocking connection to a neighbour. */
struct side {
	int fd;	    /* -1: none */
	int ticket; /* ticket it came with; 0: none */
};

struct collective_lane {
	TAILQ_ENTRY(collective_lane) link;
	struct collective_lanes *lanes;
	collective_lane_look *look;
	const void *context;
	struct side before, after;
	struct side
	    incoming; /* new connection for this sum; protected by the lock with
			 its ticket */
	struct collective_lane_card *cards;
	size_t count, place;
	struct collective_lane_work work;
	unsigned char *sum; /* `room` bytes for a vector */
	size_t room;
};

int
collective_lane_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
	pthread_attr_t a;
	pthread_t detached;
	sigset_t all, before;
	int code;

	(void)sigfillset(&all);
	(void)pthread_attr_init(&a);
	(void)pthread_attr_setstacksize(&a, THREAD_STACK);
	if (thread == NULL)
		(void)pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(thread != NULL ? thread : &detached, &a, run,
	    context);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&a);
	return code == 0 ? 0 : -1;
}

/* ---- a sum in progress ---- */

/* The progress of a sum, in bytes. */
struct lane_progress {
	size_t got; /* received from the process before */
	size_t added;
	size_t sent;	 /* sent to the process after */
	size_t back;	 /* of the whole sum, received from there */
	size_t given;	 /* given to the members here */
	size_t returned; /* returned to the process before */
};

static bool
is_first(const struct collective_lane *l)
{
	return l->place == 0;
}

static bool
is_last(const struct collective_lane *l)
{
	return l->place + 1 == l->count;
}

/* Read the available bytes; -1: the connection has ended. */
static int
read_some(int fd, void *to, size_t size, size_t *done)
{
	ssize_t n = size == 0 ? 0 : recv(fd, to, size, 0);

	if (n > 0)
		*done += (size_t)n;
	return (n == 0 && size > 0) ||
		(n == -1 && errno != EAGAIN && errno != EINTR) ?
	    -1 :
	    0;
}

static int
write_some(int fd, const void *from, size_t size, size_t *done)
{
	ssize_t n = size == 0 ? 0 : send(fd, from, size, MSG_NOSIGNAL);

	if (n > 0)
		*done += (size_t)n;
	return n == -1 && errno != EAGAIN && errno != EINTR ? -1 : 0;
}

/* Add these bytes of the members here to the sum of the processes before, if
   any. */
static void
add_piece(const struct collective_lane *l, size_t begin, size_t bytes)
{
	const void *vectors[1 + VECTORS];
	const size_t count = bytes / element_size(l->work.type);
	bool has_sum = !is_first(l);
	size_t n, i = 0;

	while (i < l->work.count) {
		n = 0;
		if (has_sum)
			vectors[n++] = l->sum + begin;
		while (n <= VECTORS && i < l->work.count)
			vectors[n++] = (const char *)l->work.vectors[i++] +
			    begin;
		element_sum(l->work.type, vectors, n, count, l->sum + begin);
		has_sum = true;
	}
}

/* Add the next piece of the received bytes, in whole elements. */
static void
add_next(const struct collective_lane *l, size_t got, size_t *added)
{
	const size_t size = element_size(l->work.type);
	size_t bytes = got / size * size - *added;

	if (bytes > PIECE)
		bytes = PIECE;
	if (bytes == 0)
		return;
	add_piece(l, *added, bytes);
	*added += bytes;
}

/* Give the members here the completed bytes of the whole sum. */
static void
give(const struct collective_lane *l, size_t back, size_t *given)
{
	size_t i;

	for (i = 0; i < l->work.count; i++)
		memcpy((char *)l->work.results[i] + *given, l->sum + *given,
		    back - *given);
	*given = back;
}

/* Do everything that is possible without waiting. */
static int
step(const struct collective_lane *l, struct lane_progress *g)
{
	if (is_first(l))
		g->got = l->work.bytes;
	else if (read_some(l->before.fd, l->sum + g->got,
		     l->work.bytes - g->got, &g->got) != 0)
		return -1;
	add_next(l, g->got, &g->added);
	if (is_last(l))
		g->back = g->added;
	else if (write_some(l->after.fd, l->sum + g->sent, g->added - g->sent,
		     &g->sent) != 0 ||
	    read_some(l->after.fd, l->sum + g->back, g->sent - g->back,
		&g->back) != 0)
		return -1;
	give(l, g->back, &g->given);
	return is_first(l) ?
	    0 :
	    write_some(l->before.fd, l->sum + g->returned,
		g->back - g->returned, &g->returned);
}

/* Wait for the neighbours until another step is possible. */
static int
wait_for_neighbours(const struct collective_lane *l,
    const struct lane_progress *g, struct error *e)
{
	struct pollfd fds[2] = {
		{ .fd = l->before.fd,
		    .events = (short)((g->got < l->work.bytes ? POLLIN : 0) |
			(g->returned < g->back ? POLLOUT : 0)) },
		{ .fd = l->after.fd,
		    .events = (short)((g->back < g->sent ? POLLIN : 0) |
			(g->sent < g->added ? POLLOUT : 0)) },
	};

	return poll(fds, 2, LOOK_MS) == 0 ? l->look(l->context, e) : 0;
}

/* Run the sum: received bytes are added and passed on, while the whole sum
   comes back over the same connections into the same memory.  It never
   overtakes the bytes that were sent. */
static int
run(const struct collective_lane *l, struct error *e)
{
	struct lane_progress g = { .got = 0 }, last;
	int64_t patient_until_ns = 0;

	while (g.given < l->work.bytes ||
	    (!is_first(l) && g.returned < l->work.bytes)) {
		last = g;
		if (step(l, &g) != 0)
			return 1;
		if (memcmp(&last, &g, sizeof(g)) != 0)
			patient_until_ns = clock_monotonic_ns() + PATIENCE_NS;
		else if (clock_monotonic_ns() < patient_until_ns)
			(void)sched_yield();
		else if (wait_for_neighbours(l, &g, e) != 0)
			return -1;
	}
	return 0;
}

/* ---- connections from neighbours ---- */

static void
close_side(struct side *s)
{
	if (s->fd != -1)
		(void)close(s->fd);
	*s = (struct side){ .fd = -1 };
}

/* Assign a visitor to the lane with its ticket. */
static void
seat(void *context, const struct link_hub_event *visitor)
{
	struct collective_lanes *all = context;
	struct collective_lane *l;

	(void)fcntl(visitor->fd, F_SETFL, O_NONBLOCK);
	(void)pthread_mutex_lock(&all->lock);
	TAILQ_FOREACH(l, &all->lanes, link)
		if (l->incoming.ticket == visitor->instance &&
		    l->incoming.fd == -1)
			break;
	if (l != NULL)
		l->incoming.fd = visitor->fd;
	else
		(void)close(visitor->fd);
	(void)pthread_cond_broadcast(&all->arrived);
	(void)pthread_mutex_unlock(&all->lock);
}

/* Accept neighbours, in a thread. */
static void *
run_door(void *context)
{
	const struct collective_lanes *all = context;
	struct pollfd fds[] = {
		{ .fd = link_hub_fd(all->hub), .events = POLLIN },
		{ .fd = all->wake, .events = POLLIN },
	};

	while (poll(fds, 2, -1) == -1 || fds[1].revents == 0)
		link_hub_continue(all->hub);
	return NULL;
}

struct collective_lanes *
collective_lane_listen(const char *host, struct error *e)
{
	const struct link_reach reach = { .address = host };
	struct collective_lanes *all = xcalloc(1, sizeof(*all));

	TAILQ_INIT(&all->lanes);
	(void)pthread_mutex_init(&all->lock, NULL);
	(void)pthread_cond_init(&all->arrived, NULL);
	all->wake = eventfd(0, EFD_CLOEXEC);
	if (all->wake == -1)
		(void)error_set_errno(e, "cannot wait for neighbours");
	else
		all->hub = link_hub_new(0, NULL, &reach, seat, all, e);
	if (all->hub != NULL)
		return all;
	collective_lane_stop(all);
	return NULL;
}

int
collective_lane_admit(struct collective_lanes *all, const unsigned char *secret,
    struct error *e)
{
	memcpy(all->secret, secret, sizeof(all->secret));
	link_hub_set_secret(all->hub, secret);
	if (collective_lane_thread(&all->door, run_door, all) != 0)
		return error_set(e, "cannot start a thread");
	all->admits = true;
	return 0;
}

void
collective_lane_stop(struct collective_lanes *all)
{
	const uint64_t one = 1;

	if (all == NULL)
		return;
	if (all->admits) {
		(void)!write(all->wake, &one, sizeof(one));
		(void)pthread_join(all->door, NULL);
	}
	link_hub_free(all->hub);
	if (all->wake != -1)
		(void)close(all->wake);
	explicit_bzero(all->secret, sizeof(all->secret));
	(void)pthread_mutex_destroy(&all->lock);
	(void)pthread_cond_destroy(&all->arrived);
	free(all);
}

/* ---- a lane ---- */

struct collective_lane *
collective_lane_open(struct collective_lanes *all, collective_lane_look *look,
    const void *context)
{
	struct collective_lane *l = xcalloc(1, sizeof(*l));

	l->lanes = all;
	l->look = look;
	l->context = context;
	l->before.fd = l->after.fd = l->incoming.fd = -1;
	(void)pthread_mutex_lock(&all->lock);
	TAILQ_INSERT_TAIL(&all->lanes, l, link);
	(void)pthread_mutex_unlock(&all->lock);
	return l;
}

void
collective_lane_close(struct collective_lane *l)
{
	(void)pthread_mutex_lock(&l->lanes->lock);
	TAILQ_REMOVE(&l->lanes->lanes, l, link);
	(void)pthread_mutex_unlock(&l->lanes->lock);
	close_side(&l->before);
	close_side(&l->after);
	close_side(&l->incoming);
	free(l->cards);
	free(l->sum);
	free(l);
}

/* A connection for an earlier sum is closed. */
void
collective_lane_begin(struct collective_lane *l,
    struct collective_lane_card *card)
{
	*card = (struct collective_lane_card){ .before = l->before.ticket,
		.after = l->after.ticket };
	card->own = 1 + (int)arc4random_uniform(TICKETS);
	(void)strlcpy(card->address, link_hub_address(l->lanes->hub),
	    sizeof(card->address));
	(void)pthread_mutex_lock(&l->lanes->lock);
	close_side(&l->incoming);
	l->incoming.ticket = card->own;
	(void)pthread_mutex_unlock(&l->lanes->lock);
}

int
collective_lane_take(struct collective_lane *l, const void *cards, size_t count)
{
	struct collective_lane_card *card;

	l->cards = xreallocarray(l->cards, count, sizeof(*l->cards));
	memcpy(l->cards, cards, count * sizeof(*l->cards));
	l->count = l->place = count;
	for (card = l->cards; card < l->cards + count; card++) {
		card->address[sizeof(card->address) - 1] = '\0';
		if (card->own == l->incoming.ticket &&
		    strcmp(card->address, link_hub_address(l->lanes->hub)) == 0)
			l->place = (size_t)(card - l->cards);
	}
	return l->place < count ? 0 : -1;
}

/* Connect to the process before. */
static int
dial(struct collective_lane *l, const struct collective_lane_card *there,
    struct error *e)
{
	const int64_t deadline = clock_monotonic_ms() + MEET_MS;
	const int fd = link_dial(there->address, l->lanes->secret,
	    LINK_HUB_VISITORS + there->own, deadline, e);

	if (fd == -1)
		return -1;
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	l->before = (struct side){ .fd = fd, .ticket = there->own };
	return 0;
}

/* Wait for the connection from the process after. */
static int
await(struct collective_lane *l, struct error *e)
{
	const int64_t deadline = clock_monotonic_ms() + MEET_MS;
	struct collective_lanes *all = l->lanes;
	struct timespec until;
	int status = 0;

	(void)pthread_mutex_lock(&all->lock);
	while (l->incoming.fd == -1 && status == 0) {
		until = clock_real_after_ms(LOOK_MS);
		(void)pthread_cond_timedwait(&all->arrived, &all->lock, &until);
		(void)pthread_mutex_unlock(&all->lock);
		status = l->look(l->context, e);
		if (status == 0 && clock_monotonic_ms() > deadline)
			status = error_set_code(e, ERROR_TIMED_OUT,
			    "instance %zu did not connect within %d s: check "
			    "that no firewall separates the hosts",
			    l->place + 1, MEET_MS / 1000);
		(void)pthread_mutex_lock(&all->lock);
	}
	l->after = l->incoming;
	l->incoming = (struct side){ .fd = -1 };
	(void)pthread_mutex_unlock(&all->lock);
	return status;
}

/* Close the connections after a failure; they cannot be used again. */
static int
hang_up(struct collective_lane *l, int status)
{
	if (status != 0) {
		close_side(&l->before);
		close_side(&l->after);
	}
	return status;
}

/* A connection that both neighbours still have is reused. */
int
collective_lane_connect(struct collective_lane *l, struct error *e)
{
	const struct collective_lane_card *own = &l->cards[l->place];
	int status = 0;

	if (is_first(l) || own->before == 0 || own->before != own[-1].after) {
		close_side(&l->before);
		status = is_first(l) ? 0 : dial(l, own - 1, e);
	}
	if (is_last(l) || own->after == 0 || own->after != own[1].before) {
		close_side(&l->after);
		if (status == 0 && !is_last(l))
			status = await(l, e);
	}
	return hang_up(l, status);
}

int
collective_lane_add(struct collective_lane *l,
    const struct collective_lane_work *work, struct error *e)
{
	l->work = *work;
	if (l->room < work->bytes) {
		l->sum = xreallocarray(l->sum, work->bytes, 1);
		l->room = work->bytes;
	}
	return hang_up(l, run(l, e));
}
