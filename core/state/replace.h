/*
 * Another pod in place of the one there is, under running programs.
 */
#ifndef CORE_STATE_REPLACE_H
#define CORE_STATE_REPLACE_H

#include "core/pod/edit/edit.h"
#include "core/state/state.h"

/*
 * Under the writer's lock: another pod with these partitions in place of what
 * there is, all of it or nothing; the pod's id stays.  Programs stay attached:
 * refused (ERROR_BUSY) where an IPU in use would become another one's number.
 * Refused as well is what reading the files would refuse.
 * -1: nothing has changed; but ERROR_UNCONFIRMED says that the disk could not
 * confirm the change, as state_add_partition() has it.
 */
int	replace_pod(struct state *, const struct inventory *,
	    struct error *);

#endif
