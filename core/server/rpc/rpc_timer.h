/*
 * Moments at which something is to be done, in order.  Times are ms of
 * clock_monotonic_ms(), and parameters.
 */
#ifndef CORE_SERVER_RPC_RPC_TIMER_H
#define CORE_SERVER_RPC_RPC_TIMER_H

#include <bsd/sys/tree.h>

#include <stdbool.h>
#include <stdint.h>

struct rpc_timer {
	RB_ENTRY(rpc_timer) link;
	bool is_set;
	int64_t due_ms;
	void (*fire)(void *context); /* the caller's, with */
	void *context;		     /* what it gets */
};

RB_HEAD(rpc_timers, rpc_timer);

/* None yet. */
void rpc_timer_init(struct rpc_timers *);

/*
 * Set it, again or for the first time; INT64_MAX: never.  The struct is the
 * caller's, who clears it before it goes; zeroed it is not set.
 */
void rpc_timer_set(struct rpc_timers *, struct rpc_timer *, int64_t due_ms);
void rpc_timer_clear(struct rpc_timers *, struct rpc_timer *);

/* When the first is due; INT64_MAX: none is set. */
int64_t rpc_timer_next(struct rpc_timers *);

/*
 * Clear and fire each that is due; what they set for this moment or before is
 * left to the next call.
 */
void rpc_timer_fire(struct rpc_timers *, int64_t now_ms);

#endif
