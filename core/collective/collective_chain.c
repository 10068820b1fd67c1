/*
 * The chain.  In this order: how processes find each other, how a sum goes
 * through (chain_exchange.h), how the replicas of a process meet.
 */
#include "core/collective/collective_chain.h"

#include <sys/socket.h>

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/base/parse.h"
#include "core/collective/chain_exchange.h"
#include "core/collective/collective_client.h"
#include "core/collective/collective_sizes.h"
#include "core/collective/collective_way.h"
#include "core/job/job.h"
#include "core/link/link_prove.h"
#include "core/process/process.h"

enum {
	CHAIN_LOOK_MS = 100,		/* is anything wrong, meanwhile? */
	CHAIN_PROVE_MS = 30000,
	CHAIN_ASK_MS = 3000,		/* who is gone? */
	CHAIN_CARD_BYTES = 128
};

/* What a process tells the others of itself. */
struct chain_card {
	uint64_t	sizes;		/* a hash of total and parts */
	uint64_t	begin;		/* as in the configuration */
	char		address[CHAIN_CARD_BYTES - 2 * sizeof(uint64_t)];
};

/* A part: its connections, and the replicas here that bring their vectors. */
struct chain_part {
	int		 before, behind;	/* -1: this is an end */
	pthread_mutex_t	 lock;
	pthread_cond_t	 turn;
	int		 arrived;
	uint32_t	 round;
	void		**data;			/* of the replicas here */
	unsigned char	*sum;
	int		 status;		/* of the last round */
	struct error	 why;
};

struct collective_chain {
	struct collective	 base;
	struct collective_config config;
	struct collective_client *client;	/* of poprun */
	int			 listener;
	char			*address;	/* others find it there */
	pthread_mutex_t		 lock;		/* of what follows */
	int			 met;		/* 1: it has, -1: it cannot */
	bool			 asked;		/* who is gone */
	struct error		 why;
	_Atomic bool		 failed;	/* here, so nobody waits */
	struct chain_part	 parts[COLLECTIVE_PARTS_MAX];
};

static struct collective_chain *
chain_of(struct collective *base)
{
	return (struct collective_chain *)(void *)base;
}

static int
chain_index(const struct collective_chain *c)
{
	/* All instances have as many replicas (core/job/layout.h). */
	return c->config.first / c->config.local;
}

static int
chain_length(const struct collective_chain *c)
{
	return c->config.total / c->config.local;
}

/* What a waiting thread asks now and then: whether it should wait on. */
static int
chain_look(const void *context, struct error *e)
{
	const struct collective_chain	*c = context;

	if (atomic_load(&c->failed))
		return error_set(e, "another replica of this process has "
		    "failed");
	return c->config.trouble != NULL ?
	    c->config.trouble(c->config.context, e) : 0;
}

/* ---- finding each other ---- */

/* The cards of all, and the secret of the first. */
static int
chain_gather(const struct collective_chain *c, struct chain_card *cards,
    unsigned char secret[LINK_SECRET_BYTES], struct error *e)
{
	struct chain_card	own = {
		.sizes = collective_sizes_hash(&c->config),
		.begin = c->config.begin
	};
	int			i;

	(void)strlcpy(own.address, c->address, sizeof(own.address));
	if (chain_index(c) == 0)
		arc4random_buf(secret, LINK_SECRET_BYTES);
	if (collective_client_gather(c->client, "ipubox chain", ELEMENT_INT8,
	    &own, cards, sizeof(own), e) != 0 ||
	    collective_client_broadcast(c->client, "ipubox chain secret",
	    ELEMENT_INT8, secret, LINK_SECRET_BYTES, 0, e) != 0)
		return -1;
	for (i = 0; i < chain_length(c); i++) {
		cards[i].address[sizeof(cards[i].address) - 1] = '\0';
		if (cards[i].sizes != own.sizes)
			return error_set(e, "instance %d has parts of other "
			    "sizes: it runs another model, or another "
			    "strategy", i);
		if (cards[i].begin != own.begin)
			return error_set(e, "instance %d begins with other "
			    "weights than this one: the file of --save or "
			    "--load must be the same on all hosts, as on a "
			    "file system that they share", i);
	}
	return 0;
}

/* All parts' connections to the process before. */
static int
chain_dial(struct collective_chain *c, const char *address,
    const unsigned char *secret, struct error *e)
{
	const int64_t	deadline = clock_monotonic_ms() + CHAIN_PROVE_MS;
	int		i, fd, part;

	for (i = 0; i < c->config.part_count; i++) {
		fd = link_address_connect(address, deadline, e);
		part = i;
		if (fd != -1)
			fd = link_prove(fd, LINK_PROCESS, secret, &part,
			    deadline, e);
		if (fd == -1)
			return -1;
		(void)fcntl(fd, F_SETFL, O_NONBLOCK);
		c->parts[i].before = fd;
	}
	return 0;
}

/* A connection that comes; who cannot prove itself is sent away. */
static void
chain_let_in(struct collective_chain *c, const unsigned char *secret,
    int64_t deadline_ms)
{
	int	fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC), part = -1;

	if (fd == -1)
		return;
	link_address_keep_alive(fd);
	fd = link_prove(fd, LINK_POPRUN, secret, &part, deadline_ms, NULL);
	if (fd == -1)
		return;
	if (part < 0 || part >= c->config.part_count ||
	    c->parts[part].behind != -1) {
		(void)close(fd);
		return;
	}
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	c->parts[part].behind = fd;
}

/* All parts' connections from the process behind. */
static int
chain_accept(struct collective_chain *c, const unsigned char *secret,
    struct error *e)
{
	const int64_t	deadline = clock_monotonic_ms() + CHAIN_PROVE_MS;
	struct pollfd	p = { .fd = c->listener, .events = POLLIN };
	int		i = 0;

	while (i < c->config.part_count) {
		if (c->parts[i].behind != -1) {
			i++;
			continue;
		}
		if (chain_look(c, e) != 0)
			return -1;
		if (clock_monotonic_ms() > deadline)
			return error_set_code(e, ERROR_TIMED_OUT, "instance %d "
			    "did not connect within %d s: see that no "
			    "firewall is between the hosts",
			    chain_index(c) + 1, CHAIN_PROVE_MS / 1000);
		if (poll(&p, 1, CHAIN_LOOK_MS) == 1)
			chain_let_in(c, secret, deadline);
	}
	return 0;
}

static int
chain_connect(struct collective_chain *c, struct error *e)
{
	const int		 index = chain_index(c);
	struct chain_card	*cards = xcalloc((size_t)chain_length(c),
	    sizeof(*cards));
	unsigned char		 secret[LINK_SECRET_BYTES];
	int			 status = chain_gather(c, cards, secret, e);

	if (status == 0 && index > 0)
		status = chain_dial(c, cards[index - 1].address, secret, e);
	if (status == 0 && index < chain_length(c) - 1)
		status = chain_accept(c, secret, e);
	explicit_bzero(secret, sizeof(secret));
	free(cards);
	return status;
}

/* The first that needs it; the others of this process wait for it. */
static int
chain_meet(struct collective_chain *c, struct error *e)
{
	(void)pthread_mutex_lock(&c->lock);
	if (c->met == 0)
		c->met = chain_connect(c, &c->why) == 0 ? 1 : -1;
	if (c->met == -1)
		(void)error_copy(e, &c->why);
	(void)pthread_mutex_unlock(&c->lock);
	return c->met == 1 ? 0 : -1;
}

/* ---- a sum ---- */

/* Poprun knows who has ended; a meeting that nobody is missing from would
   come about, and then the reason is the one that was seen here. */
static int
chain_explain(struct collective_chain *c, const struct error *seen,
    struct error *e)
{
	const struct collective_member	 m = {
		.directory = c->config.directory, .instance = chain_index(c),
		.group = "", .member = chain_index(c),
		.members = chain_length(c), .timeout_ms = CHAIN_ASK_MS
	};
	struct collective_client	*asking;

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

/* The sum of one part. */
static int
chain_exchange(struct collective_chain *c, int part, struct error *e)
{
	struct chain_part		*p = &c->parts[part];
	const struct chain_exchange	 x = {
		.before = p->before, .behind = p->behind,
		.type = ELEMENT_FLOAT,
		.bytes = c->config.floats[part] * sizeof(float),
		.vectors = (const void *const *)p->data, .results = p->data,
		.members = (size_t)c->config.local, .sum = p->sum,
		.look = chain_look, .context = c
	};
	struct error			 seen;
	int				 status = chain_exchange_run(&x, e);

	if (status != 1)
		return status;
	(void)error_set_code(&seen, ERROR_UNAVAILABLE, "the chain of the job's "
	    "instances broke beside instance %d", chain_index(c));
	return chain_explain(c, &seen, e);
}

/* ---- replicas of this process ---- */

/* Until the last replica has brought its vector and the sum is there. */
static int
chain_await(struct collective_chain *c, struct chain_part *p, uint32_t round,
    struct error *e)
{
	struct timespec	until;

	while (p->round == round) {
		until = clock_real_after_ms(CHAIN_LOOK_MS);
		if (pthread_cond_timedwait(&p->turn, &p->lock, &until) ==
		    ETIMEDOUT && p->round == round && chain_look(c, e) != 0)
			return -1;
	}
	return p->status == 0 ? 0 : error_copy(e, &p->why);
}

static int
collective_chain_sum(struct collective *base, int part, int replica,
    float *data, struct error *e)
{
	struct collective_chain	*c = chain_of(base);
	struct chain_part	*p = &c->parts[part];
	struct error		 why = { .text = "" };
	uint32_t		 round;
	int			 status;

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

/* Programs of a job may run one after the other: only a failed one is the last
   of its member. */
static void
collective_chain_close(struct collective *base, bool failed)
{
	struct collective_chain	*c = chain_of(base);
	struct chain_part	*p;

	collective_client_close(c->client, failed);
	for (p = c->parts; p < c->parts + c->config.part_count; p++) {
		if (p->before != -1)
			(void)close(p->before);
		if (p->behind != -1)
			(void)close(p->behind);
		(void)pthread_mutex_destroy(&p->lock);
		(void)pthread_cond_destroy(&p->turn);
		free(p->data);
		free(p->sum);
	}
	if (c->listener != -1)
		(void)close(c->listener);
	(void)pthread_mutex_destroy(&c->lock);
	free(c->address);
	free(c);
}

static const struct collective_way collective_chain_way = {
	.sum = collective_chain_sum,
	.fail = collective_chain_fail,
	.close = collective_chain_close
};

static int
chain_listen(struct collective_chain *c, struct error *e)
{
	const char	*own = variable_get(JOB_HOST_ADDRESS_VARIABLE);
	int		 port;

	if (own == NULL)
		own = "127.0.0.1";
	c->listener = link_address_listen_tcp(own, 0, &port, e);
	if (c->listener == -1)
		return error_prefix(e, "%s",
		    JOB_HOST_ADDRESS_VARIABLE);
	c->address = xasprintf("tcp:%d:%s", port, own);
	return 0;
}

struct collective *
collective_chain_open(const struct collective_config *config,
    struct error *e)
{
	struct collective_chain	*c = xcalloc(1, sizeof(*c));
	struct collective_member m = {
		.directory = config->directory, .group = "",
		.look = chain_look, .context = c
	};
	struct chain_part	*p;

	c->base.way = &collective_chain_way;
	c->config = *config;
	c->listener = -1;
	(void)pthread_mutex_init(&c->lock, NULL);
	for (p = c->parts; p < c->parts + config->part_count; p++) {
		p->before = p->behind = -1;
		(void)pthread_mutex_init(&p->lock, NULL);
		(void)pthread_cond_init(&p->turn, NULL);
		p->data = xcalloc((size_t)config->local, sizeof(*p->data));
		p->sum = xcalloc(config->floats[p - c->parts] + 1,
		    sizeof(float));
	}
	m.instance = m.member = chain_index(c);
	m.members = chain_length(c);
	if (chain_listen(c, e) == 0 &&
	    (c->client = collective_client_open(&m, e)) != NULL)
		return &c->base;
	collective_chain_close(&c->base, false);
	return NULL;
}
