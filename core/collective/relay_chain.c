/*
 * The chain of relays.  Read lane_run(), then guest_run(), by which a
 * connection comes to its lane.
 */
#include "core/collective/relay_chain.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <bsd/stdlib.h>
#include <bsd/string.h>
#include <bsd/sys/queue.h>

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/collective/chain_exchange.h"
#include "core/link/link_prove.h"
#include "core/process/process.h"

enum {
	LANE_MEET_MS = 30000,
	LANE_LOOK_MS = 100,
	GUEST_MS = 10000,		/* to prove who it is */
	GUESTS_MAX = 64,		/* at the same time */
	GUEST_PAUSE_MS = 100,
	THREAD_STACK = 256 * 1024
};

/* What a relay tells the others of a lane.  They are the same program. */
struct relay_card {
	uint64_t	before, behind;	/* of its connections; 0: none */
	uint32_t	number, round;
	char		address[RELAY_CHAIN_CARD_BYTES - 24];
};

static_assert(sizeof(struct relay_card) == RELAY_CHAIN_CARD_BYTES,
    "a card's size");

/* What the relay behind says first, when it has proved itself. */
struct relay_greeting {
	uint64_t	id;		/* of the connection, drawn by it */
	uint64_t	round;		/* of the lane that it is for */
};

struct relay_chain {
	const unsigned char	*secret;
	int			 listener;	/* -1: not yet */
	char			 address[sizeof(((struct relay_card *)
				    NULL)->address)];
	int			 wake;
	uint32_t		 numbers;	/* the last lane's */
	pthread_mutex_t		 lock;	/* of what follows, and of lanes */
	pthread_cond_t		 came;
	int			 guests;
	TAILQ_HEAD(, relay_lane) lanes;
};

/* A connection to a neighbour. */
struct relay_side {
	int		fd;		/* -1: none */
	uint64_t	id;
};

struct relay_lane {
	TAILQ_ENTRY(relay_lane)	 link;
	struct relay_chain	*chain;
	uint32_t		 number, round;
	struct relay_side	 before, behind;
	struct relay_side	 come;	/* for this round; below the lock */
	bool			 adds;	/* it uses the memory; below the lock */
	enum relay_chain_state	 state;	/* below the lock, too */
	_Atomic bool		 over;	/* its sum is of no use any more */
	bool			 left;	/* nobody waits for its end */
	struct relay_chain_work	 work;
	struct relay_card	*cards;
	size_t			 count, place;
	unsigned char		*sum;
	size_t			 room;
};

/* Threads that do not wait for signals, and that nobody joins. */
static int
chain_start_thread(void *(*run)(void *), void *context)
{
	pthread_attr_t	a;
	pthread_t	thread;
	int		code;

	(void)pthread_attr_init(&a);
	(void)pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	(void)pthread_attr_setstacksize(&a, THREAD_STACK);
	code = pthread_create(&thread, &a, run, context);
	(void)pthread_attr_destroy(&a);
	return code == 0 ? 0 : -1;
}

static void
side_close(struct relay_side *s)
{
	if (s->fd != -1)
		(void)close(s->fd);
	*s = (struct relay_side){ .fd = -1 };
}

/* ---- who comes ---- */

struct relay_guest {
	struct relay_chain	*chain;
	int			 fd;
};

/* All of it, in time. */
static bool
guest_read_greeting(int fd, struct relay_greeting *g)
{
	const struct timeval	limit = { .tv_sec = GUEST_MS / 1000 };

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return recv(fd, g, sizeof(*g), MSG_WAITALL) == (ssize_t)sizeof(*g);
}

/* One that is for a lane that is there, in its round. */
static bool
guest_seat(struct relay_chain *c, int number, const struct relay_side *side,
    uint64_t round)
{
	struct relay_lane	*l;
	bool			 seated = false;

	(void)pthread_mutex_lock(&c->lock);
	TAILQ_FOREACH(l, &c->lanes, link) {
		if ((int)l->number != number || l->round != round ||
		    l->come.fd != -1)
			continue;
		l->come = *side;
		seated = true;
		break;
	}
	(void)pthread_cond_broadcast(&c->came);
	(void)pthread_mutex_unlock(&c->lock);
	return seated;
}

/* One more, or one less.  False: there are too many. */
static bool
guest_count(struct relay_chain *c, int more)
{
	bool	fits;

	(void)pthread_mutex_lock(&c->lock);
	fits = c->guests + more <= GUESTS_MAX;
	if (fits)
		c->guests += more;
	(void)pthread_mutex_unlock(&c->lock);
	return fits;
}

static void *
guest_run(void *context)
{
	struct relay_guest	*guest = context;
	struct relay_chain	*c = guest->chain;
	struct relay_greeting	 g;
	struct relay_side	 side;
	int			 fd, number = -1;

	link_address_keep_alive(guest->fd);
	fd = link_prove(guest->fd, LINK_POPRUN, c->secret, &number,
	    clock_monotonic_ms() + GUEST_MS, NULL);
	if (fd != -1) {
		(void)fcntl(fd, F_SETFL, 0);
		side = (struct relay_side){ .fd = fd };
		if (guest_read_greeting(fd, &g)) {
			side.id = g.id;
			(void)fcntl(fd, F_SETFL, O_NONBLOCK);
			if (guest_seat(c, number, &side, g.round))
				fd = -1;
		}
		if (fd != -1)
			(void)close(fd);
	}
	(void)guest_count(c, -1);
	free(guest);
	return NULL;
}

/* Each has a thread of its own, so that one that is silent holds up nobody. */
static void
guest_let_in(struct relay_chain *c, int fd)
{
	struct relay_guest	*guest;

	if (!guest_count(c, 1)) {
		(void)close(fd);
		return;
	}
	guest = xmalloc(sizeof(*guest));
	*guest = (struct relay_guest){ .chain = c, .fd = fd };
	if (chain_start_thread(guest_run, guest) == 0)
		return;
	(void)guest_count(c, -1);
	(void)close(fd);
	free(guest);
}

static void *
chain_let_guests_in(void *context)
{
	struct relay_chain	*c = context;
	int			 fd;

	for (;;) {
		fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd != -1)
			guest_let_in(c, fd);
		else	/* without a descriptor, say */
			clock_sleep_ms(GUEST_PAUSE_MS);
	}
	return NULL;
}

/* ---- a lane's sum ---- */

static int
lane_look(const void *context, struct error *e)
{
	const struct relay_lane	*l = context;

	return atomic_load(&l->over) ? error_set(e, "nobody waits for it") :
	    0;
}

/* A connection to the relay before. */
static int
lane_dial(struct relay_lane *l, const struct relay_card *there)
{
	const int64_t		deadline = clock_monotonic_ms() + LANE_MEET_MS;
	struct relay_greeting	g = { .round = there->round };
	int			number = (int)there->number;
	int			fd = link_address_connect(there->address,
	    deadline, NULL);

	if (fd != -1)
		fd = link_prove(fd, LINK_PROCESS, l->chain->secret, &number,
		    deadline, NULL);
	if (fd == -1)
		return -1;
	while (g.id == 0)
		arc4random_buf(&g.id, sizeof(g.id));
	l->before = (struct relay_side){ .fd = fd, .id = g.id };
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	/* A new connection has room for that. */
	return send(fd, &g, sizeof(g), MSG_NOSIGNAL) == (ssize_t)sizeof(g) ?
	    0 : -1;
}

/* The connection that the relay behind makes. */
static int
lane_await(struct relay_lane *l)
{
	const int64_t		 deadline = clock_monotonic_ms() +
	    LANE_MEET_MS;
	struct relay_chain	*c = l->chain;
	struct timespec		 until;

	(void)pthread_mutex_lock(&c->lock);
	while (l->come.fd == -1 && !atomic_load(&l->over) &&
	    clock_monotonic_ms() < deadline) {
		until = clock_real_after_ms(LANE_LOOK_MS);
		(void)pthread_cond_timedwait(&c->came, &c->lock, &until);
	}
	l->behind = l->come;
	l->come = (struct relay_side){ .fd = -1 };
	(void)pthread_mutex_unlock(&c->lock);
	return l->behind.fd != -1 ? 0 : -1;
}

/* Both neighbours: a connection that both still have from an earlier sum is
   used again. */
static int
lane_connect(struct relay_lane *l)
{
	const struct relay_card	*own = &l->cards[l->place];
	const bool		 is_first = l->place == 0;
	const bool		 is_last = l->place + 1 == l->count;
	int			 status = 0;

	if (is_first || own->before == 0 || own->before != own[-1].behind) {
		side_close(&l->before);
		status = is_first ? 0 : lane_dial(l, own - 1);
	}
	if (is_last || own->behind == 0 || own->behind != own[1].before) {
		side_close(&l->behind);
		if (status == 0 && !is_last)
			status = lane_await(l);
	}
	return status;
}

static int
lane_add(struct relay_lane *l)
{
	const struct chain_exchange	x = {
		.before = l->before.fd, .behind = l->behind.fd,
		.type = l->work.type, .bytes = l->work.bytes,
		.vectors = &l->work.vector, .results = &l->work.result,
		.members = 1, .sum = l->sum, .look = lane_look, .context = l
	};

	return chain_exchange_run(&x, NULL);
}

static void
lane_free(struct relay_lane *l)
{
	side_close(&l->before);
	side_close(&l->behind);
	side_close(&l->come);
	free(l->cards);
	free(l->sum);
	free(l);
}

/* Whether the lane may use the memory from now on: who closes it waits while it
   does. */
static bool
lane_may_add(struct relay_lane *l)
{
	(void)pthread_mutex_lock(&l->chain->lock);
	l->adds = !atomic_load(&l->over);
	(void)pthread_mutex_unlock(&l->chain->lock);
	return l->adds;
}

/* One that was closed meanwhile is freed here. */
static void
lane_end(struct relay_lane *l, enum relay_chain_state state)
{
	struct relay_chain	*c = l->chain;
	const uint64_t		 one = 1;
	bool			 left;

	(void)pthread_mutex_lock(&c->lock);
	l->adds = false;
	l->state = state;
	left = l->left;
	(void)pthread_cond_broadcast(&c->came);
	(void)pthread_mutex_unlock(&c->lock);
	if (left)
		lane_free(l);
	else
		(void)!write(c->wake, &one, sizeof(one));
}

/* The thread of a sum. */
static void *
lane_run(void *context)
{
	struct relay_lane	*l = context;
	int			 status = lane_connect(l);

	if (status == 0)
		status = lane_may_add(l) ? lane_add(l) : -1;
	if (status != 0) {
		side_close(&l->before);
		side_close(&l->behind);
	}
	lane_end(l, status == 0 ? RELAY_CHAIN_DONE : RELAY_CHAIN_BROKE);
	return NULL;
}

/* ---- for the relay ---- */

struct relay_chain *
relay_chain_new(const unsigned char *secret, struct error *e)
{
	struct relay_chain	*c = xcalloc(1, sizeof(*c));

	c->secret = secret;
	c->listener = -1;
	TAILQ_INIT(&c->lanes);
	(void)pthread_mutex_init(&c->lock, NULL);
	(void)pthread_cond_init(&c->came, NULL);
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->wake != -1)
		return c;
	(void)error_set_errno(e, "cannot wait for sums");
	free(c);
	return NULL;
}

int
relay_chain_fd(const struct relay_chain *c)
{
	return c->wake;
}

/* Where other relays find this one: as poprun does. */
static int
relay_chain_listen(struct relay_chain *c, int poprun_fd, struct error *e)
{
	char	host[LINK_ADDRESS_HOST_SIZE] = "127.0.0.1";
	int	port;

	(void)link_address_own(poprun_fd, host);
	c->listener = link_address_listen_tcp(host, 0, &port, e);
	if (c->listener == -1)
		return -1;
	(void)fcntl(c->listener, F_SETFL, 0);
	(void)snprintf(c->address, sizeof(c->address), "tcp:%d:%s", port,
	    host);
	if (chain_start_thread(chain_let_guests_in, c) == 0)
		return 0;
	(void)close(c->listener);
	c->listener = -1;
	return error_set(e, "cannot start a thread");
}

struct relay_lane *
relay_chain_open_lane(struct relay_chain *c, int poprun_fd, struct error *e)
{
	struct relay_lane	*l;

	if (c->listener == -1 && relay_chain_listen(c, poprun_fd, e) != 0)
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->chain = c;
	l->before.fd = l->behind.fd = l->come.fd = -1;
	l->number = ++c->numbers;
	(void)pthread_mutex_lock(&c->lock);
	TAILQ_INSERT_TAIL(&c->lanes, l, link);
	(void)pthread_mutex_unlock(&c->lock);
	return l;
}

/* While it connects it does not use the memory, and its thread frees it. */
void
relay_chain_close_lane(struct relay_lane *l)
{
	struct relay_chain	*c = l->chain;
	bool			 left;

	(void)pthread_mutex_lock(&c->lock);
	TAILQ_REMOVE(&c->lanes, l, link);
	atomic_store(&l->over, true);
	(void)pthread_cond_broadcast(&c->came);
	while (l->adds)
		(void)pthread_cond_wait(&c->came, &c->lock);
	left = l->left = l->state == RELAY_CHAIN_RUNS;
	(void)pthread_mutex_unlock(&c->lock);
	if (!left)
		lane_free(l);
}

/* One that came for an earlier round is not waited for any more. */
void
relay_chain_card(struct relay_lane *l,
    unsigned char card[RELAY_CHAIN_CARD_BYTES])
{
	struct relay_card	own = {
		.before = l->before.id, .behind = l->behind.id,
		.number = l->number
	};

	(void)pthread_mutex_lock(&l->chain->lock);
	own.round = ++l->round;
	side_close(&l->come);
	(void)pthread_mutex_unlock(&l->chain->lock);
	(void)strlcpy(own.address, l->chain->address, sizeof(own.address));
	memcpy(card, &own, sizeof(own));
}

int
relay_chain_start(struct relay_lane *l, const unsigned char *cards,
    size_t count, const struct relay_chain_work *work)
{
	size_t	i;

	l->cards = xreallocarray(l->cards, count, sizeof(*l->cards));
	memcpy(l->cards, cards, count * sizeof(*l->cards));
	l->count = l->place = count;
	for (i = 0; i < count; i++) {
		l->cards[i].address[sizeof(l->cards[i].address) - 1] = '\0';
		if (l->cards[i].number == l->number &&
		    l->cards[i].round == l->round &&
		    strcmp(l->cards[i].address, l->chain->address) == 0)
			l->place = i;
	}
	if (l->place == count)
		return -1;
	l->work = *work;
	if (l->room < work->bytes) {
		l->sum = xreallocarray(l->sum, work->bytes, 1);
		l->room = work->bytes;
	}
	l->state = RELAY_CHAIN_RUNS;
	if (chain_start_thread(lane_run, l) == 0)
		return 0;
	l->state = RELAY_CHAIN_IDLE;
	return -1;
}

enum relay_chain_state
relay_chain_look(struct relay_lane *l)
{
	enum relay_chain_state	state;

	(void)pthread_mutex_lock(&l->chain->lock);
	state = l->state;
	if (state != RELAY_CHAIN_RUNS)
		l->state = RELAY_CHAIN_IDLE;
	(void)pthread_mutex_unlock(&l->chain->lock);
	return state;
}
