/*
 * Another pod under the partitions there are: what vipu-admin does to
 * machines, clusters and allocations.
 */
#ifndef CORE_CONTROL_POD_CHANGE_H
#define CORE_CONTROL_POD_CHANGE_H

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/edit/edit.h"

/*
 * Change what the pod is made of: change() works on a copy of it and of its
 * partitions, and what it leaves is stored, all of it or nothing.  It may
 * reallocate their arrays.  -1: change() refused, or new_pod_replace() did, or
 * a user has an allocation that would go.
 */
int	pod_change_run(struct controller *,
	    int (*change)(struct inventory *, void *, struct error *), void *,
	    struct error *);

#endif
