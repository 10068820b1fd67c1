/*
 * A ring of buffers with one producer and one consumer, which takes a lock only
 * to wait.
 */
#include "ipu/engine/ring.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/nn/kernels/kernels.h"

/* Each buffer begins on a separate cache line, so that producer and consumer do
   not share one. */
void
ring_init(struct ring *r, int capacity, size_t floats, int spins)
{
	const size_t line = KERNEL_ALIGNMENT / sizeof(float);

	r->capacity = capacity;
	r->floats = (floats + line - 1) / line * line;
	r->wanted = 0;
	atomic_init(&r->published, 0);
	atomic_init(&r->released, 0);
	atomic_init(&r->closed, false);
	eventcount_init(&r->eventcount, spins);
	r->buffers = xaligned(KERNEL_ALIGNMENT,
	    (size_t)capacity * r->floats * sizeof(float));
}

void
ring_release_memory(struct ring *r)
{
	if (r->buffers == NULL)
		return;
	eventcount_release(&r->eventcount);
	free(r->buffers);
	r->buffers = NULL;
}

/*
 * Return the buffer of tensor `number`, in place number mod capacity:
 *
 *	capacity 3	place 0   1   2
 *			number 3  4   2		taken next: 2
 */
static float *
buffer(struct ring *r, unsigned long number)
{
	return r->buffers + number % (unsigned long)r->capacity * r->floats;
}

/* For eventcount_wait(): whether a buffer is free, or waiting is useless. */
static bool
has_room(void *argument)
{
	struct ring *r = argument;

	return atomic_load(&r->published) - atomic_load(&r->released) <
	    (unsigned long)r->capacity ||
	    atomic_load(&r->closed);
}

/* For eventcount_wait(): whether the consumer's next tensor has come. */
static bool
has_wanted(void *argument)
{
	struct ring *r = argument;

	return atomic_load(&r->published) > r->wanted ||
	    atomic_load(&r->closed);
}

/* The counters only grow; tensors published and not yet released are in use. */
float *
ring_reserve(struct ring *r)
{
	eventcount_wait(&r->eventcount, has_room, r);
	if (atomic_load(&r->closed))
		return NULL;
	return buffer(r, atomic_load(&r->published));
}

void
ring_publish(struct ring *r)
{
	(void)atomic_fetch_add(&r->published, 1);
	eventcount_ring(&r->eventcount);
}

/* The consumer may take a tensor repeatedly until it releases it: in forward
   and in backward. */
float *
ring_take(struct ring *r, unsigned long number)
{
	assert(number >= atomic_load(&r->released));
	r->wanted = number;
	eventcount_wait(&r->eventcount, has_wanted, r);
	return atomic_load(&r->closed) ? NULL : buffer(r, number);
}

void
ring_release(struct ring *r)
{
	assert(atomic_load(&r->released) < atomic_load(&r->published));
	(void)atomic_fetch_add(&r->released, 1);
	eventcount_ring(&r->eventcount);
}

void
ring_close(struct ring *r)
{
	atomic_store(&r->closed, true);
	eventcount_ring(&r->eventcount);
}
