/*
 * Reading POPDIST_*: a program's place among the replicas, and its samples.
 * Read popdist_read() first.
 */
#include "core/job/popdist.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/parse.h"

enum { MANDATORY = -1 }; /* without a default */

/* Read a variable into *value.  If unset: `fallback`, or an error that names
   it, because half an environment is worse than none. */
static int
read_variable(const char *name, int min, int fallback, int *value,
    struct error *e)
{
	const char *text = getenv(name);
	long long number = fallback;

	if (text == NULL && fallback == MANDATORY)
		return error_set(e,
		    "%s is not set, but POPDIST_NUM_TOTAL_REPLICAS is; poprun "
		    "sets both",
		    name);
	if (text != NULL &&
	    parse_number(name, text, min, INT_MAX, &number, e) != 0)
		return -1;
	*value = (int)number;
	return 0;
}

/* Read all variables.  Those that poprun always sets are mandatory; the others
   default to their values without poprun. */
static int
read_variables(struct popdist *p, struct error *e)
{
	int uniform;

	if (read_variable("POPDIST_NUM_TOTAL_REPLICAS", 1, MANDATORY,
		&p->num_total_replicas, e) != 0 ||
	    read_variable("POPDIST_NUM_LOCAL_REPLICAS", 1, MANDATORY,
		&p->num_local_replicas, e) != 0 ||
	    read_variable("POPDIST_REPLICA_INDEX_OFFSET", 0, MANDATORY,
		&p->replica_index_offset, e) != 0 ||
	    read_variable("POPDIST_NUM_IPUS_PER_REPLICA", 1, 1,
		&p->num_ipus_per_replica, e) != 0 ||
	    read_variable("POPDIST_LOCAL_INSTANCE_INDEX", 0, 0,
		&p->local_instance_index, e) != 0 ||
	    read_variable(POPDIST_RESTART_VARIABLE, 0, 0, &p->restart_count,
		e) != 0 ||
	    read_variable("POPDIST_UNIFORM_REPLICAS_PER_INSTANCE", 0, 1,
		&uniform, e) != 0)
		return -1;
	p->uniform = uniform != 0;
	return 0;
}

/* Check that the local replicas are within all: offset + local <= total. */
static int
popdist_check_replicas(const struct popdist *p, struct error *e)
{
	int total = p->num_total_replicas, local = p->num_local_replicas;
	int offset = p->replica_index_offset;

	if (local > total)
		return error_set(e,
		    "POPDIST_NUM_LOCAL_REPLICAS is %d, more than "
		    "POPDIST_NUM_TOTAL_REPLICAS, %d",
		    local, total);
	if (offset > total - local)
		return error_set(e,
		    "POPDIST_REPLICA_INDEX_OFFSET is %d, but %d replicas from "
		    "there on exceed POPDIST_NUM_TOTAL_REPLICAS, %d",
		    offset, local, total);
	return 0;
}

/* Derive the instances, which only equal shares determine: 8 replicas, 2 local
   ones and offset 4 mean 4 instances, and this is number 2. */
static int
derive_instances(struct popdist *p, struct error *e)
{
	int total = p->num_total_replicas, local = p->num_local_replicas;

	if (!p->uniform) {
		p->num_instances = 0;
		p->instance_index = 0;
		return 0;
	}
	if (total % local != 0)
		return error_set(e,
		    "POPDIST_NUM_TOTAL_REPLICAS, %d, is not a multiple of "
		    "POPDIST_NUM_LOCAL_REPLICAS, %d, although "
		    "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE is 1",
		    total, local);
	if (p->replica_index_offset % local != 0)
		return error_set(e,
		    "POPDIST_REPLICA_INDEX_OFFSET, %d, is not a multiple of "
		    "POPDIST_NUM_LOCAL_REPLICAS, %d, although "
		    "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE is 1",
		    p->replica_index_offset, local);
	p->num_instances = total / local;
	p->instance_index = p->replica_index_offset / local;
	if (p->local_instance_index > p->instance_index)
		return error_set(e,
		    "POPDIST_LOCAL_INSTANCE_INDEX is %d, but this is instance "
		    "%d",
		    p->local_instance_index, p->instance_index);
	return 0;
}

int
popdist_read(struct popdist *p, struct error *e)
{
	*p = (struct popdist){ .uniform = true,
		.num_total_replicas = 1,
		.num_local_replicas = 1,
		.num_ipus_per_replica = 1,
		.num_instances = 1 };
	p->is_set = getenv("POPDIST_NUM_TOTAL_REPLICAS") != NULL;
	if (!p->is_set)
		return 0;
	if (read_variables(p, e) != 0 || popdist_check_replicas(p, e) != 0)
		return -1;
	return derive_instances(p, e);
}

int
popdist_place(const struct popdist *p, int *instance, int *instances,
    struct error *e)
{
	static const char rank[] = "OMPI_COMM_WORLD_RANK";
	static const char size[] = "OMPI_COMM_WORLD_SIZE";

	*instance = p->instance_index;
	*instances = p->num_instances;
	if (p->uniform)
		return 0;
	if (getenv(rank) == NULL || getenv(size) == NULL)
		return error_set(e,
		    "the replicas are not spread evenly over the instances, "
		    "but %s, which identifies this instance, is not set",
		    getenv(rank) == NULL ? rank : size);
	if (read_variable(rank, 0, 0, instance, e) != 0 ||
	    read_variable(size, 1, 1, instances, e) != 0)
		return -1;
	if (*instance < *instances)
		return 0;
	return error_set(e, "%s is %d, but there are %d instances", rank,
	    *instance, *instances);
}

int
popdist_time_limit(const char *what, const char *text, int *ms, struct error *e)
{
	double seconds;

	if (parse_real(what, text, 0, INT_MAX / 1000, &seconds, e) != 0)
		return -1;
	/* Every positive time is a limit. */
	*ms = (int)ceil(seconds * 1000);
	return 0;
}

/* Return the first sample of share `index` of `shares`: 10 samples in 4 shares
   start at 0, 3, 6, 8 and end at 10. */
static long long
share_start(long long samples, long long shares, long long index)
{
	long long even = samples / shares, rest = samples % shares;

	return even * index + (index < rest ? index : rest);
}

/* Uneven shares are divided by replicas: an instance with replicas 2 to 4 of 8
   takes from the start of share 2 to the start of share 5. */
void
popdist_shard(const struct popdist *p, long long samples, long long *first,
    long long *end)
{
	long long shares = p->num_instances, from = p->instance_index;
	long long count = 1;

	if (!p->uniform) {
		shares = p->num_total_replicas;
		from = p->replica_index_offset;
		count = p->num_local_replicas;
	}
	*first = share_start(samples, shares, from);
	*end = share_start(samples, shares, from + count);
}
