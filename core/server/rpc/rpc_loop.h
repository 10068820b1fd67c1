/*
 * An event loop for one thread: descriptors by epoll(7), and timers.
 */
#ifndef CORE_SERVER_RPC_RPC_LOOP_H
#define CORE_SERVER_RPC_RPC_LOOP_H

#include <sys/epoll.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_timer.h"

enum { RPC_LOOP_EVENTS = 128 }; /* handled in one turn */

/* A watched descriptor; the caller owns it and this struct. */
struct rpc_watch {
	int fd;
	uint32_t events;			       /* EPOLLIN and others;
							  set by
							  rpc_loop_add() */
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
