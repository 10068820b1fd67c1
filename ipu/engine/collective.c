/*
 * The collectives of the engine, whichever way they go: through memory that the
 * processes share, or through poprun.
 */
#include "ipu/engine/collective.h"

#include <string.h>

#include "ipu/engine/collective_memory.h"
#include "ipu/engine/collective_poprun.h"
#include "ipu/engine/collective_way.h"

int
collective_choose(const char *text, bool *through_poprun, struct error *e)
{
	*through_poprun = text != NULL && strcmp(text, "poprun") == 0;
	if (text == NULL || *through_poprun || strcmp(text, "memory") == 0)
		return 0;
	return error_set_code(e, ERROR_INVALID, "%s '%s': must be memory or "
	    "poprun", COLLECTIVE_VARIABLE, text);
}

struct collective *
collective_open(const struct collective_config *config, struct error *e)
{
	if (config->through_poprun && config->directory != NULL)
		return collective_poprun_open(config, e);
	return collective_memory_open(config, e);
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
