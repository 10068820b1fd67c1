/*
 * Sleeping until another thread makes a change; takes a lock only to sleep.
 */
#include "ipu/engine/ring.h"

void
eventcount_init(struct eventcount *e, int spins)
{
	(void)pthread_mutex_init(&e->lock, NULL);
	(void)pthread_cond_init(&e->rung, NULL);
	atomic_init(&e->sleepers, 0);
	e->spins = spins;
}

void
eventcount_release(struct eventcount *e)
{
	(void)pthread_cond_destroy(&e->rung);
	(void)pthread_mutex_destroy(&e->lock);
}

/* The waiter counts itself as a sleeper before its last check; the ringer makes
   its change before it looks for sleepers.  So in any order one of the two sees
   the other. */
void
eventcount_wait(struct eventcount *e, bool (*ready)(void *), void *argument)
{
	int i;

	for (i = 0; i <= e->spins; i++) {
		if (ready(argument))
			return;
		__builtin_ia32_pause();
	}
	(void)pthread_mutex_lock(&e->lock);
	(void)atomic_fetch_add(&e->sleepers, 1);
	while (!ready(argument))
		(void)pthread_cond_wait(&e->rung, &e->lock);
	(void)atomic_fetch_sub(&e->sleepers, 1);
	(void)pthread_mutex_unlock(&e->lock);
}

/* Usually no thread sleeps: one load and no lock. */
void
eventcount_ring(struct eventcount *e)
{
	if (atomic_load(&e->sleepers) == 0)
		return;
	(void)pthread_mutex_lock(&e->lock);
	(void)pthread_cond_broadcast(&e->rung);
	(void)pthread_mutex_unlock(&e->lock);
}
