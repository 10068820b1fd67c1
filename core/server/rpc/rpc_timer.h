/*
 * Timers in order of their due times, which are ms of clock_monotonic_ms().
 */
#ifndef CORE_SERVER_RPC_RPC_TIMER_H
#define CORE_SERVER_RPC_RPC_TIMER_H

#include <bsd/sys/tree.h>

#include <stdbool.h>
#include <stdint.h>

struct rpc_timer {
	RB_ENTRY(rpc_timer) link;
	bool is_set; /* it is in the tree */
	int64_t due_ms;
	void (*fire)(void *context); /* called with context */
	void *context;
};

RB_HEAD(rpc_timers, rpc_timer);

/* Begin without timers. */
void rpc_timer_init(struct rpc_timers *);

/* Set or change a timer; INT64_MAX: never.  The caller owns the struct, which
   must begin zeroed except for `fire` and `context`, and must be cleared before
   it is freed. */
void rpc_timer_set(struct rpc_timers *, struct rpc_timer *, int64_t due_ms);
void rpc_timer_clear(struct rpc_timers *, struct rpc_timer *);

/* Return the earliest due time; INT64_MAX: none. */
int64_t rpc_timer_next(struct rpc_timers *);

/* Clear and fire each due timer.  A timer that one of these sets fires at the
   next call at the earliest. */
void rpc_timer_fire(struct rpc_timers *, int64_t now_ms);

#endif
