/*
 * The large sums of a relay's programs.  Read relay_chain_take_call(), which
 * asks poprun for the other relays, then relay_chain_take_answer(), sum_run()
 * and relay_chain_settle().
 */
#include "core/collective/relay_chain.h"

#include <sys/eventfd.h>

#include <bsd/string.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "core/collective/collective_lane.h"
#include "core/process/process.h"

enum {
	MEMBERS_MAX = 500,	 /* the most cards that fit in a message */
	FROM_BYTES = 128 * 1024, /* least size of a vector; a smaller one goes
				    through poprun as fast */
	SUMS_MAX = 16,		 /* most sums of a program at a time */
	ASK_MS = 3000		 /* time for poprun to say which member is
				    gone */
};

struct relay_chain {
	const unsigned char *secret;
	struct collective_lanes *lanes; /* NULL until the first sum */
	int wake;			/* eventfd, see relay_chain_fd() */
	pthread_mutex_t lock;	/* protects the marked members of sums */
	pthread_cond_t changed; /* a thread stopped using memory */
};

enum relay_sum_state {
	SUM_IDLE,
	SUM_BEGUN, /* waiting for the others' cards from poprun */
	SUM_RUNS,
	SUM_DONE,
	SUM_BROKE, /* a connection broke; set by the thread, as SUM_DONE is */
	SUM_ASKS   /* asking poprun which member is gone */
};

struct relay_sum {
	TAILQ_ENTRY(relay_sum) link;
	struct relay_chain *chain;
	struct collective_lane *lane;
	uint32_t number; /* number of the program's call */
	int type;
	size_t bytes;
	const void *vector; /* in the program's memory */
	void *result;
	char communicator[COLLECTIVE_NAME_MAX + 1];
	char id[COLLECTIVE_NAME_MAX + 1];
	_Atomic bool given_up; /* the pair was closed: stop waiting */
	/* protected by the lock while the thread runs */
	enum relay_sum_state state;
	bool uses_memory; /* the thread uses the program's memory */
	bool closed;	  /* the pair was closed: the thread frees the sum */
};

/* ---- the thread of a sum ---- */

/* End a lane's wait once the pair was closed (collective_lane_look). */
static int
sum_look(const void *context, struct error *e)
{
	const struct relay_sum *s = context;

	return atomic_load(&s->given_up) ?
	    error_set(e, "no instance waits for it") :
	    0;
}

static void
sum_free(struct relay_sum *s)
{
	collective_lane_close(s->lane);
	free(s);
}

/* Compute the sum unless the pair was closed.  While uses_memory is set,
   close_sum() waits, so that the program's memory stays mapped. */
static int
sum_add(struct relay_sum *s)
{
	const struct collective_lane_work work = { .type = s->type,
		.bytes = s->bytes,
		.vectors = &s->vector,
		.results = &s->result,
		.count = 1 };

	(void)pthread_mutex_lock(&s->chain->lock);
	s->uses_memory = !atomic_load(&s->given_up);
	(void)pthread_mutex_unlock(&s->chain->lock);
	return s->uses_memory ? collective_lane_add(s->lane, &work, NULL) : -1;
}

/* Run a sum in its thread.  Frees it if the pair was closed meanwhile;
   otherwise wakes the relay, which calls relay_chain_settle(). */
static void *
sum_run(void *context)
{
	struct relay_sum *s = context;
	struct relay_chain *c = s->chain;
	const bool is_done = collective_lane_connect(s->lane, NULL) == 0 &&
	    sum_add(s) == 0;
	const uint64_t one = 1;
	bool closed;

	(void)pthread_mutex_lock(&c->lock);
	s->uses_memory = false;
	s->state = is_done ? SUM_DONE : SUM_BROKE;
	closed = s->closed;
	(void)pthread_cond_broadcast(&c->changed);
	(void)pthread_mutex_unlock(&c->lock);
	if (closed)
		sum_free(s);
	else
		(void)!write(c->wake, &one, sizeof(one));
	return NULL;
}

static enum relay_sum_state
sum_state(const struct relay_sum *s)
{
	enum relay_sum_state state;

	(void)pthread_mutex_lock(&s->chain->lock);
	state = s->state;
	(void)pthread_mutex_unlock(&s->chain->lock);
	return state;
}

/* ---- the chain ---- */

struct relay_chain *
relay_chain_new(const unsigned char *secret, struct error *e)
{
	struct relay_chain *c = xcalloc(1, sizeof(*c));

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

/* Listen for other relays, once, at the address that this host uses towards
   poprun: there they can connect. */
static int
chain_listen(struct relay_chain *c, int poprun_fd)
{
	char host[LINK_ADDRESS_HOST_SIZE] = "127.0.0.1";

	if (c->lanes != NULL)
		return 0;
	(void)link_address_own(poprun_fd, host);
	c->lanes = collective_lane_listen(host, NULL);
	if (c->lanes == NULL)
		return -1;
	if (collective_lane_admit(c->lanes, c->secret, NULL) == 0)
		return 0;
	collective_lane_stop(c->lanes);
	c->lanes = NULL;
	return -1;
}

/* ---- the sums of a program ---- */

/* Return an idle sum or a new one.  NULL: the program has SUMS_MAX, or this
   relay cannot listen. */
static struct relay_sum *
find_sum(struct relay_chain *c, struct relay_pair *p)
{
	struct relay_sum *s;

	TAILQ_FOREACH(s, &p->sums, link)
		if (sum_state(s) == SUM_IDLE)
			return s;
	if (p->sum_count == SUMS_MAX || chain_listen(c, p->poprun->fd) != 0)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->chain = c;
	s->lane = collective_lane_open(c->lanes, sum_look, s);
	TAILQ_INSERT_TAIL(&p->sums, s, link);
	p->sum_count++;
	return s;
}

/* Send a call with its data to poprun. */
static void
ask(struct relay_pair *p, uint32_t number, struct collective_call *call,
    void *data, size_t bytes)
{
	unsigned char message[COLLECTIVE_CALL_MAX];
	struct iovec parts[2] = { { message, 0 }, { data, bytes } };

	call->data_bytes = bytes;
	parts[0].iov_len = collective_message_put_call(message, number, 0,
	    call);
	collective_connection_put(p->poprun, parts, bytes > 0 ? 2 : 1);
}

/* Send poprun the call without its vector, as COLLECTIVE_CHAIN with this
   relay's card.  The answer has the cards of all relays. */
bool
relay_chain_take_call(struct relay_chain *c, struct relay_pair *p,
    uint32_t number, const struct collective_call *asked)
{
	struct collective_lane_card card;
	struct collective_call call = *asked;
	const size_t bytes = call.count * element_size(call.type);
	struct relay_sum *s;

	if (call.operation != COLLECTIVE_SUM || bytes < FROM_BYTES ||
	    !element_is_summable(call.type) || call.type == ELEMENT_HALF ||
	    call.data_bytes != 0 || p->members > MEMBERS_MAX)
		return false;
	s = find_sum(c, p);
	if (s == NULL) {
		collective_connection_refuse(p->program, number,
		    COLLECTIVE_NO_ROOM,
		    p->sum_count == SUMS_MAX ?
			"too many large sums of this program wait already" :
			"this host cannot listen for the sums of other hosts");
		return true;
	}
	s->state = SUM_BEGUN;
	s->number = number;
	s->type = call.type;
	s->bytes = bytes;
	s->vector = p->program->memory + call.vector;
	s->result = p->program->memory + call.result;
	(void)strlcpy(s->communicator, call.communicator,
	    sizeof(s->communicator));
	(void)strlcpy(s->id, call.id, sizeof(s->id));
	p->program->users++;
	call.operation = COLLECTIVE_CHAIN;
	collective_lane_begin(s->lane, &card);
	ask(p, number, &call, &card, sizeof(card));
	return true;
}

static void
end_sum(struct relay_pair *p, struct relay_sum *s)
{
	s->state = SUM_IDLE;
	p->program->users--;
}

/* Ask poprun which member is gone, by a barrier of the same members: it fails
   with that reason, which goes to the program. */
static void
ask_why(struct relay_pair *p, struct relay_sum *s)
{
	struct collective_call call = { .operation = COLLECTIVE_BARRIER,
		.timeout_ms = ASK_MS };

	s->state = SUM_ASKS;
	(void)strlcpy(call.communicator, s->communicator,
	    sizeof(call.communicator));
	(void)snprintf(call.id, sizeof(call.id), "%.200s (its chain broke)",
	    s->id);
	ask(p, s->number, &call, NULL, 0);
}

/* Start the sum's thread.  `cards` are those of all relays. */
static void
start_sum(struct relay_pair *p, struct relay_sum *s, const unsigned char *cards,
    size_t count)
{
	s->state = SUM_RUNS;
	if (collective_lane_take(s->lane, cards, count) != 0 ||
	    collective_lane_thread(NULL, sum_run, s) != 0)
		ask_why(p, s);
}

bool
relay_chain_take_answer(struct relay_pair *p, const struct collective_head *h,
    const unsigned char *body)
{
	const size_t size = h->size - COLLECTIVE_HEAD_BYTES;
	enum relay_sum_state state = SUM_IDLE;
	struct relay_sum *s;

	TAILQ_FOREACH(s, &p->sums, link) {
		state = sum_state(s);
		if ((state == SUM_BEGUN || state == SUM_ASKS) &&
		    s->number == h->request)
			break;
	}
	if (s == NULL)
		return false;
	if (h->kind != COLLECTIVE_DONE) {
		end_sum(p, s);
		return false;
	}
	if (state == SUM_BEGUN) {
		start_sum(p, s, body, size / COLLECTIVE_LANE_CARD_BYTES);
		return true;
	}
	collective_connection_refuse(p->program, s->number, COLLECTIVE_GONE,
	    "the connections between the hosts of the job broke");
	end_sum(p, s);
	return true;
}

void
relay_chain_settle(struct relay_pair *p)
{
	enum relay_sum_state state;
	struct relay_sum *s;

	TAILQ_FOREACH(s, &p->sums, link) {
		state = sum_state(s);
		if (state == SUM_DONE) {
			collective_connection_done(p->program, s->number, NULL,
			    0);
			end_sum(p, s);
		} else if (state == SUM_BROKE)
			ask_why(p, s);
	}
}

/* End a sum.  Wait while its thread uses the program's memory.  If the thread
   still runs, as while it connects, it frees the sum. */
static void
close_sum(struct relay_sum *s)
{
	struct relay_chain *c = s->chain;
	bool closed;

	(void)pthread_mutex_lock(&c->lock);
	atomic_store(&s->given_up, true);
	while (s->uses_memory)
		(void)pthread_cond_wait(&c->changed, &c->lock);
	closed = s->closed = s->state == SUM_RUNS;
	(void)pthread_mutex_unlock(&c->lock);
	if (!closed)
		sum_free(s);
}

void
relay_chain_close(struct relay_pair *p)
{
	struct relay_sum *s;

	while ((s = TAILQ_FIRST(&p->sums)) != NULL) {
		TAILQ_REMOVE(&p->sums, s, link);
		close_sum(s);
	}
}
