/*
 * Waiting for something that stands in atomics.  Who finds it there goes on
 * and takes no lock; the lock is for going to sleep and for waking sleepers.
 *
 * What ready() looks at must be changed by sequentially consistent stores
 * before eventcount_ring(): then either the waiter sees the change or the
 * ringer sees the waiter.
 */
#ifndef IPU_ENGINE_EVENTCOUNT_H
#define IPU_ENGINE_EVENTCOUNT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct eventcount {
	pthread_mutex_t	 lock;
	pthread_cond_t	 rung;
	atomic_int	 sleepers;
	int		 spins;		/* looks before the first sleep */
};

/* Spinning is for a thread that has a processor to itself; else 0. */
void	eventcount_init(struct eventcount *, int spins);
void	eventcount_release(struct eventcount *);

/* Until ready(argument) is true. */
void	eventcount_wait(struct eventcount *, bool (*ready)(void *),
	    void *argument);
/* Wake all that sleep, to look again. */
void	eventcount_ring(struct eventcount *);

#endif
