/*
 * Between the programs of an instance and the collectives of a job whose poprun
 * is on another host:
 *
 *	program --- socket in IPUBOX_JOB_DIR --- relay === TCP === poprun
 *
 * Each connection of a program has one to poprun, which the relay proves to be
 * the job's (link.h, visitors).  Messages go through as they are.  What
 * stands in a program's memory goes along as COLLECTIVE_BYTES
 * (collective_message.h): a vector before its call, a result before its answer.
 * Large sums do not go through poprun: see `chained`.
 * A mailbox is refused, for it is memory too; the libraries do without.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_RELAY_H
#define CORE_COLLECTIVE_COLLECTIVE_RELAY_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/link/link.h"

struct collective_relay {
	bool chained;		     /* all members of the job are behind
					relays: large sums go from relay to
					relay (relay_chain.h) */
	const char *directory;	     /* of the programs, this user's alone */
	const char *address;	     /* of the job's links */
	const unsigned char *secret; /* LINK_SECRET_BYTES */
	int instance;
};

/*
 * Listen, in the place of a relay that was there before, and fork the process
 * that serves; it ends with the caller.  Its pid, or -1.
 */
pid_t collective_relay_start(const struct collective_relay *, struct error *);

#endif
