#include "ipu/engine/eventcount.h"

void
eventcount_init(struct eventcount *b, int spins)
{
	(void)pthread_mutex_init(&b->lock, NULL);
	(void)pthread_cond_init(&b->rung, NULL);
	atomic_init(&b->sleepers, 0);
	b->spins = spins;
}

void
eventcount_release(struct eventcount *b)
{
	(void)pthread_cond_destroy(&b->rung);
	(void)pthread_mutex_destroy(&b->lock);
}

void
eventcount_wait(struct eventcount *b, bool (*ready)(void *), void *argument)
{
	int	i;

	for (i = 0; i <= b->spins; i++) {
		if (ready(argument))
			return;
		__builtin_ia32_pause();
	}
	(void)pthread_mutex_lock(&b->lock);
	(void)atomic_fetch_add(&b->sleepers, 1);
	while (!ready(argument))
		(void)pthread_cond_wait(&b->rung, &b->lock);
	(void)atomic_fetch_sub(&b->sleepers, 1);
	(void)pthread_mutex_unlock(&b->lock);
}

void
eventcount_ring(struct eventcount *b)
{
	if (atomic_load(&b->sleepers) == 0)
		return;
	(void)pthread_mutex_lock(&b->lock);
	(void)pthread_cond_broadcast(&b->rung);
	(void)pthread_mutex_unlock(&b->lock);
}
