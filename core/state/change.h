/*
 * One change of the files and of the mirror, in the one order that a kill at
 * any point leaves whole.  Private to core/state; under the writer's lock, and
 * behind the checks of state.c.
 *
 *	mark the registry dirty	-> the INI file -> the mirror -> unmark
 *
 * A kill anywhere leaves the mark or nothing, and the mark has the mirror made
 * from the files again.
 */
#ifndef CORE_STATE_CHANGE_H
#define CORE_STATE_CHANGE_H

#include "core/base/error.h"
#include "core/state/state.h"

/*
 * Write the partition's file and its slot, which may be free; remove those of
 * the partition in a slot; write how the machine of that index fares.  0: it is
 * on the disk.  -1: nothing has changed; but with ERROR_UNCONFIRMED it may
 * have.  ERROR_STALE: the mirror does not say what the file does (verify.h).
 */
int	change_put_partition(struct state *, int slot,
	    const struct partition *, struct error *);
int	change_remove_partition(struct state *, int slot, struct error *);
int	change_put_agent(struct state *, int index, const struct agent *,
	    struct error *);

#endif
