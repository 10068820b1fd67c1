/*
 * Removing a partition.
 */
#ifndef CORE_CONTROL_REMOVE_H
#define CORE_CONTROL_REMOVE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * Remove.  Refused with ERROR_BUSY while a program is attached to one of its
 * IPUs (named with user, pid and command), unless forced; ERROR_NOT_FOUND where
 * there is none of that name for this caller.  Forced, a file of it that cannot
 * be removed stays.  *removed, when not NULL, is what it was.  Where one of its
 * machines is slow it takes that time, unless forced, and is waited for.
 */
int	remove_partition(struct controller *, const char *name, bool force,
	    struct partition *removed, struct error *);

/*
 * The same for who does not wait: 1 where it is to go still, when its time has
 * come, and *removed is what it was.
 */
int	remove_begin(struct controller *, const char *name, bool force,
	    struct partition *removed, struct error *);
/* And of the same partition only, as remove_same(). */
int	remove_begin_same(struct controller *, const struct partition *,
	    bool force, struct partition *removed, struct error *);

/*
 * Remove the partition of that name if it is the same one still, by its
 * identity (ERROR_NOT_FOUND: another has its name now); never by force.
 */
int	remove_same(struct controller *, const struct partition *,
	    struct error *);

/*
 * Whether a removal would be refused now because a program is attached to one
 * of the partition's IPUs: ERROR_BUSY, and the text names it.
 */
int	remove_check(struct controller *, const struct snapshot *,
	    const struct partition *, struct error *);

#endif
