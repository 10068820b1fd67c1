/*
 * What a container of a pod gets here before it starts: the plan for it, the
 * operator's own variables, its directories and the sheet of pod_sheet.h.
 */
#ifndef APPLETS_IPUBOX_JOB_POD_SETUP_H
#define APPLETS_IPUBOX_JOB_POD_SETUP_H

#include "applets/ipubox-job/runner_internal.h"

/*
 * Fill the pod's plan, to be released in any case, and write what it needs into
 * its directory.  -1: a volume or a variable, and what is wrong with it;
 * ERROR_NOT_FOUND where something is missing that may still come.
 */
int	pod_setup_make(struct job_runner *, struct runner_pod *,
	    const struct yaml_node *pod, const struct yaml_node *container,
	    const char *directory, struct error *);

#endif
