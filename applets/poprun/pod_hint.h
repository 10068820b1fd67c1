/*
 * Which of the pods that ipubox knows by name would do for a partition.
 */
#ifndef APPLETS_POPRUN_POD_HINT_H
#define APPLETS_POPRUN_POD_HINT_H

#include "core/base/error.h"
#include "core/pod/pod.h"

/*
 * Put the smallest pod on which the partition could lie, and the command that
 * makes it, behind the text of the error; nothing where there is none.
 * Returns -1.
 */
int	pod_hint_append(const struct partition_request *, struct error *);

#endif
