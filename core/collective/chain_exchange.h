/*
 * One sum of a chain of processes, each of which has a connection to the one
 * before it and to the one behind it:
 *
 *	first  --- a ------->  second  --- a + b ----->  third
 *	       <- a + b + c -          <-- a + b + c --
 *
 * Each adds its own vectors, in their order, to what comes, piece by piece, and
 * the whole sum comes back meanwhile.  So the order of additions, and each bit,
 * is that of all vectors in one place.
 */
#ifndef CORE_COLLECTIVE_CHAIN_EXCHANGE_H
#define CORE_COLLECTIVE_CHAIN_EXCHANGE_H

#include <stddef.h>

#include "core/base/error.h"

struct chain_exchange {
	int			 before, behind; /* they do not wait
						    (O_NONBLOCK); -1: this is
						    an end */
	int			 type;	/* enum element_type; no half, of which
					   a sum is rounded once */
	size_t			 bytes;	/* of a vector, whole elements */
	const void *const	*vectors; /* of the members here */
	void *const		*results; /* of each; it may be its vector */
	size_t			 members;
	unsigned char		*sum;	/* room for a vector */
	/* Asked every 100 ms while nothing comes: -1 ends it. */
	int			(*look)(const void *context, struct error *);
	const void		*context;
};

/* 0: all results are there; 1: a neighbour is gone; -1: look() says so. */
int	chain_exchange_run(const struct chain_exchange *, struct error *);

#endif
