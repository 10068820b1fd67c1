/*
 * Sums that go from process to process in a chain, on any hosts:
 *
 *	first  --- a ------->  second  --- a + b ----->  third
 *	       <- a + b + c -          <-- a + b + c --
 *
 * Each process adds its own vectors, in their order, to what comes, piece by
 * piece, and the whole sum comes back meanwhile.  So the order of additions,
 * and each bit, is that of all vectors in one place.
 *
 * A lane is the part of a process in one sum at a time.  It has a connection to
 * the process before it and one to the process behind it, which stay for the
 * next sum.  The processes tell each other through poprun where their lanes
 * are: their cards.  Both ends of a connection prove that they know a secret,
 * as those of a link do; what follows is in clear.
 *
 * The engine has a lane for each part of its gradients
 * (collective_chain.c), and a relay has one for each large sum
 * of a program (relay_chain.c).
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_LANE_H
#define CORE_COLLECTIVE_COLLECTIVE_LANE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum { COLLECTIVE_LANE_CARD_BYTES = 128 };

/* What a process tells the others of a lane.  They run the same program. */
struct collective_lane_card {
	int32_t own;		/* ticket of who connects to it */
	int32_t before, behind; /* tickets of its connections; 0: none */
	char address[COLLECTIVE_LANE_CARD_BYTES - 12];
};

/* What a lane adds up, and where to. */
struct collective_lane_work {
	int type;		    /* enum element_type; no half, of which a
				       sum is rounded once */
	size_t bytes;		    /* of a vector, whole elements */
	const void *const *vectors; /* of this process */
	void *const *results;	    /* of each; it may be its vector */
	size_t count;		    /* of both */
};

/* Asked every 100 ms while a lane waits: -1 ends that. */
typedef int collective_lane_look(const void *context, struct error *);

struct collective_lanes;
struct collective_lane;

/* The lanes of a process, which others find at this address of its host. */
struct collective_lanes *collective_lane_listen(const char *host,
    struct error *);
/* Let neighbours in from now on, who know this secret of LINK_SECRET_BYTES. */
int collective_lane_admit(struct collective_lanes *,
    const unsigned char *secret, struct error *);
/* No lane is open any more.  NULL is fine. */
void collective_lane_stop(struct collective_lanes *);

struct collective_lane *collective_lane_open(struct collective_lanes *,
    collective_lane_look *, const void *context);
/* It does not work now. */
void collective_lane_close(struct collective_lane *);

/* Begin a sum: what the neighbours have to know. */
void collective_lane_begin(struct collective_lane *,
    struct collective_lane_card *);
/* The cards of all have come, in the order of the chain.  -1: its own is not
   among them. */
int collective_lane_take(struct collective_lane *, const void *cards,
    size_t count);
/* Connect to both neighbours, where the connections of earlier sums are gone.
   -1: a neighbour is missing, or look() says so. */
int collective_lane_connect(struct collective_lane *, struct error *);
/* Add up.  0: all results are there; 1: a neighbour is gone; -1: look() says
   so. */
int collective_lane_add(struct collective_lane *,
    const struct collective_lane_work *, struct error *);

/* Start a thread that takes no signals and has room for a lane's work.  It is
   detached where `thread` is NULL.  -1: it cannot be had. */
int collective_lane_thread(pthread_t *thread, void *(*)(void *), void *context);

#endif
