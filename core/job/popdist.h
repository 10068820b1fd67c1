/*
 * PopDist's context: what a program under poprun knows of its share.  A member
 * per getter of the published API, and the number of the run, all read from the
 * environment.
 *
 * Source: PopDist guide chapters 4 to 6.
 */
#ifndef CORE_JOB_POPDIST_H
#define CORE_JOB_POPDIST_H

#include <stdbool.h>

#include "core/base/error.h"

/* What poprun tells beside: how often the job was started again. */
#define POPDIST_RESTART_VARIABLE	"POPRUN_RESTART_COUNT"

/* What a user sets: seconds that a collective may take. */
#define POPDIST_TIMEOUT_VARIABLE	"POPDIST_TIMEOUT"

struct popdist {
	bool	is_set;			/* isPopdistEnvSet */
	bool	uniform;		/* replicas are spread evenly */
	int	num_total_replicas;	/* 1 without poprun */
	int	num_local_replicas;	/* 1 */
	int	num_ipus_per_replica;	/* 1 */
	int	replica_index_offset;	/* 0 */
	int	local_instance_index;	/* 0 */
	int	num_instances;		/* total / local; 0: not uniform */
	int	instance_index;		/* offset / local; 0: not uniform */
	int	restart_count;		/* 0 */
};

/*
 * Read POPDIST_*; POPDIST_NUM_TOTAL_REPLICAS says whether they are there at
 * all.  A value that is not a number, or numbers that contradict each
 * other (local over total, an offset that is not a multiple), are an error that
 * names the variable.
 */
int	popdist_read(struct popdist *, struct error *);

/*
 * Which instance of how many this is, for the collectives.  Where the replicas
 * are not spread evenly the ranks of Open MPI say so, which poprun sets under
 * every launcher.
 */
int	popdist_place(const struct popdist *, int *instance, int *instances,
	    struct error *);

/*
 * A time limit of collectives in ms, from seconds as text; 0: none.  `what`
 * names the value in the message.
 */
int	popdist_time_limit(const char *what, const char *text, int *ms,
	    struct error *);

/*
 * The range [first, end) of `samples` samples that this instance takes: as
 * even as can be, the first instances get one more where it does not divide.
 * Where the replicas are not spread evenly, the same is done for the replicas,
 * and an instance takes what its replicas get.
 */
void	popdist_shard(const struct popdist *, long long samples,
	    long long *first, long long *end);

#endif
