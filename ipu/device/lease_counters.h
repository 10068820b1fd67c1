/*
 * What a program says that its IPUs counted, before others are told of it: a
 * program may say anything, and a server is asked for what is true.
 *
 *	time at work		not more than the IPU was held
 *	bytes			not more than memory could move meanwhile
 *	work by seconds		of seconds in which it was held
 *	errors			known ones, when they are new
 *
 * Pure; times are ns of CLOCK_REALTIME.
 */
#ifndef IPU_DEVICE_LEASE_COUNTERS_H
#define IPU_DEVICE_LEASE_COUNTERS_H

#include <stdint.h>

#include "core/state/state.h"

/* What a program says of an IPU. */
struct lease_counters {
	uint64_t	busy_ns;
	uint64_t	exchange_bytes;
	uint64_t	host_bytes;
	uint64_t	last_busy_ns;
	uint32_t	soc_error;
	uint32_t	ring[BUSY_RING_SECONDS];
};

/* What it has said by now; zeroed but for the time when an IPU is granted. */
struct lease_meter {
	int64_t		granted_ns;
	uint64_t	busy_ns;	/* these three were believed */
	uint64_t	exchange_bytes;
	uint64_t	host_bytes;
	uint32_t	soc_error;	/* was said */
};

/* Copy from a slot that the program writes. */
void	lease_counters_read(struct lease_counters *,
	    const struct ipu_slot *);

/* Put what can be true into the IPU's slot in the registry. */
void	lease_counters_take(const struct lease_counters *,
	    struct lease_meter *, int64_t now_ns, struct ipu_slot *);

#endif
