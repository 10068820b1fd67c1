/*
 * The environment that poprun gives an instance: POPDIST_* for the PopDist
 * library, IPUOF_* and POPLAR_TARGET_OPTIONS for the device's driver.
 *
 * Source: PopRun user guide, chapter 2; a published log with every variable,
 * whose order is kept.
 */
#ifndef CORE_JOB_ENVIRONMENT_H
#define CORE_JOB_ENVIRONMENT_H

#include <stdbool.h>

#include "core/base/strvec.h"
#include "core/job/layout.h"

struct environment {
	const struct layout *layout;
	const char *server_host; /* of the V-IPU controller */
	int server_port;
	int server_timeout_s;
	const char *partition;	    /* NULL: offline, no IPUs */
	bool one_gcd;		    /* all instances attach to GCD 0 */
	const char *log_level;	    /* IPUOF_LOG_LEVEL */
	char *const *forwarded;	    /* names that the caller's environment has,
				       NULL-terminated */
	const char *target_options; /* NULL: none */
	const char *autoreport_dir; /* NULL: none */
	char *const *cache_paths;   /* of executables, one per host; NULL:
				       none */
};

/* What torchrun tells a process of the whole job. */
struct environment_torch {
	const char *master_address;
	int master_port;
};

/*
 * Add the variables of one instance, as NAME=VALUE; a NAME alone stands for
 * the caller's own value, which a launcher must carry to other hosts.
 */
void environment_add(const struct environment *, int instance, struct strvec *);

/* Add what Open MPI's launcher tells a process of its rank. */
void environment_add_ranks(const struct layout *, int instance,
    struct strvec *);

/*
 * Add the names that torch.distributed reads, as torchrun sets them, unless the
 * caller has set one: what all instances share, and what is an instance's own.
 * LOCAL_WORLD_SIZE is its own where hosts have different shares.
 */
void environment_add_torch(const struct layout *,
    const struct environment_torch *, struct strvec *);
void environment_add_torch_ranks(const struct layout *, int instance,
    struct strvec *);

/*
 * A whole environment: the caller's, without what another job or another
 * partition left there (IPUOF_CONFIG_PATH, POPDIST_* and the partition's
 * names), then `common`, then `own`; of two values of a name the last one
 * counts, and a NAME without a value is left out.  `common` and `own` may be
 * NULL.  The array is the caller's to free; its words are those of the three
 * lists, not copies: a job has hundreds of environments that differ in a few
 * words.
 */
char **environment_merge(char *const *caller, char *const *common,
    char *const *own);

#endif
