/*
 * Resetting a partition: it is configured again.
 */
#ifndef CORE_CONTROL_RESET_H
#define CORE_CONTROL_RESET_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * Configure the partition again, with fresh counts, and write its IPUoF files
 * again if one is missing, as far as they can be written; `relocatable` makes
 * it relocatable from now on, so that its IPUoF files go.  Refused with
 * ERROR_BUSY while a program is attached to it, unless forced: that program has
 * lost its IPUs then.  ERROR_NOT_FOUND where there is none of that name for
 * this caller, or its time was over.  *after, when not NULL, is what it became:
 * see wait_configured().
 */
int	reset_partition(struct controller *, const char *name,
	    bool relocatable, bool force, struct partition *after,
	    struct error *);

/*
 * Whether a reset would find anything to do or to say: the partition is not
 * ACTIVE, its last operation had failures, a machine of it would fail or take
 * time to configure, one of its IPUs has an error or is held.
 */
bool	reset_is_needed(struct controller *, const struct snapshot *,
	    const struct partition *);

#endif
