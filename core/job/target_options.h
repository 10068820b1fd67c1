/*
 * POPLAR_TARGET_OPTIONS: what the compiler must know of the IPUs, as a compact
 * JSON object whose values are text.
 *
 * Source: published logs ("Target options from ...").
 */
#ifndef CORE_JOB_TARGET_OPTIONS_H
#define CORE_JOB_TARGET_OPTIONS_H

#include "core/base/error.h"

struct target_options {
	long		 link_domain_ipus;	/* IPUs that IPU-Links join */
	const char	*link_configuration;	/* "default", "slidingWindow" */
	const char	*link_topology;		/* "mesh", "torus" */
	long		 instance_ipus;		/* IPUs of one instance */
};

/* Poplar's words for a partition's IPU-Link routing, enum link_routing. */
void	target_options_set_routing(struct target_options *, int routing);

/* The object, its keys in the order of the logs. The caller frees it. */
char	*target_options_text(const struct target_options *);

/* As the log names a device's: "ipuLinkDomainSize=64, ...Topology=Mesh, ...",
   words with a capital letter.  The caller frees it. */
char	*target_options_device_text(const struct target_options *);

/*
 * Both objects as one: keys of `low` in their order, with the values of
 * `high` where it has the key, then the keys that only `high` has.  NULL or ""
 * is an empty object; `what` names `high` in a message.  NULL when it is not a
 * JSON object.  The caller frees the result.
 */
char	*target_options_merge(const char *low, const char *what,
	    const char *high, struct error *);

#endif
