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
#ifndef CORE_COLLECTIVE_RELAY_CHAIN_H
#define CORE_COLLECTIVE_RELAY_CHAIN_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/collective/collective_connection.h"

struct relay_chain;

/* A program's connection, and the one to poprun. */
struct relay_pair {
	TAILQ_ENTRY(relay_pair) link;
	struct collective_connection *program, *poprun;
	bool over;
	uint32_t member, members;     /* as its hello says */
	TAILQ_HEAD(, relay_sum) sums; /* large ones */
	size_t sum_count;
};

/* Of a relay; the secret has to last.  NULL: there is no descriptor. */
struct relay_chain *relay_chain_new(const unsigned char *secret,
    struct error *);

/* Readable when a sum has ended; to be read then. */
int relay_chain_fd(const struct relay_chain *);

/* A call of the program, whose vector and result are in its memory.  False: it
   is not a large sum, and goes through poprun. */
bool relay_chain_take_call(struct relay_chain *, struct relay_pair *,
    uint32_t number, const struct collective_call *);

/* An answer of poprun's.  False: it is to the program, which is told. */
bool relay_chain_take_answer(struct relay_pair *,
    const struct collective_head *, const unsigned char *body);

/* Answer the program for sums that have ended. */
void relay_chain_settle(struct relay_pair *);

/* The pair is closed: its sums are over, also in the middle of their work. */
void relay_chain_close(struct relay_pair *);

#endif
