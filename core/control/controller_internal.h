/*
 * The embedded controller from within: what the files of core/control that
 * change the state share.  Private to core/control and its tests.
 *
 * Every change reads:
 *
 *	transaction_begin	the lock, and what was due by then
 *	login_find		is the caller let in, and to this partition?
 *	hold_all		no program may attach meanwhile
 *	...			the change, under the rules of core/pod
 *	tick_run		what follows from it at once
 *	hold_none
 *	transaction_end
 */
#ifndef CORE_CONTROL_CONTROLLER_INTERNAL_H
#define CORE_CONTROL_CONTROLLER_INTERNAL_H

#include <stdint.h>

#include "core/control/controller.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

struct backend;
struct remote;

struct controller {
	const struct backend *backend;	/* NULL: the embedded one */
	struct remote	*remote;	/* its server, else NULL */
	struct state	state;		/* of the embedded one */
	int64_t		(*now_ms)(void);	/* ms since the epoch */
	int64_t		(*monotonic_ms)(void);	/* for durations */
	void		(*sleep_ms)(int64_t);
	bool		admin;			/* the caller may everything;
						   of a server it is asked for
						   what that shows to him */
	struct user	user;			/* the caller; name "": nobody
						   is named */
	struct error	left;			/* the first of the files that
						   stayed; "": none did */
	struct versions	versions;		/* what IPUoF files say */
};

/*
 * A controller with the clock and the sleep of this host and the default
 * release, for nobody who is named.  Its state is to be opened next.
 */
void	controller_init(struct controller *);

/*
 * Let the caller in; look whether it is let in still, and limited to
 * some allocations; leave in a snapshot, which is for its eyes and
 * no longer for a change, what it may see; find a partition that it may touch,
 * by its index in the snapshot.
 * All of them refuse who is not, or is no longer, let in
 * (ERROR_UNAUTHENTICATED).
 */
int	login_caller(struct controller *, const struct caller *,
	    struct error *);
int	login_check(struct controller *, bool *limited, struct error *);
int	login_limit(struct controller *, struct snapshot *, struct error *);
int	login_find(struct controller *, const struct snapshot *,
	    const char *partition, struct error *);

/* Begin a change: the writer's lock, what was due by then, and what is true
   under it.  The caller ends every change that it began. */
int	transaction_begin(struct controller *, struct snapshot *,
	    struct error *);
void	transaction_end(struct controller *, struct snapshot *);

/*
 * Plan, or make, a partition under the lock: the rules of create_partition()
 * for a checked request; with an owner, NULL: none.  1: its IPUs are not free
 * now, and the text says who has them.
 */
int	create_plan(struct controller *, const struct snapshot *,
	    const struct partition_request *, struct partition *planned,
	    struct error *);
struct partition_owner;
int	create_under_lock(struct controller *, struct snapshot *,
	    const struct partition_request *, const struct partition_owner *,
	    struct partition *created, struct error *);

/*
 * Hold every IPU of the partition, so that nobody attaches while it changes.
 * ERROR_BUSY: a program is, and the text names it.  hold_none() ends it always.
 */
int	hold_all(struct controller *, const struct snapshot *,
	    const struct partition *, struct error *);
/* The same refusal, and nothing is held. */
int	hold_check(struct controller *, const struct snapshot *,
	    const struct partition *, struct error *);
void	hold_none(struct controller *, const struct snapshot *,
	    const struct partition *);

/*
 * Under the lock: remove the partition or, with `going`, store that it goes;
 * its files first, by force also without them.  -1: nothing has changed; with
 * ERROR_UNCONFIRMED it may be gone.
 */
int	discard_partition(struct controller *, const struct pod *,
	    const struct partition *, const struct partition *going,
	    bool force, struct error *);

#endif
