/*
 * A job: the hosts, replicas and instances of one poprun, the environment of
 * each instance, and the command line for Open MPI's mpirun.  Pure: counts and
 * texts in, texts out.  Read layout.h first, then environment.h.
 */
#ifndef CORE_JOB_JOB_H
#define CORE_JOB_JOB_H

#include "core/job/engine_options.h" /* POPLAR_ENGINE_OPTIONS: profiles */
#include "core/job/environment.h"    /* the variables of an instance */
#include "core/job/hostlist.h"	     /* "pod[1-4]:8", and files of hosts */
#include "core/job/layout.h"	     /* places of instances and replicas */
#include "core/job/mpirun.h"	     /* the arguments of mpirun */
#include "core/job/mpirun_noise.h"   /* messages of mpirun and ssh */
#include "core/job/popdist.h"	     /* the environment, read back */

/*
 * Variables from our parent process on each host for the programs below it: the
 * executable cache, and this host's numeric address for the job's other hosts.
 */
#define JOB_CACHE_VARIABLE "POPDIST_EXECUTABLE_CACHE_PATH"
#define JOB_HOST_ADDRESS_VARIABLE "IPUBOX_HOST_ADDRESS"

/*
 * Parse a list of instance indices: "0,2-3", "all", "none".  Sets in set[count]
 * which of `count` instances are listed; ranges are inclusive.  -1: the message
 * begins with `what` and names the wrong element; then `set` has no meaning.
 */
int index_list_read(const char *what, const char *text, int count, bool *set,
    struct error *);

/*
 * POPLAR_TARGET_OPTIONS: the compiler's facts about the IPUs, as a compact JSON
 * object of texts.
 *
 * Source: published logs ("Target options from ...").
 */
struct target_options {
	long link_domain_ipus;		/* IPUs joined by IPU-Links */
	const char *link_configuration; /* "default", "slidingWindow",
					   "barleyTwist" */
	const char *link_topology;	/* "mesh", "torus" */
	long instance_ipus;		/* IPUs of one instance */
};

/* Set link_configuration and link_topology to Poplar's words for a partition's
   routing, enum link_routing. */
void target_options_set_routing(struct target_options *, int routing);

/* Return the object, with keys in the logs' order.  The caller frees it. */
char *target_options_text(const struct target_options *);

/*
 * Return a device's options as in the log: "ipuLinkDomainSize=64,
 * ...Topology=Mesh, ...", with capitalised words.  The caller frees the text.
 */
char *target_options_device_text(const struct target_options *);

/*
 * Merge two objects: keys of `low` in order, with values of `high` if present,
 * then the other keys of `high`.  Numbers and booleans become texts.  NULL or
 * "" is an empty object.  Returns NULL if either is not a JSON object; the
 * error begins with `what`, which names `high`.  The caller frees the result.
 */
char *target_options_merge(const char *low, const char *what, const char *high,
    struct error *);

#endif
