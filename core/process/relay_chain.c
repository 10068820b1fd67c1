/*
 * Sums of a relay's programs, each by a lane and in a thread of its own.  Read
 * lane_run() first.
 */
#include "core/process/relay_chain.h"

#include <sys/eventfd.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/process/link_address.h"

struct relay_chain {
	const unsigned char	*secret;
	struct collective_lanes	*lanes;	/* NULL: not yet */
	int			 wake;
	pthread_mutex_t		 lock;	/* of lanes, where they say so */
	pthread_cond_t		 changed;
};

struct relay_lane {
	struct relay_chain	*chain;
	struct collective_lane	*lane;
	struct relay_chain_work	 work;
	_Atomic bool		 over;	/* its sum is of no use any more */
	/* below the lock */
	bool			 adds;	/* it uses the memory */
	enum relay_chain_state	 state;
	bool			 left;	/* nobody waits for its end */
};

static int
lane_look(const void *context, struct error *e)
{
	const struct relay_lane	*l = context;

	return atomic_load(&l->over) ? error_set(e, "nobody waits for it") :
	    0;
}

static void
lane_free(struct relay_lane *l)
{
	collective_lane_close(l->lane);
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

static int
lane_add(struct relay_lane *l)
{
	const struct collective_lane_work	work = {
		.type = l->work.type, .bytes = l->work.bytes,
		.vectors = &l->work.vector, .results = &l->work.result,
		.count = 1
	};

	return collective_lane_add(l->lane, &work, NULL);
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
	(void)pthread_cond_broadcast(&c->changed);
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
	const bool		 is_done = collective_lane_connect(l->lane,
	    NULL) == 0 && lane_may_add(l) && lane_add(l) == 0;

	lane_end(l, is_done ? RELAY_CHAIN_DONE : RELAY_CHAIN_BROKE);
	return NULL;
}

struct relay_chain *
relay_chain_new(const unsigned char *secret, struct error *e)
{
	struct relay_chain	*c = xcalloc(1, sizeof(*c));

	c->secret = secret;
	(void)pthread_mutex_init(&c->lock, NULL);
	(void)pthread_cond_init(&c->changed, NULL);
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
chain_listen(struct relay_chain *c, int poprun_fd, struct error *e)
{
	char	host[LINK_ADDRESS_HOST_SIZE] = "127.0.0.1";

	(void)link_address_own(poprun_fd, host);
	c->lanes = collective_lane_listen(host, e);
	if (c->lanes == NULL)
		return -1;
	if (collective_lane_admit(c->lanes, c->secret, e) == 0)
		return 0;
	collective_lane_stop(c->lanes);
	c->lanes = NULL;
	return -1;
}

struct relay_lane *
relay_chain_open_lane(struct relay_chain *c, int poprun_fd, struct error *e)
{
	struct relay_lane	*l;

	if (c->lanes == NULL && chain_listen(c, poprun_fd, e) != 0)
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->chain = c;
	l->lane = collective_lane_open(c->lanes, lane_look, l);
	return l;
}

/* While it connects it does not use the memory, and its thread frees it. */
void
relay_chain_close_lane(struct relay_lane *l)
{
	struct relay_chain	*c = l->chain;
	bool			 left;

	(void)pthread_mutex_lock(&c->lock);
	atomic_store(&l->over, true);
	while (l->adds)
		(void)pthread_cond_wait(&c->changed, &c->lock);
	left = l->left = l->state == RELAY_CHAIN_RUNS;
	(void)pthread_mutex_unlock(&c->lock);
	if (!left)
		lane_free(l);
}

void
relay_chain_card(struct relay_lane *l, struct collective_lane_card *card)
{
	collective_lane_begin(l->lane, card);
}

int
relay_chain_start(struct relay_lane *l, const void *cards, size_t count,
    const struct relay_chain_work *work)
{
	if (collective_lane_take(l->lane, cards, count) != 0)
		return -1;
	l->work = *work;
	l->state = RELAY_CHAIN_RUNS;
	if (collective_lane_thread(NULL, lane_run, l) == 0)
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
