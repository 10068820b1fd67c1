/*
 * The guard of a partition that poprun creates.
 */
#ifndef APPLETS_POPRUN_GUARD_H
#define APPLETS_POPRUN_GUARD_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/pod/partition.h"
#include "core/state/state.h"

struct server;

struct guard {
	int	pipe;			/* -1: none */
	pid_t	pid;
};

/* What it removes: the partition of the owner, or one of a server, which goes
   with the connection, or, where the server knows no such, is asked for. */
struct guard_task {
	const struct owner_lock	*owner;		/* NULL: at a server */
	struct controller	*lease;		/* its connection, or NULL */
	const struct server	*server;
	const struct partition	*partition;
};

/*
 * From now on the partition is removed when this process and its supervisor
 * have ended, unless a program is attached to it: then that of an owner goes
 * when that has ended, with the next command of anybody, and that of a lease
 * by itself.  The guard closes its copy of an embedded controller, and has the
 * connection of a lease; controller_leave() is for the caller.
 */
int	guard_start(struct guard *, const struct guard_task *,
	    struct controller *, struct error *);

/* The guard ends and leaves the partition alone. */
void	guard_stop(struct guard *);

#endif
