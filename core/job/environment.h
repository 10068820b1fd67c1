/*
 * The environment of an instance: POPDIST_* for the PopDist library, IPUOF_*
 * and POPLAR_TARGET_OPTIONS for the device's driver.
 *
 * Source: PopRun user guide, chapter 2; a published log with every variable, in
 * this order.
 */
#ifndef CORE_JOB_ENVIRONMENT_H
#define CORE_JOB_ENVIRONMENT_H

#include <stdbool.h>

#include "core/base/strvec.h"
#include "core/job/layout.h"

struct environment {
	const struct layout *layout;
	const char *server_host; /* the V-IPU controller's */
	int server_port;
	int server_timeout_s;
	const char *partition;	    /* NULL: offline, no IPUs */
	bool one_gcd;		    /* all instances attach to GCD 0 */
	const char *log_level;	    /* IPUOF_LOG_LEVEL */
	char *const *forwarded;	    /* names in the caller's environment,
				       NULL-terminated */
	const char *target_options; /* or NULL */
	const char *autoreport_dir; /* or NULL */
	char *const *cache_paths;   /* executable caches, one per host; or
				       NULL */
};

/* Settings of torchrun for the whole job. */
struct environment_torch {
	const char *master_address;
	int master_port;
};

/* Add an instance's variables as NAME=VALUE.  A bare NAME stands for the
   caller's value, which a launcher must carry to other hosts. */
void environment_add(const struct environment *, int instance, struct strvec *);

/* Add the variables by which Open MPI's launcher tells a process its rank. */
void environment_add_ranks(const struct layout *, int instance,
    struct strvec *);

/*
 * Add the variables that torch.distributed reads, as torchrun sets them, unless
 * the caller has set one: those of all instances, and those of one.
 * LOCAL_WORLD_SIZE is among the latter if hosts have different shares.
 */
void environment_add_torch(const struct layout *,
    const struct environment_torch *, struct strvec *);
void environment_add_torch_ranks(const struct layout *, int instance,
    struct strvec *);

/*
 * Merge environments: the caller's, without remains of another job or partition
 * (IPUOF_CONFIG_PATH, POPDIST_* and the partition's names), then `common`, then
 * `own`, which may be NULL.  The last value of a name counts; a NAME without a
 * value is left out.  The caller frees the array.  Its words are not copied,
 * because a job has hundreds of environments that differ in a few words.
 */
char **environment_merge(char *const *caller, char *const *common,
    char *const *own);

#endif
