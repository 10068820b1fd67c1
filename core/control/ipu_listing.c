/*
 * What a server of another make says of its IPUs: a server of the published
 * contract is the only one that is asked for it.
 */
#include "core/control/ipu_listing.h"

#include <stdlib.h>

#include "core/control/controller_internal.h"

int
ipu_listing_ask(struct controller *c, char **agents, size_t agent_count,
    struct ipu_listing *listing, struct error *e)
{
	*listing = (struct ipu_listing){ .count = 0 };
	if (c->operations->list_ipus == NULL)
		return 0;
	return c->operations->list_ipus(c, agents, agent_count, listing,
	    e) == 0 ? 1 : -1;
}

void
ipu_listing_release(struct ipu_listing *listing)
{
	struct told_ipu	*u = listing->ipus;
	size_t		 i;

	for (; u < listing->ipus + listing->count; u++) {
		for (i = 0; i < u->count; i++) {
			free(u->attributes[i].key);
			free(u->attributes[i].value);
		}
		free(u->attributes);
	}
	free(listing->ipus);
	*listing = (struct ipu_listing){ .count = 0 };
}
