/*
 * The places of the machines in a pod that a document asks for.
 */
#ifndef CORE_POD_EDIT_POD_PLAN_COMMIT_H
#define CORE_POD_EDIT_POD_PLAN_COMMIT_H

#include "core/pod/pod.h"

/*
 * Give the machines of the wanted pod the places that their clusters have
 * now, as far as those in no cluster fill the gaps: pod_plan_commit.c.  IPU
 * numbers follow from places, and running programs hold them.
 */
void	pod_plan_commit(const struct pod *now, struct pod *wanted);

#endif
