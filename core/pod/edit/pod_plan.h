/*
 * What takes a pod from what it is to what a document asks for.  Pure.
 *
 * Partitions that are to go, or to be others, go first; then the pod changes,
 * all of it at once; then partitions are made.  A partition stays as it is
 * where the document asks for the same, its IPUs stay in its cluster and
 * allocation, and the wiring of the cluster does.  So whatever a stop between
 * two steps leaves behind, the next plan does the rest.
 */
#ifndef CORE_POD_EDIT_POD_PLAN_H
#define CORE_POD_EDIT_POD_PLAN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/pod/document/document.h"
#include "core/pod/edit/inventory.h"

struct pod_plan {
	struct strvec			  lines;	/* for a person */
	bool				  pod_changes;
	struct pod			  pod;		/* the wanted one */
	char				(*removals)[NAME_SIZE];
	int				  removal_count;
	struct partition_request	 *creations;	/* with places */
	int				  creation_count;
};

/*
 * Plan the document's pod and partitions from those there are.  First every
 * partition is given its place: where the document says, where it is, or the
 * lowest free one, larger partitions first.  -1: something does not fit, as
 * "ORIGIN:LINE: text".
 */
int	pod_plan_make(struct pod_plan *, const struct document *,
	    const struct inventory *now, struct error *);
void	pod_plan_release(struct pod_plan *);

/*
 * The change of the pod, once the removals are done, for
 * pod_change_run(): the context is the plan.  Refused for a partition
 * that was made meanwhile and has no place in the wanted pod.
 */
int	pod_plan_change_pod(struct inventory *, void *plan, struct error *);

/*
 * The partition of one pod as it lies in another, by the names of its cluster
 * and machines.  False where it cannot stay: they are not there in this order,
 * in one allocation, or wired in another way.
 */
bool	pod_plan_move(const struct pod *from, const struct pod *to,
	    struct partition *);

#endif
