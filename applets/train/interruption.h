/*
 * What a signal ends leaves its profile: a thread takes the signals that end a
 * program, writes the profile of the calls that are through, also where a call
 * hangs, and then lets the signal do its work.
 *
 *	interruption_init()	once
 *	interruption_start()	before any other thread is there
 *	interruption_lock()	whoever changes or closes the profile ..
 *	interruption_unlock()	.. keeps the thread away from it meanwhile
 *	interruption_stop()	signals end the program at once again
 */
#ifndef APPLETS_TRAIN_INTERRUPTION_H
#define APPLETS_TRAIN_INTERRUPTION_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "core/base/error.h"

struct interruption {
	pthread_mutex_t	 lock;
	pthread_t	 thread;
	sigset_t	 signals;	/* that the thread takes */
	bool		 started;
	/* Called by the thread, with the lock, before the signal ends all. */
	void		(*save)(void *context, int signal);
	void		*context;
};

/* Before all others; save() is what the thread calls. */
void	interruption_init(struct interruption *,
	    void (*save)(void *context, int signal), void *context);

/* Signals that are ignored or blocked stay so, as nohup(1) wants it. */
int	interruption_start(struct interruption *, struct error *);
/* Fine where it was not started. */
void	interruption_stop(struct interruption *);

/* Held while the profile changes, and not for longer. */
void	interruption_lock(struct interruption *);
void	interruption_unlock(struct interruption *);

#endif
