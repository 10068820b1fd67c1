/*
 * A job: the hosts, replicas and instances of one poprun, the environment that
 * each instance gets, and the command line that makes Open MPI's mpirun start
 * them.  All of it is pure: counts and texts go in, and texts come out.  Read
 * layout.h first, then environment.h.
 */
#ifndef CORE_JOB_JOB_H
#define CORE_JOB_JOB_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/job/engine_options.h" /* POPLAR_ENGINE_OPTIONS: profiles */
#include "core/job/environment.h"    /* the variables of an instance */
#include "core/job/hostlist.h"	     /* "pod[1-4]:8", and files of hosts */
#include "core/job/layout.h"	     /* which instance runs what, where */
#include "core/job/mpirun.h"	     /* the arguments of mpirun */
#include "core/job/mpirun_noise.h"   /* what mpirun and ssh say */
#include "core/job/popdist.h"	     /* the environment, read back */

/* What our parents on each host tell the programs below them: where the
   executable cache is, and the address of this host for the others of the job,
   in numbers. */
#define JOB_CACHE_VARIABLE "POPDIST_EXECUTABLE_CACHE_PATH"
#define JOB_HOST_ADDRESS_VARIABLE "IPUBOX_HOST_ADDRESS"

/*
 * A list of instances by their indices, as a user writes it: "0,2-3", "all",
 * "none".  Sets in `set` which of `count` instances are in it; a range includes
 * its ends.  -1: the message begins with `what` and names the wrong element.
 */
int index_list_read(const char *what, const char *text, int count, bool *set,
    struct error *);

/*
 * POPLAR_TARGET_OPTIONS: what the compiler must know of the IPUs, as a compact
 * JSON object whose values are text.
 *
 * Source: published logs ("Target options from ...").
 */
struct target_options {
	long link_domain_ipus;		/* IPUs that IPU-Links join */
	const char *link_configuration; /* "default", "slidingWindow" */
	const char *link_topology;	/* "mesh", "torus" */
	long instance_ipus;		/* IPUs of one instance */
};

/* Poplar's words for a partition's IPU-Link routing, enum link_routing. */
void target_options_set_routing(struct target_options *, int routing);

/* The object, its keys in the order of the logs. The caller frees it. */
char *target_options_text(const struct target_options *);

/* As the log names a device's: "ipuLinkDomainSize=64, ...Topology=Mesh, ...",
   words with a capital letter.  The caller frees it. */
char *target_options_device_text(const struct target_options *);

/*
 * Both objects as one: keys of `low` in their order, with the values of
 * `high` where it has the key, then the keys that only `high` has.  NULL or ""
 * is an empty object; `what` names `high` in a message.  NULL when it is not a
 * JSON object.  The caller frees the result.
 */
char *target_options_merge(const char *low, const char *what, const char *high,
    struct error *);

#endif
