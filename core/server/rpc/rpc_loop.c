/*
 * The loop of a server.
 */
#include "core/server/rpc/rpc_loop.h"

#include <limits.h>
#include <stddef.h>
#include <unistd.h>

#include "core/base/clock.h"

int
rpc_loop_init(struct rpc_loop *l, struct error *e)
{
	l->at = l->count = 0;
	l->now_ms = clock_monotonic_ms();
	rpc_timer_init(&l->timers);
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	return l->epoll == -1 ? error_set_errno(e, "cannot wait for events") :
				0;
}

void
rpc_loop_release(struct rpc_loop *l)
{
	if (l->epoll != -1)
		(void)close(l->epoll);
	l->epoll = -1;
}

static int
loop_control(struct rpc_loop *l, int how, struct rpc_watch *w, uint32_t events)
{
	struct epoll_event event = { .events = events, .data = { .ptr = w } };

	w->events = events;
	return epoll_ctl(l->epoll, how, w->fd, &event);
}

int
rpc_loop_add(struct rpc_loop *l, struct rpc_watch *w, uint32_t events,
    struct error *e)
{
	return loop_control(l, EPOLL_CTL_ADD, w, events) == 0 ?
	    0 :
	    error_set_errno(e, "cannot wait for a descriptor");
}

void
rpc_loop_change(struct rpc_loop *l, struct rpc_watch *w, uint32_t events)
{
	if (w->events != events)
		(void)loop_control(l, EPOLL_CTL_MOD, w, events);
}

/* Pending events of the descriptor are dropped. */
void
rpc_loop_remove(struct rpc_loop *l, struct rpc_watch *w)
{
	int i;

	(void)loop_control(l, EPOLL_CTL_DEL, w, 0);
	for (i = l->at; i < l->count; i++)
		if (l->events[i].data.ptr == w)
			l->events[i].data.ptr = NULL;
}

/* Return the wait for epoll_wait(2), limited by the first timer. */
static int
loop_wait_ms(struct rpc_loop *l, int64_t wait_ms)
{
	const int64_t next = rpc_timer_next(&l->timers);
	int64_t left;

	if (next == INT64_MAX && wait_ms < 0)
		return -1;
	left = next == INT64_MAX ? wait_ms : next - clock_monotonic_ms();
	if (wait_ms >= 0 && wait_ms < left)
		left = wait_ms;
	return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

void
rpc_loop_turn(struct rpc_loop *l, int64_t wait_ms)
{
	struct rpc_watch *w;

	l->count = epoll_wait(l->epoll, l->events, RPC_LOOP_EVENTS,
	    loop_wait_ms(l, wait_ms));
	l->now_ms = clock_monotonic_ms();
	for (l->at = 0; l->at < l->count; l->at++) {
		w = l->events[l->at].data.ptr;
		if (w != NULL)
			w->ready(w->context, l->events[l->at].events);
	}
	l->at = l->count = 0;
	rpc_timer_fire(&l->timers, l->now_ms);
}
