/*
 * Sums that go from process to process in a chain, on any hosts:
 *
 *	first  --- a ------->  second  --- a + b ----->  third
 *	       <- a + b + c -          <-- a + b + c --
 *
 * Each process adds its vectors in order to each arriving piece, while pieces
 * of the whole sum come back.  So the order of additions, and each bit, is as
 * if all vectors were in one place.
 *
 * A lane is one process's part in one sum at a time.  It keeps connections to
 * the process before it and to the process after it for later sums.  The
 * processes exchange the addresses of their lanes (cards) through poprun.  Both
 * ends of a connection prove that they know a secret, as a link's ends do; the
 * data that follows is not encrypted.
 *
 * The engine has a lane for each part of its gradients (collective_chain.c).  A
 * relay has one for each large sum of a program (relay_chain.c).
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_LANE_H
#define CORE_COLLECTIVE_COLLECTIVE_LANE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum { COLLECTIVE_LANE_CARD_BYTES = 128 };

/* A lane's data for the other processes.  All run the same program. */
struct collective_lane_card {
	int32_t own;	       /* ticket for connecting to it */
	int32_t before, after; /* tickets of its connections; 0: none */
	char address[COLLECTIVE_LANE_CARD_BYTES - 12];
};

/* The input and output of a lane's sum. */
struct collective_lane_work {
	int type;		    /* enum element_type, not ELEMENT_HALF: sums
				       of halves must be rounded only once */
	size_t bytes;		    /* bytes per vector, whole elements */
	const void *const *vectors; /* this process's vectors */
	void *const *results;	    /* one per vector; may be the vector
				       itself */
	size_t count;		    /* number of vectors and of results */
};

/* Asked every 100 ms while a lane waits for data or for the process after it.
   -1, with the error set, ends the wait. */
typedef int collective_lane_look(const void *context, struct error *);

struct collective_lanes;
struct collective_lane;

/* Begin to listen for the lanes of a process, at the address `host` of its own
   host.  NULL: failed. */
struct collective_lanes *collective_lane_listen(const char *host,
    struct error *);
/* Begin to accept neighbours that know this secret of LINK_SECRET_BYTES, which
   is copied.  Must be called once, before a lane connects.  -1: no thread could
   be started. */
int collective_lane_admit(struct collective_lanes *,
    const unsigned char *secret, struct error *);
/* Stop listening and free.  All lanes must be closed before.  NULL is fine. */
void collective_lane_stop(struct collective_lanes *);

/* Open a lane, without a connection; never NULL. */
struct collective_lane *collective_lane_open(struct collective_lanes *,
    collective_lane_look *, const void *context);
/* Close and free a lane, which must not be in a call of another thread. */
void collective_lane_close(struct collective_lane *);

/* Begin a sum and fill this lane's card, which the caller gives to all
   processes. */
void collective_lane_begin(struct collective_lane *,
    struct collective_lane_card *);
/* Copy the `count` cards of all processes, in the order of the chain.  -1: this
   lane's own card is not among them, so it cannot connect. */
int collective_lane_take(struct collective_lane *, const void *cards,
    size_t count);
/* Connect to the lane's neighbours, after collective_lane_take().  A connection
   of an earlier sum is kept if both ends still have it.  Returns -1, with all
   closed, if one is missing after 30 s or look() returned -1.  It does not ask
   look() while it connects to the process before. */
int collective_lane_connect(struct collective_lane *, struct error *);
/* Compute the sum, after collective_lane_connect(); waits for the neighbours.
   Returns 0: all results are complete; 1, with the error not set: a neighbour
   is gone; -1: look() returned -1.  Both failures close both connections and
   leave partial results. */
int collective_lane_add(struct collective_lane *,
    const struct collective_lane_work *, struct error *);

/* Start a thread with all signals blocked and a stack of 256 KiB.  If `thread`
   is NULL it is detached.  -1: not started; errno is not set. */
int collective_lane_thread(pthread_t *thread, void *(*)(void *), void *context);

#endif
