/*
 * What may happen to partitions, behind one interface: the embedded
 * controller works on the state directory of this host, a remote one would ask
 * a server.  vipu and poprun know only this.
 */
#ifndef CORE_CONTROL_CONTROLLER_H
#define CORE_CONTROL_CONTROLLER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/access.h"
#include "core/pod/edit/inventory.h"
#include "core/pod/partition.h"
#include "core/pod/request.h"
#include "core/state/registry.h"

struct controller;

/*
 * The embedded controller over this user's state directory, asked in the name
 * of the caller: see access.h and users.h.  NULL: whom the environment and the
 * configuration files name, see config.h.  Refused: no user in secure mode, a
 * user who is unknown or has another key.
 */
struct controller	*controller_open_local(const struct caller *,
			    struct error *);
void			 controller_close(struct controller *);

/*
 * Create: checks the request, chooses a placement and stores the partition.
 * Its configuration may still run when this returns, or may have failed: see
 * wait_configured().
 * Refused with the reason and what would help: a name in use (ERROR_EXISTS), a
 * size that does not fit now (ERROR_NO_ROOM: who holds the IPUs, which size
 * would fit) or never (ERROR_INVALID).
 * *created is filled when it is not NULL.
 */
int	create_partition(struct controller *, const struct partition_request *,
	    struct partition *created, struct error *);

/*
 * Remove.  Refused with ERROR_BUSY while a program is attached to one of its
 * IPUs (named with user, pid and command), unless forced; ERROR_NOT_FOUND, here
 * and below, where there is none of that name for this caller.  *removed, when
 * not NULL, is what it was.
 */
int	remove_partition(struct controller *, const char *name, bool force,
	    struct partition *removed, struct error *);

/*
 * Change what the pod is made of: change() works on a copy of it and of its
 * partitions, and what it leaves is stored, all of it or nothing.  It may
 * reallocate their arrays.  -1: change() refused, or replace_pod() did, or
 * a user has an allocation that would go.
 */
int	pod_change_run(struct controller *,
	    int (*change)(struct inventory *, void *, struct error *), void *,
	    struct error *);

/* All partitions and what they refer to, consistent. */
int	transaction_list(struct controller *, struct snapshot *,
	    struct error *);

/*
 * Configure the partition again, with fresh counts; `relocatable` makes it
 * relocatable from now on, so that its IPUoF files go.  Refused with
 * ERROR_BUSY while a program is attached to it, unless forced: that program has
 * lost its IPUs then.  *after, when not NULL, is what it became: see
 * wait_configured().
 */
int	reset_partition(struct controller *, const char *name,
	    bool relocatable, bool force, struct partition *after,
	    struct error *);

/*
 * Whether a reset would find anything to do or to say: the partition is not
 * ACTIVE, its last operation had failures, a machine of it would fail or take
 * time to configure, one of its IPUs has an error or is held.
 */
bool	reset_is_needed(const struct controller *,
	    const struct snapshot *, const struct partition *);

/*
 * Wait until a creation or a reset has come to its end, good or bad, and say
 * what the partition is then.  ERROR_TIMED_OUT after timeout_ms (-1: wait as
 * long as it takes), ERROR_NOT_FOUND where it is gone.
 */
int	wait_configured(struct controller *, const char *name,
	    int64_t timeout_ms, struct partition *, struct error *);

/*
 * As state_open_reader(), but what was due before happens first.  A process
 * that may not change the state sees what the registry says.
 */
int	reader_open(struct registry *, struct error *);

/*
 * The free placements of a request. The caller frees *out and releases the
 * snapshot. Returns their number or -1.
 */
int	create_placements(struct controller *,
	    const struct partition_request *, struct snapshot *,
	    struct placement **out, struct error *);

#endif
