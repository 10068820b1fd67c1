/*
 * What a description of a pod says of its containers.
 */
#ifndef APPLETS_IPUBOX_JOB_DESCRIBE_CONTAINER_H
#define APPLETS_IPUBOX_JOB_DESCRIBE_CONTAINER_H

#include <stdio.h>

#include "core/base/yaml.h"

/* The containers of a list, with their statuses of another one, below a title;
   either list may be NULL. */
void	describe_container_put_all(FILE *, const char *title,
	    const struct yaml_node *pod, const struct yaml_node *containers,
	    const struct yaml_node *statuses);

/* "Mon, 23 Nov 2026 14:52:17 +0000" of "2026-11-23T14:52:17Z", in a line of a
   sheet; none where there is no such time. */
void	describe_container_put_time(FILE *, int level, const char *key,
	    const char *time);

#endif
