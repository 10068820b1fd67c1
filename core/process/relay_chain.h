/*
 * Large sums of programs on several hosts go from relay to relay
 * (collective_relay.h), in a chain, and not through poprun:
 *
 *	poprun		tells each relay of all: their cards
 *	relay 0 === TCP === relay 1 === TCP === relay 2
 *
 * A relay has a lane (collective_lane.h) for each sum that it has at a time.  A
 * thread connects, adds up and brings the result to the program's memory.  The
 * relays prove to each other that they know the job's secret.
 */
#ifndef CORE_PROCESS_RELAY_CHAIN_H
#define CORE_PROCESS_RELAY_CHAIN_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/process/collective_lane.h"

enum {
	RELAY_CHAIN_MEMBERS_MAX = 500,	/* whose cards fit into a message */
	RELAY_CHAIN_FROM = 128 * 1024	/* bytes of a vector; with fewer a way
					   through poprun is as short */
};

struct relay_chain;
struct relay_lane;

enum relay_chain_state { RELAY_CHAIN_IDLE, RELAY_CHAIN_RUNS, RELAY_CHAIN_DONE,
    RELAY_CHAIN_BROKE };

/* What is to be added up; the memory has to last until the lane is done. */
struct relay_chain_work {
	int		 type;		/* enum element_type, but no half */
	size_t		 bytes;
	const void	*vector;
	void		*result;	/* it may be the vector's */
};

/* Lanes of a relay; the secret has to last.  NULL: there is no descriptor. */
struct relay_chain *relay_chain_new(const unsigned char *secret,
		    struct error *);

/* Readable when a lane has ended its work; to be read then. */
int	relay_chain_fd(const struct relay_chain *);

/* A new lane.  Other relays reach it at the address by which this one reaches
   poprun.  NULL: nobody can be let in. */
struct relay_lane *relay_chain_open_lane(struct relay_chain *, int poprun_fd,
		    struct error *);
/* Its end, also in the middle of its work. */
void	relay_chain_close_lane(struct relay_lane *);

/* Begin: what the relays beside it have to know. */
void	relay_chain_card(struct relay_lane *,
	    struct collective_lane_card *);
/* The cards of all have come, in the order of the members.  -1: its own is not
   among them, or no thread can be had. */
int	relay_chain_start(struct relay_lane *, const void *cards, size_t count,
	    const struct relay_chain_work *);
/* How far it is; one that was done or broke is idle from then on. */
enum relay_chain_state	relay_chain_look(struct relay_lane *);

#endif
