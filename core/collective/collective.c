/*
 * The engine's collectives, through shared memory or in a chain.
 */
#include "core/collective/collective.h"

#include <string.h>

#include "core/collective/collective_way.h"

int
collective_choose(const char *text, enum collective_by *by, struct error *e)
{
	*by = COLLECTIVE_BY_MEMORY;
	if (text == NULL || strcmp(text, "memory") == 0)
		return 0;
	if (strcmp(text, "chain") == 0) {
		*by = COLLECTIVE_BY_CHAIN;
		return 0;
	}
	if (strcmp(text, "poprun") == 0)
		return error_set_code(e, ERROR_INVALID,
		    "%s 'poprun': poprun does not add gradients up any more; "
		    "set chain, or memory on one host",
		    COLLECTIVE_VARIABLE);
	return error_set_code(e, ERROR_INVALID,
	    "%s '%s': must be memory or chain", COLLECTIVE_VARIABLE, text);
}

/* Hash what all processes must agree on, because replicas with different sizes
   must not be added up.  FNV's prime over total and parts. */
static uint64_t
hash_sizes(const struct collective_config *c)
{
	uint64_t h = (uint64_t)c->total;
	int i;

	for (i = 0; i < c->part_count; i++)
		h = (h ^ c->floats[i]) * 0x100000001b3u;
	return h;
}

struct collective *
collective_open(const struct collective_config *config, struct error *e)
{
	struct collective_config c = *config;

	c.sizes = hash_sizes(config);
	if (c.directory != NULL && c.by == COLLECTIVE_BY_CHAIN &&
	    c.local < c.total)
		return collective_chain_open(&c, e);
	return collective_memory_open(&c, e);
}

void
collective_fail(struct collective *c)
{
	c->way->fail(c);
}

void
collective_close(struct collective *c, bool failed)
{
	if (c != NULL)
		c->way->close(c, failed);
}

int
collective_sum(struct collective *c, int part, int replica, float *data,
    struct error *e)
{
	return c->way->sum(c, part, replica, data, e);
}
