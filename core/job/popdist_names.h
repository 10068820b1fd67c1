/*
 * The names of PopDist, in one table: what C, C++, Python, popdist-env and
 * their manuals call the same thing.  tests/cli/sdk-names.t compares them all
 * with it.
 *
 * Source: PopDist guide chapters 4 to 6, and programs that use it.
 */
#ifndef CORE_JOB_POPDIST_NAMES_H
#define CORE_JOB_POPDIST_NAMES_H

#include <stddef.h>

/* Getters come first in the table, in this order. */
enum popdist_getter {
	POPDIST_IS_ENV_SET, POPDIST_NUM_TOTAL_REPLICAS,
	POPDIST_NUM_LOCAL_REPLICAS, POPDIST_REPLICA_INDEX_OFFSET,
	POPDIST_NUM_IPUS_PER_REPLICA, POPDIST_NUM_INSTANCES,
	POPDIST_INSTANCE_INDEX, POPDIST_LOCAL_INSTANCE_INDEX,
	POPDIST_DEVICE_ID,
	POPDIST_GETTERS_ALONE,		/* so many need no argument */
	POPDIST_CHECK_IPUS = POPDIST_GETTERS_ALONE,
	POPDIST_GETTERS
};

enum popdist_kind {
	POPDIST_BOOLEAN,		/* a getter: true or false */
	POPDIST_NUMBER,			/* a getter: a number */
	POPDIST_CALL			/* does something */
};

/* Where it is offered. */
enum popdist_place {
	POPDIST_IN_SHELL = 1,		/* popdist-env get */
	POPDIST_IN_C = 2,
	POPDIST_IN_CPP = 4,
	POPDIST_IN_PYTHON = 8,
	POPDIST_IN_PROGRAMS = POPDIST_IN_C | POPDIST_IN_CPP | POPDIST_IN_PYTHON
};

struct popdist_name {
	const char	 *name;		/* in C++, Python and the shell; NULL:
					   C needs it alone */
	const char	 *c_name;	/* NULL: not in C */
	enum popdist_kind kind;
	int		  places;
	const char	 *alone;	/* its value without poprun, NULL: it
					   depends, or there is none */
	const char	 *help;
};

extern const struct popdist_name popdist_names[];
extern const size_t popdist_names_count;

/* The getter of that name, or -1. */
int	popdist_names_find_getter(const char *name);

#endif
