/*
 * PopDist's context, read from the environment: a program's share of a job,
 * with a member per getter of the published API (PopDist guide, chapters 4 to
 * 6), and the number of restarts.
 */
#ifndef CORE_JOB_POPDIST_H
#define CORE_JOB_POPDIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* Set by poprun: number of restarts of the job. */
#define POPDIST_RESTART_VARIABLE "POPRUN_RESTART_COUNT"

struct popdist {
	bool is_set;		  /* isPopdistEnvSet */
	bool uniform;		  /* replicas are spread evenly */
	int num_total_replicas;	  /* without poprun: 1 */
	int num_local_replicas;	  /* without poprun: 1 */
	int num_ipus_per_replica; /* without poprun: 1 */
	int replica_index_offset; /* without poprun: 0 */
	int local_instance_index; /* without poprun: 0 */
	int num_instances;	  /* total / local; 0: not uniform */
	int instance_index;	  /* offset / local; 0: not uniform */
	int restart_count;	  /* without poprun: 0 */
};

/* Read the variables POPDIST_*.  Without POPDIST_NUM_TOTAL_REPLICAS, all
   members are as without poprun, and 0 is returned.  -1 names the variable:
   missing, not a number, or numbers that contradict each other (local over
   total, an offset that is not a multiple). */
int popdist_read(struct popdist *, struct error *);

/* Return the instance and the number of instances for collectives.  If replicas
   are uneven, Open MPI's ranks decide, which poprun sets under every launcher;
   -1: they are missing or not valid. */
int popdist_place(const struct popdist *, int *instance, int *instances,
    struct error *);

/* Parse the time limit of collectives from seconds to ms, rounded up; "0" gives
   0, which means no limit.  `what` names the value in the message. */
int popdist_time_limit(const char *what, const char *text, int *ms,
    struct error *);

/* Return this instance's range [first, end) of the samples.  Ranges are as even
   as possible, and the first instances get the remainder.  If replicas are
   uneven, samples are divided among replicas, and an instance takes its
   replicas' parts. */
void popdist_shard(const struct popdist *, long long samples, long long *first,
    long long *end);

/* The names of PopDist for C, C++, Python, popdist-env and their manuals, in
   one table.  tests/cli/sdk-names.t compares them all. */

/* Getters come first in the table, in this order. */
enum popdist_getter {
	POPDIST_IS_ENV_SET,
	POPDIST_NUM_TOTAL_REPLICAS,
	POPDIST_NUM_LOCAL_REPLICAS,
	POPDIST_REPLICA_INDEX_OFFSET,
	POPDIST_NUM_IPUS_PER_REPLICA,
	POPDIST_NUM_INSTANCES,
	POPDIST_INSTANCE_INDEX,
	POPDIST_LOCAL_INSTANCE_INDEX,
	POPDIST_DEVICE_ID,
	POPDIST_GETTERS_ALONE, /* number of getters without an argument */
	POPDIST_CHECK_IPUS = POPDIST_GETTERS_ALONE,
	POPDIST_GETTERS
};

enum popdist_kind {
	POPDIST_BOOLEAN, /* getter: true or false */
	POPDIST_NUMBER,	 /* getter: a number */
	POPDIST_CALL	 /* does something */
};

/* Interfaces that offer the name. */
enum popdist_place {
	POPDIST_IN_SHELL = 1, /* popdist-env get */
	POPDIST_IN_C = 2,
	POPDIST_IN_CPP = 4,
	POPDIST_IN_PYTHON = 8,
	POPDIST_IN_PROGRAMS = POPDIST_IN_C | POPDIST_IN_CPP | POPDIST_IN_PYTHON
};

struct popdist_name {
	const char *name;   /* in C++, Python and the shell; NULL: C only */
	const char *c_name; /* NULL: not in C */
	enum popdist_kind kind;
	int places;
	const char *alone; /* its value without poprun, or NULL: varies or
			      none */
	const char *help;
};

extern const struct popdist_name popdist_names[];
extern const size_t popdist_names_count;

/* Return the getter of that name, or -1. */
int popdist_names_find_getter(const char *name);

#endif
