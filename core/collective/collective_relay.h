/*
 * Connects an instance's programs with a job's collectives, if poprun runs on
 * another host:
 *
 *	program --- socket in IPUBOX_JOB_DIR --- relay === TCP === poprun
 *
 * For each connection of a program the relay has one to poprun, where it proves
 * that it belongs to the job (core/link/link.h, visitors).  Messages pass
 * unchanged.  The contents of a program's memory travel as COLLECTIVE_BYTES
 * (collective_message.h): a vector before its call, a result before its answer.
 * Large sums bypass poprun: see `chained`.  A request for a mailbox is refused:
 * it is memory shared with poprun.  The libraries work without one.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_RELAY_H
#define CORE_COLLECTIVE_COLLECTIVE_RELAY_H

#include "core/link/link.h"

struct collective_relay {
	bool chained;		     /* all members use relays, so large sums go
					from relay to relay (relay_chain.h) */
	const char *directory;	     /* the programs' directory, private to this
					user */
	const char *address;	     /* of the job's link hub */
	const unsigned char *secret; /* of LINK_SECRET_BYTES */
	int instance;
};

/* Listen on the socket, replacing that of an earlier relay, and fork the
   process that serves.  That process is killed when the caller ends.  Returns
   its pid, which the caller reaps, or -1. */
pid_t collective_relay_start(const struct collective_relay *, struct error *);

#endif
