/*
 * The exchange between two stages: a ring of buffers with one producer and
 * one consumer, in order.  The producer writes its result where the consumer
 * reads it, and the consumer keeps it as long as it needs it (an input until
 * its backward), so the ring is the consumer's stash as well.
 *
 * No lock is taken as long as there is what one asks for; waiting sleeps.  The
 * ends may stand on one thread where the order of its steps never makes it
 * wait for itself.
 */
#ifndef IPU_ENGINE_RING_H
#define IPU_ENGINE_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Waiting for something that stands in atomics.  A waiter that finds it goes
 * on and takes no lock; the lock is for going to sleep and for waking
 * sleepers.  What ready() looks at must be changed by sequentially consistent
 * stores before eventcount_ring(): then either the waiter sees the change or
 * the ringer sees the waiter.
 */
struct eventcount {
	pthread_mutex_t lock;
	pthread_cond_t rung;
	atomic_int sleepers;
	int spins; /* looks before the first sleep */
};

/* Spinning is for a thread that has a processor to itself; else 0. */
void eventcount_init(struct eventcount *, int spins);
void eventcount_release(struct eventcount *);

/* Until ready(argument) is true. */
void eventcount_wait(struct eventcount *, bool (*ready)(void *),
    void *argument);
/* Wake all that sleep, to look again. */
void eventcount_ring(struct eventcount *);

struct ring {
	float *buffers;
	size_t floats; /* of a buffer */
	int capacity;
	atomic_ulong published; /* by the producer alone */
	atomic_ulong released;	/* by the consumer alone */
	unsigned long wanted;	/* the consumer waits for it */
	atomic_bool closed;
	struct eventcount eventcount;
};

/* `capacity` buffers of `floats` floats, aligned for the kernels; `spins` is
   eventcount_init()'s.  Ends with ring_release_memory(), when nobody waits. */
void ring_init(struct ring *, int capacity, size_t floats, int spins);
void ring_release_memory(struct ring *);

/* Producer: the next buffer to fill, as soon as one is free; then publish.
   NULL: the ring was closed. */
float *ring_reserve(struct ring *);
void ring_publish(struct ring *);

/* Consumer: buffer `number` (0, 1, ...), as soon as it is published.  Release
   gives back the oldest one.  NULL: the ring was closed. */
float *ring_take(struct ring *, unsigned long number);
void ring_release(struct ring *);

/* End all waiting, now and later: something failed. */
void ring_close(struct ring *);

#endif
