#include "ipu/engine/ring.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/nn/kernels.h"

void
ring_init(struct ring *r, int capacity, size_t floats)
{
	const size_t	line = KERNEL_ALIGNMENT / sizeof(float);

	*r = (struct ring){ .capacity = capacity };
	r->floats = (floats + line - 1) / line * line;
	(void)pthread_mutex_init(&r->lock, NULL);
	(void)pthread_cond_init(&r->changed, NULL);
	r->buffers = xaligned(KERNEL_ALIGNMENT,
	    (size_t)capacity * r->floats * sizeof(float));
}

void
ring_release_memory(struct ring *r)
{
	if (r->buffers == NULL)
		return;
	(void)pthread_cond_destroy(&r->changed);
	(void)pthread_mutex_destroy(&r->lock);
	free(r->buffers);
	r->buffers = NULL;
}

static float *
buffer(struct ring *r, unsigned long number)
{
	return r->buffers + number % (unsigned long)r->capacity * r->floats;
}

float *
ring_reserve(struct ring *r)
{
	float	*result = NULL;

	(void)pthread_mutex_lock(&r->lock);
	while (!r->closed && r->published - r->released ==
	    (unsigned long)r->capacity)
		(void)pthread_cond_wait(&r->changed, &r->lock);
	if (!r->closed)
		result = buffer(r, r->published);
	(void)pthread_mutex_unlock(&r->lock);
	return result;
}

void
ring_publish(struct ring *r)
{
	(void)pthread_mutex_lock(&r->lock);
	r->published++;
	(void)pthread_cond_signal(&r->changed);
	(void)pthread_mutex_unlock(&r->lock);
}

float *
ring_take(struct ring *r, unsigned long number)
{
	float	*result = NULL;

	(void)pthread_mutex_lock(&r->lock);
	assert(number >= r->released);
	while (!r->closed && r->published <= number)
		(void)pthread_cond_wait(&r->changed, &r->lock);
	if (!r->closed)
		result = buffer(r, number);
	(void)pthread_mutex_unlock(&r->lock);
	return result;
}

void
ring_release(struct ring *r)
{
	(void)pthread_mutex_lock(&r->lock);
	assert(r->released < r->published);
	r->released++;
	(void)pthread_cond_signal(&r->changed);
	(void)pthread_mutex_unlock(&r->lock);
}

void
ring_close(struct ring *r)
{
	(void)pthread_mutex_lock(&r->lock);
	r->closed = true;
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->lock);
}
