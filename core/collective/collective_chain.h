/*
 * Collectives over a chain of the job's processes, on any hosts:
 *
 *	process 0 --> process 1 --> ... --> last      the sum so far
 *	          <--           <--                   the whole sum
 *
 * Each adds its replicas, one by one, to what comes from the process before it,
 * so the additions have the order of the replicas wherever these are.  The sum
 * streams through in small pieces, both ways at the same time.  Each part has
 * connections of its own.
 *
 * The processes find each other through poprun
* (collective_client.h), with a secret that the first one draws;
 * connections are proved by it, as links are, and then are in clear.  Who is
 * gone, poprun says.  Needs a directory of the job.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_CHAIN_H
#define CORE_COLLECTIVE_COLLECTIVE_CHAIN_H

#include "core/collective/collective.h"

/* As collective_open(). */
struct collective	*collective_chain_open(
			    const struct collective_config *, struct error *);

#endif
