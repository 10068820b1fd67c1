/*
 * The chain.  In this order: how processes find each other, how a sum is
 * computed (collective_lane.h), how the replicas of a process exchange data.
 */
#include "core/collective/collective_way.h"

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/base/parse.h"
#include "core/collective/collective.h"
#include "core/collective/collective_lane.h"
#include "core/job/job.h"
#include "core/link/link.h"

enum {
	CHAIN_LOOK_MS = 100, /* interval of asking for trouble while waiting */
	CHAIN_ASK_MS = 3000  /* how long to ask poprun which member is gone */
};

/* A process's data for the others. */
struct chain_card {
	uint64_t sizes;				 /* hash of total and parts */
	uint64_t begin;				 /* as in the configuration */
	unsigned char secret[LINK_SECRET_BYTES]; /* the first process's
						    counts */
};

/* A part: its lane, and the replicas here that contribute vectors. */
struct chain_part {
	struct collective_lane *lane;
	pthread_mutex_t lock;
	pthread_cond_t turn;
	int arrived;
	uint32_t round;
	void **data; /* one per replica here */
	int status;  /* of the last round */
	struct error why;
};

struct collective_chain {
	struct collective base;
	struct collective_config config;
	struct collective_client *client; /* the connection to poprun */
	struct collective_lanes *lanes;
	pthread_mutex_t lock; /* protects the rest */
	int connected;	      /* 1: found the others, -1: failed */
	bool asked;	      /* poprun was asked which member is gone */
	struct error why;
	_Atomic bool failed; /* a replica here failed; stop waiting */
	struct chain_part parts[COLLECTIVE_PARTS_MAX];
};

static struct collective_chain *
chain_of(struct collective *base)
{
	return (struct collective_chain *)(void *)base;
}

static int
chain_index(const struct collective_chain *c)
{
	/* All instances have the same number of replicas
	   (core/job/layout.h). */
	return c->config.first / c->config.local;
}

static int
chain_length(const struct collective_chain *c)
{
	return c->config.total / c->config.local;
}

/* Called from time to time by a waiting thread: -1 ends the wait. */
static int
chain_look(const void *context, struct error *e)
{
	const struct collective_chain *c = context;

	if (atomic_load(&c->failed))
		return error_set(e,
		    "another replica of this process has failed");
	return c->config.trouble != NULL ?
	    c->config.trouble(c->config.context, e) :
	    0;
}

/* ---- finding each other ---- */

/* Check that all processes agree, and take the first one's secret. */
static int
chain_compare(struct collective_chain *c, struct chain_card *cards,
    struct error *e)
{
	struct chain_card own = {
		.sizes = c->config.sizes,
		.begin = c->config.begin,
	};
	int i, status;

	arc4random_buf(own.secret, sizeof(own.secret));
	status = collective_client_gather(c->client, "ipubox chain",
	    ELEMENT_INT8, &own, cards, sizeof(own), e);
	explicit_bzero(own.secret, sizeof(own.secret));
	for (i = 0; i < chain_length(c) && status == 0; i++) {
		if (cards[i].sizes != own.sizes)
			status = error_set(e,
			    "instance %d has parts of different sizes: it runs "
			    "another model, or another strategy",
			    i);
		else if (cards[i].begin != own.begin)
			status = error_set(e,
			    "instance %d begins with different weights: the "
			    "file of --save or --load must be the same on all "
			    "hosts, for example on a file system that they "
			    "share",
			    i);
	}
	return status == 0 ?
	    collective_lane_admit(c->lanes, cards[0].secret, e) :
	    -1;
}

static int
chain_connect_part(struct collective_chain *c, struct collective_lane *lane,
    struct collective_lane_card *cards, struct error *e)
{
	struct collective_lane_card own;

	collective_lane_begin(lane, &own);
	if (collective_client_gather(c->client, "ipubox lane", ELEMENT_INT8,
		&own, cards, sizeof(own), e) != 0)
		return -1;
	if (collective_lane_take(lane, cards, (size_t)chain_length(c)) == 0)
		return collective_lane_connect(lane, e);
	return error_set(e,
	    "instance %d is not in the chain of the job's instances",
	    chain_index(c));
}

static int
chain_connect(struct collective_chain *c, struct error *e)
{
	const size_t count = (size_t)chain_length(c);
	struct chain_card *cards = xcalloc(count, sizeof(*cards));
	struct collective_lane_card *lanes = xcalloc(count, sizeof(*lanes));
	int i, status;

	status = chain_compare(c, cards, e);
	for (i = 0; i < c->config.part_count && status == 0; i++)
		status = chain_connect_part(c, c->parts[i].lane, lanes, e);
	explicit_bzero(cards, count * sizeof(*cards));
	free(cards);
	free(lanes);
	return status;
}

/* Find the others in the first thread that needs them; the other threads
   wait. */
static int
chain_meet(struct collective_chain *c, struct error *e)
{
	(void)pthread_mutex_lock(&c->lock);
	if (c->connected == 0)
		c->connected = chain_connect(c, &c->why) == 0 ? 1 : -1;
	if (c->connected == -1)
		(void)error_copy(e, &c->why);
	(void)pthread_mutex_unlock(&c->lock);
	return c->connected == 1 ? 0 : -1;
}

/* ---- a sum ---- */

/* Explain a broken chain.  poprun knows which members have ended.  If none has,
   its meeting completes, and the locally seen reason counts. */
static int
chain_explain(struct collective_chain *c, const struct error *seen,
    struct error *e)
{
	const struct collective_member m = { .directory = c->config.directory,
		.instance = chain_index(c),
		.group = "",
		.member = chain_index(c),
		.members = chain_length(c),
		.timeout_ms = CHAIN_ASK_MS };
	struct collective_client *asking;

	(void)pthread_mutex_lock(&c->lock);
	if (!c->asked) {
		c->asked = true;
		c->why = *seen;
		asking = collective_client_open(&m, NULL);
		if (asking != NULL) {
			(void)collective_client_barrier(asking,
			    "ipubox chain broke", &c->why);
			collective_client_close(asking, false);
		}
	}
	(void)error_copy(e, &c->why);
	(void)pthread_mutex_unlock(&c->lock);
	return -1;
}

/* Compute the sum of one part. */
static int
chain_exchange(struct collective_chain *c, int part, struct error *e)
{
	struct chain_part *p = &c->parts[part];
	const struct collective_lane_work work = { .type = ELEMENT_FLOAT,
		.bytes = c->config.floats[part] * sizeof(float),
		.vectors = (const void *const *)p->data,
		.results = p->data,
		.count = (size_t)c->config.local };
	struct error seen;
	int status = collective_lane_add(p->lane, &work, e);

	if (status != 1)
		return status;
	(void)error_set_code(&seen, ERROR_UNAVAILABLE,
	    "the chain of the job's instances broke beside instance %d",
	    chain_index(c));
	return chain_explain(c, &seen, e);
}

/* ---- replicas of this process ---- */

/* Wait until the last replica has brought its vector and the sum is
   complete. */
static int
chain_await(struct collective_chain *c, struct chain_part *p, uint32_t round,
    struct error *e)
{
	struct timespec until;

	while (p->round == round) {
		until = clock_real_after_ms(CHAIN_LOOK_MS);
		if (pthread_cond_timedwait(&p->turn, &p->lock, &until) ==
			ETIMEDOUT &&
		    p->round == round && chain_look(c, e) != 0)
			return -1;
	}
	return p->status == 0 ? 0 : error_copy(e, &p->why);
}

static int
collective_chain_sum(struct collective *base, int part, int replica,
    float *data, struct error *e)
{
	struct collective_chain *c = chain_of(base);
	struct chain_part *p = &c->parts[part];
	struct error why = { .text = "" };
	uint32_t round;
	int status;

	(void)pthread_mutex_lock(&p->lock);
	round = p->round;
	p->data[replica - c->config.first] = data;
	if (++p->arrived < c->config.local) {
		status = chain_await(c, p, round, e);
		(void)pthread_mutex_unlock(&p->lock);
		return status;
	}
	(void)pthread_mutex_unlock(&p->lock);
	status = chain_meet(c, &why);
	if (status == 0)
		status = chain_exchange(c, part, &why);
	(void)pthread_mutex_lock(&p->lock);
	p->arrived = 0;
	p->status = status;
	p->why = why;
	p->round++;
	(void)pthread_cond_broadcast(&p->turn);
	(void)pthread_mutex_unlock(&p->lock);
	return status == 0 ? 0 : error_copy(e, &why);
}

static void
collective_chain_fail(struct collective *base)
{
	atomic_store(&chain_of(base)->failed, true);
}

/* Programs of a job may run one after the other: only after a failure will the
   member not come back. */
static void
collective_chain_close(struct collective *base, bool failed)
{
	struct collective_chain *c = chain_of(base);
	struct chain_part *p;

	collective_client_close(c->client, failed);
	for (p = c->parts; p < c->parts + c->config.part_count; p++) {
		if (p->lane != NULL)
			collective_lane_close(p->lane);
		(void)pthread_mutex_destroy(&p->lock);
		(void)pthread_cond_destroy(&p->turn);
		free(p->data);
	}
	collective_lane_stop(c->lanes);
	(void)pthread_mutex_destroy(&c->lock);
	free(c);
}

static const struct collective_way collective_chain_way = {
	.sum = collective_chain_sum,
	.fail = collective_chain_fail,
	.close = collective_chain_close,
};

/* Listen, and open a lane for each part. */
static int
chain_listen(struct collective_chain *c, struct error *e)
{
	const char *own = variable_get(JOB_HOST_ADDRESS_VARIABLE);
	int i;

	c->lanes = collective_lane_listen(own != NULL ? own : "127.0.0.1", e);
	if (c->lanes == NULL)
		return error_prefix(e, "%s", JOB_HOST_ADDRESS_VARIABLE);
	for (i = 0; i < c->config.part_count; i++)
		c->parts[i].lane = collective_lane_open(c->lanes, chain_look,
		    c);
	return 0;
}

struct collective *
collective_chain_open(const struct collective_config *config, struct error *e)
{
	struct collective_chain *c = xcalloc(1, sizeof(*c));
	struct collective_member m = { .directory = config->directory,
		.group = "",
		.look = chain_look,
		.context = c };
	struct chain_part *p;

	c->base.way = &collective_chain_way;
	c->config = *config;
	(void)pthread_mutex_init(&c->lock, NULL);
	for (p = c->parts; p < c->parts + config->part_count; p++) {
		(void)pthread_mutex_init(&p->lock, NULL);
		(void)pthread_cond_init(&p->turn, NULL);
		p->data = xcalloc((size_t)config->local, sizeof(*p->data));
	}
	m.instance = m.member = chain_index(c);
	m.members = chain_length(c);
	if (chain_listen(c, e) == 0 &&
	    (c->client = collective_client_open(&m, e)) != NULL)
		return &c->base;
	collective_chain_close(&c->base, false);
	return NULL;
}
