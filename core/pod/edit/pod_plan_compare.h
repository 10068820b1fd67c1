/*
 * What is different between two pods, in words, and which machine of one is
 * which of the other.
 */
#ifndef CORE_POD_EDIT_POD_PLAN_COMPARE_H
#define CORE_POD_EDIT_POD_PLAN_COMPARE_H

#include "core/base/strvec.h"
#include "core/pod/pod.h"

/* The lines about what is different between two pods: pod_plan_compare.c. */
void	pod_plan_compare(struct strvec *lines, const struct pod *from,
	    const struct pod *to);

/*
 * Which machine of `from` each one of `to` is, -1: a new one.  By name in the
 * cluster of the same name, else by name alone.  The caller frees it.
 */
int	*pod_plan_compare_match(const struct pod *from, const struct pod *to);

#endif
