/*
 * One thread that waits for descriptors and moments: epoll(7) and timers.
 */
#ifndef CORE_SERVER_RPC_RPC_LOOP_H
#define CORE_SERVER_RPC_RPC_LOOP_H

#include <sys/epoll.h>

#include <stdint.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_timer.h"

enum { RPC_LOOP_EVENTS = 128 }; /* served in one turn */

/* A descriptor that is waited for; the struct and it are the caller's. */
struct rpc_watch {
	int fd;
	uint32_t events; /* what for, EPOLLIN and the like */
	void (*ready)(void *context, uint32_t events);
	void *context;
};

struct rpc_loop {
	int epoll;
	int64_t now_ms; /* of this turn */
	struct rpc_timers timers;
	struct epoll_event events[RPC_LOOP_EVENTS];
	int at, count; /* of those that are served */
};

/* -1: the system has no more descriptors. */
int rpc_loop_init(struct rpc_loop *, struct error *);
void rpc_loop_release(struct rpc_loop *);

/*
 * Wait for it from now on, or for other events; 0: for errors alone.  -1: the
 * system refuses.
 */
int rpc_loop_add(struct rpc_loop *, struct rpc_watch *, uint32_t events,
    struct error *);
void rpc_loop_change(struct rpc_loop *, struct rpc_watch *, uint32_t events);
/* No more; its descriptor is still open.  It may be freed at once. */
void rpc_loop_remove(struct rpc_loop *, struct rpc_watch *);

/*
 * Wait for at most so long, serve what is ready and fire what is due.
 * Negative: as long as it takes.  Returns early for a signal.
 */
void rpc_loop_turn(struct rpc_loop *, int64_t wait_ms);

#endif
