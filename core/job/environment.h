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
	const char *server_host; /* of the V-IPU controller; not used offline */
	int server_port;
	int server_timeout_s;
	const char *partition;	    /* NULL: offline, no IPUs */
	bool one_gcd;		    /* all instances attach to GCD 0 */
	const char *log_level;	    /* IPUOF_LOG_LEVEL */
	char *const *forwarded;	    /* names of the caller's variables to pass
				       on, NULL-terminated */
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

/* Add an instance's variables as NAME=VALUE.  A bare NAME, from `forwarded`,
   stands for the caller's value, which a launcher must carry to other hosts. */
void environment_add(const struct environment *, int instance, struct strvec *);

/* Add the variables by which Open MPI's launcher tells a process its rank. */
void environment_add_ranks(const struct layout *, int instance,
    struct strvec *);

/*
 * Add the variables that torch.distributed reads, as torchrun sets them, except
 * MASTER_ADDR and MASTER_PORT if they are set in this process's environment.
 * The first function adds those of the whole job; _ranks those of one instance.
 * LOCAL_WORLD_SIZE is of the job if all hosts have as many instances, else of
 * each instance.
 */
void environment_add_torch(const struct layout *,
    const struct environment_torch *, struct strvec *);
void environment_add_torch_ranks(const struct layout *, int instance,
    struct strvec *);

/* Whether NAME=VALUE of a caller is replaced by those two, because it is the
   rank of another process or the size of another job. */
bool environment_is_rank(const char *variable);

/*
 * Merge environments: `caller` without remains of another job or partition
 * (IPUOF_CONFIG_PATH, IPUOF_VIPU_API_*, POPDIST_* and OMPI_COMM_WORLD_*), then
 * `common`, then `own`; the last two may be NULL.  The last value of a name
 * counts.  Omits each bare NAME of `common` and `own`.  The caller frees the
 * array.  Its words are not copied, because a job has hundreds of environments
 * that differ in a few words.
 */
char **environment_merge(char *const *caller, char *const *common,
    char *const *own);

#endif
