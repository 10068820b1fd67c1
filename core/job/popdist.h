/*
 * PopDist's context, read from the environment: a program's share of a job,
 * with a member for each getter of the published API (PopDist guide, chapters 4
 * to 6), and the number of the run.
 */
#ifndef CORE_JOB_POPDIST_H
#define CORE_JOB_POPDIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* What poprun tells beside: how often the job was started again. */
#define POPDIST_RESTART_VARIABLE "POPRUN_RESTART_COUNT"

/* What a user sets: seconds that a collective may take. */
#define POPDIST_TIMEOUT_VARIABLE "POPDIST_TIMEOUT"

struct popdist {
	bool is_set;		  /* isPopdistEnvSet */
	bool uniform;		  /* replicas are spread evenly */
	int num_total_replicas;	  /* 1 without poprun */
	int num_local_replicas;	  /* 1 */
	int num_ipus_per_replica; /* 1 */
	int replica_index_offset; /* 0 */
	int local_instance_index; /* 0 */
	int num_instances;	  /* total / local; 0: not uniform */
	int instance_index;	  /* offset / local; 0: not uniform */
	int restart_count;	  /* 0 */
};

/*
 * Read POPDIST_*; POPDIST_NUM_TOTAL_REPLICAS says whether they are there at
 * all.  A value that is not a number, or numbers that contradict each
 * other (local over total, an offset that is not a multiple), are an error that
 * names the variable.
 */
int popdist_read(struct popdist *, struct error *);

/*
 * Which instance of how many this is, for the collectives.  Where the replicas
 * are not spread evenly the ranks of Open MPI say so, which poprun sets under
 * every launcher.
 */
int popdist_place(const struct popdist *, int *instance, int *instances,
    struct error *);

/*
 * A time limit of collectives in ms, from seconds as text; 0: none.  `what`
 * names the value in the message.
 */
int popdist_time_limit(const char *what, const char *text, int *ms,
    struct error *);

/*
 * The range [first, end) of `samples` samples that this instance takes: as
 * even as can be, the first instances get one more where it does not divide.
 * Where the replicas are not spread evenly, the same is done for the replicas,
 * and an instance takes what its replicas get.
 */
void popdist_shard(const struct popdist *, long long samples, long long *first,
    long long *end);

/*
 * The names of PopDist, in one table: what C, C++, Python, popdist-env and
 * their manuals call the same thing.  tests/cli/sdk-names.t compares them all.
 */

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
	POPDIST_GETTERS_ALONE, /* so many need no argument */
	POPDIST_CHECK_IPUS = POPDIST_GETTERS_ALONE,
	POPDIST_GETTERS
};

enum popdist_kind {
	POPDIST_BOOLEAN, /* a getter: true or false */
	POPDIST_NUMBER,	 /* a getter: a number */
	POPDIST_CALL	 /* does something */
};

/* Where it is offered. */
enum popdist_place {
	POPDIST_IN_SHELL = 1, /* popdist-env get */
	POPDIST_IN_C = 2,
	POPDIST_IN_CPP = 4,
	POPDIST_IN_PYTHON = 8,
	POPDIST_IN_PROGRAMS = POPDIST_IN_C | POPDIST_IN_CPP | POPDIST_IN_PYTHON
};

struct popdist_name {
	const char *name;   /* in C++, Python and the shell; NULL: C needs it
			       alone */
	const char *c_name; /* NULL: not in C */
	enum popdist_kind kind;
	int places;
	const char *alone; /* its value without poprun, NULL: it depends, or
			      there is none */
	const char *help;
};

extern const struct popdist_name popdist_names[];
extern const size_t popdist_names_count;

/* The getter of that name, or -1. */
int popdist_names_find_getter(const char *name);

#endif
