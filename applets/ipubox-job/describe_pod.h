/*
 * The description of a pod, as text for kube_table.h.
 */
#ifndef APPLETS_IPUBOX_JOB_DESCRIBE_POD_H
#define APPLETS_IPUBOX_JOB_DESCRIBE_POD_H

#include <stdint.h>
#include <stdio.h>

#include "core/base/yaml.h"

/* All but its events. */
void	describe_pod_put(FILE *, const struct yaml_node *pod, int64_t now_s);

#endif
