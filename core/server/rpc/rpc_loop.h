/*
 * An event loop for one thread: descriptors by epoll(7), and timers.
 */
#ifndef CORE_SERVER_RPC_RPC_LOOP_H
#define CORE_SERVER_RPC_RPC_LOOP_H

#include <sys/epoll.h>

#include <bsd/sys/tree.h>

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

/*
 * Timers in order of their due times, which are ms of clock_monotonic_ms().
 */

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

enum { RPC_LOOP_EVENTS = 128 }; /* handled in one turn */

/* A watched descriptor; the caller owns it and this struct. */
struct rpc_watch {
	int fd;
	uint32_t events; /* EPOLLIN and others; set by rpc_loop_add() */
	void (*ready)(void *context, uint32_t events); /* when some came */
	void *context;
};

struct rpc_loop {
	int epoll;
	int64_t now_ms; /* start of this turn */
	struct rpc_timers timers;
	struct epoll_event events[RPC_LOOP_EVENTS];
	int at, count; /* position in the events being handled */
};

/* Make a loop.  -1: out of descriptors; it may be released. */
int rpc_loop_init(struct rpc_loop *, struct error *);
void rpc_loop_release(struct rpc_loop *);

/* _add: watch w->fd, which must not be watched yet, for these events (0: errors
   only).  -1: the kernel refuses.  _change: replace the events. */
int rpc_loop_add(struct rpc_loop *, struct rpc_watch *, uint32_t events,
    struct error *);
void rpc_loop_change(struct rpc_loop *, struct rpc_watch *, uint32_t events);
/* Stop watching; the struct may be freed, and the descriptor stays open. */
void rpc_loop_remove(struct rpc_loop *, struct rpc_watch *);

/* Wait at most wait_ms (negative: no limit), then handle events and timers.
   Returns early on a signal. */
void rpc_loop_turn(struct rpc_loop *, int64_t wait_ms);

#endif
