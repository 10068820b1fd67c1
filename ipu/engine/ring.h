/*
 * The exchange between two stages: an ordered ring of buffers with one producer
 * and one consumer.  The producer writes its result where the consumer reads
 * it.  The consumer keeps the buffer until its backward is done, so the ring is
 * also the consumer's stash.
 *
 * An operation that need not wait takes no lock; a wait sleeps.  Both ends may
 * be on one thread if the order of its steps never makes it wait for itself.
 */
#ifndef IPU_ENGINE_RING_H
#define IPU_ENGINE_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Waits for a condition on atomics.  If the condition holds, the waiter takes
 * no lock; the lock guards only sleeping and waking.  Change the atomics that
 * ready() reads by sequentially consistent stores before eventcount_ring():
 * then either the waiter sees the change or the ringer sees the waiter.
 */
struct eventcount {
	pthread_mutex_t lock;
	pthread_cond_t rung;
	atomic_int sleepers;
	int spins; /* checks before the first sleep */
};

/* Set spins above 0 only if the thread has a processor to itself. */
void eventcount_init(struct eventcount *, int spins);
void eventcount_release(struct eventcount *);

/* Wait until ready(argument) is true. */
void eventcount_wait(struct eventcount *, bool (*ready)(void *),
    void *argument);
/* Wake all sleepers to check again. */
void eventcount_ring(struct eventcount *);

struct ring {
	float *buffers;
	size_t floats; /* per buffer, in whole cache lines */
	int capacity;  /* buffers */
	/* Number of buffers published; written by the producer. */
	atomic_ulong published;
	/* Number of buffers released; written by the consumer. */
	atomic_ulong released;
	/* Number of the buffer that the consumer waits for. */
	unsigned long wanted;
	atomic_bool closed;
	struct eventcount eventcount;
};

/* Make `capacity` buffers of `floats` floats, aligned for the kernels; `spins`
   is for eventcount_init(). */
void ring_init(struct ring *, int capacity, size_t floats, int spins);
/* Free the ring; no thread may use it any more.  One that is all 0 is fine. */
void ring_release_memory(struct ring *);

/* Producer: wait for a free buffer and return it; NULL: the ring was closed. */
float *ring_reserve(struct ring *);
/* Producer: let the consumer have the reserved buffer. */
void ring_publish(struct ring *);

/* Consumer: wait for buffer `number` (0, 1, ... in the order of publishing),
   which must not be released yet, and return it; NULL: the ring was closed. */
float *ring_take(struct ring *, unsigned long number);
/* Consumer: give back the oldest buffer not yet released. */
void ring_release(struct ring *);

/* End all present and future waits after a failure. */
void ring_close(struct ring *);

#endif
