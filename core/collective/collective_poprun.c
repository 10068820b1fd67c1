/*
 * The sum over the replicas of a job by poprun.  Where each instance has one
 * replica, they are its instances, of which poprun knows when they end; else
 * they are members of the group "replicas".  The parts of a replica are summed
 * by threads that do not wait for each other, so each part has a connection of
 * its own.
 */
#include "core/collective/collective_poprun.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "core/collective/collective_client.h"
#include "core/collective/collective_way.h"

/* Beside the ids of programs that do not know of these. */
static const char	id_format[] = "ipubox part %d";

enum { ID_SIZE = sizeof(id_format) + 10 };

struct collective_poprun {
	struct collective	 base;
	struct collective_config config;
	_Atomic bool		 failed;	/* here, so nobody waits */
	/* part_count of the first replica here, then those of the next */
	struct collective_client **clients;
};

static struct collective_poprun *
poprun_of(struct collective *base)
{
	return (struct collective_poprun *)(void *)base;
}

/* What a waiting part is asked now and then: whether it should wait on. */
static int
collective_poprun_look(const void *context, struct error *e)
{
	const struct collective_poprun	*c = context;

	if (atomic_load(&c->failed))
		return error_set(e, "another replica of this process has "
		    "failed");
	return c->config.trouble != NULL ?
	    c->config.trouble(c->config.context, e) : 0;
}

static int
collective_poprun_sum(struct collective *base, int part, int replica,
    float *data, struct error *e)
{
	struct collective_poprun	*c = poprun_of(base);
	const struct collective_config	*config = &c->config;
	const int			 client = (replica - config->first) *
	    config->part_count + part;
	char				 id[ID_SIZE];

	(void)snprintf(id, sizeof(id), id_format, part);
	return collective_client_sum(c->clients[client], id, ELEMENT_FLOAT,
	    data, config->floats[part], e);
}

static void
collective_poprun_fail(struct collective *base)
{
	atomic_store(&poprun_of(base)->failed, true);
}

/* Programs of a job may run one after the other: only a failed one is the last
   of its member. */
static void
collective_poprun_close(struct collective *base, bool failed)
{
	struct collective_poprun	*c = poprun_of(base);
	int				 i;

	for (i = 0; i < c->config.local * c->config.part_count; i++)
		collective_client_close(c->clients[i], failed);
	free(c->clients);
	free(c);
}

static const struct collective_way collective_poprun_way = {
	.sum = collective_poprun_sum,
	.fail = collective_poprun_fail,
	.close = collective_poprun_close
};

struct collective *
collective_poprun_open(const struct collective_config *config,
    struct error *e)
{
	struct collective_poprun	*c = xcalloc(1, sizeof(*c));
	const int			 count = config->local *
	    config->part_count;
	struct collective_member	 m = {
		.directory = config->directory,
		/* All instances have as many replicas (core/job/layout.h). */
		.instance = config->first / config->local,
		.group = config->local == 1 ? "" : "replicas",
		.members = config->total,
		.look = collective_poprun_look, .context = c
	};
	int				 i;

	assert(config->directory != NULL &&
	    config->first + config->local <= config->total);
	c->base.way = &collective_poprun_way;
	c->config = *config;
	c->clients = xcalloc((size_t)count, sizeof(struct collective_client *));
	for (i = 0; i < count; i++) {
		m.member = config->first + i / config->part_count;
		c->clients[i] = collective_client_open(&m, e);
		if (c->clients[i] == NULL) {
			collective_poprun_close(&c->base, false);
			return NULL;
		}
	}
	return &c->base;
}
