/*
 * Descriptions of all objects but pods, as text for kube_table.h.
 */
#ifndef APPLETS_IPUBOX_JOB_DESCRIBE_OBJECT_H
#define APPLETS_IPUBOX_JOB_DESCRIBE_OBJECT_H

#include <stdio.h>

#include "core/base/yaml.h"

/* An IPUJob, or an Event: every field, in words. */
void	describe_object_put(FILE *, const struct yaml_node *object);

/* The others, in forms of their own.  Of a Secret (that was hidden) only how
   long its values are. */
void	describe_object_put_config_map(FILE *, const struct yaml_node *);
void	describe_object_put_secret(FILE *, const struct yaml_node *);
/* `users`: the names of the pods that use the claim, a list. */
void	describe_object_put_claim(FILE *, const struct yaml_node *,
	    const struct yaml_node *users);

/* "Ipus Per Job Instance" of "ipusPerJobInstance"; to be freed. */
char	*describe_object_label(const char *field);

#endif
