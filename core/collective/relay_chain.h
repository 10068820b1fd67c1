/*
 * Large sums of programs on several hosts go from relay to relay
 * (collective.h) in a chain, not through poprun:
 *
 *	poprun		tells each relay the cards of all
 *	relay 0 === TCP === relay 1 === TCP === relay 2
 *
 * A relay has a lane (collective_lane.h) for each concurrent sum.  A thread
 * connects, computes the sum and writes the result to the program's memory.
 * The relays prove to each other that they know the job's secret.
 */
#ifndef CORE_COLLECTIVE_RELAY_CHAIN_H
#define CORE_COLLECTIVE_RELAY_CHAIN_H

#include "core/collective/collective_connection.h"

struct relay_chain;

/* A program's connection and the matching one to poprun. */
struct relay_pair {
	TAILQ_ENTRY(relay_pair) link;
	struct collective_connection *program, *poprun;
	bool over;		      /* the caller's mark: close the pair */
	uint32_t member, members;     /* from the program's hello */
	TAILQ_HEAD(, relay_sum) sums; /* its large sums */
	size_t sum_count;	      /* length of the list, with idle sums */
};

/* Make the chain of a relay; it is never freed, so the secret must exist until
   the process ends.  NULL: no descriptor could be made. */
struct relay_chain *relay_chain_new(const unsigned char *secret,
    struct error *);

/* Return a descriptor that is readable when a sum has ended.  The caller reads
   8 bytes from it, then calls relay_chain_settle() for each pair. */
int relay_chain_fd(const struct relay_chain *);

/* Take a program's call; its vector and result must be inside the program's
   memory.  `number` is that of the request.  False: it is not a sum for a
   chain, such as a small one, and the caller must pass it to poprun.  True: the
   sum has begun, or was refused. */
bool relay_chain_take_call(struct relay_chain *, struct relay_pair *,
    uint32_t number, const struct collective_call *);

/* Take an answer of poprun.  False: the caller must pass it to the program. */
bool relay_chain_take_answer(struct relay_pair *,
    const struct collective_head *, const unsigned char *body);

/* Answer the program for completed sums.  For broken ones ask poprun which
   member is gone. */
void relay_chain_settle(struct relay_pair *);

/* End a pair's sums, also unfinished ones, without answers; before both
   connections are freed.  Waits while a thread uses the program's memory. */
void relay_chain_close(struct relay_pair *);

#endif
