/*
 * Waiting until IPUs are given back, without asking again and again.
 *
 * IPUs are held through a descriptor of the registry (registry_attach()), so
 * the kernel notifies of its end, whatever ended its program.  It does so a
 * moment before it drops the locks, so a wait that follows one is short.
 */
#ifndef CORE_STATE_REGISTRY_WATCH_H
#define CORE_STATE_REGISTRY_WATCH_H

#include <stdbool.h>

#include "core/state/registry.h"

struct registry_watch {
	int	changes;	/* inotify(7), -1: there is none */
	bool	ended;		/* a program that could hold IPUs just did */
};

/* To be made before one looks whether the IPUs are free. */
void	registry_watch_init(struct registry_watch *, const struct registry *);
void	registry_watch_release(struct registry_watch *);

/*
 * Until somebody closes the registry, a signal was caught, or it is time to
 * look for what nobody notifies of: a new partition, another registry.
 */
void	registry_watch_wait(struct registry_watch *);

#endif
