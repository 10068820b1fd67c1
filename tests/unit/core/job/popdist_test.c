/*
 * popdist: defaults, the published logs' values, and environments that
 * contradict themselves.
 */
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "tests/unit/tap.h"

enum { VARIABLES = 6 };

static const char *const names[VARIABLES] = { "POPDIST_NUM_TOTAL_REPLICAS",
	"POPDIST_NUM_LOCAL_REPLICAS", "POPDIST_NUM_IPUS_PER_REPLICA",
	"POPDIST_REPLICA_INDEX_OFFSET", "POPDIST_LOCAL_INSTANCE_INDEX",
	"POPDIST_UNIFORM_REPLICAS_PER_INSTANCE" };

static void
set_environment(const char *const values[VARIABLES])
{
	int i;

	for (i = 0; i < VARIABLES; i++) {
		if (values[i] != NULL)
			(void)setenv(names[i], values[i], 1);
		else
			(void)unsetenv(names[i]);
	}
}

struct good_row {
	const char *name;
	const char *values[VARIABLES];
	int wanted[VARIABLES + 2]; /* in the order of names, then instances,
				      instance */
};

static const struct good_row good_rows[] = {
	{ "outside poprun", { NULL }, { 1, 1, 1, 0, 0, 1, 1, 0 } },
	{ "others without the total do not count",
	    { NULL, "4", "4", "4", "4", "0" }, { 1, 1, 1, 0, 0, 1, 1, 0 } },
	{ "published log: 16 replicas, one instance",
	    { "16", "16", "4", "0", "0", "1" }, { 16, 16, 4, 0, 0, 1, 1, 0 } },
	{ "8 replicas, the last of 4 instances",
	    { "8", "2", "2", "6", "3", "1" }, { 8, 2, 2, 6, 3, 1, 4, 3 } },
	{ "second host", { "8", "2", "1", "4", "0", "1" },
	    { 8, 2, 1, 4, 0, 1, 4, 2 } },
	{ "uneven", { "5", "3", "1", "0", "0", "0" },
	    { 5, 3, 1, 0, 0, 0, 0, 0 } },
	{ "only what is needed", { "4", "2", NULL, "2", NULL, NULL },
	    { 4, 2, 1, 2, 0, 1, 2, 1 } },
};

struct bad_row {
	const char *values[VARIABLES];
	const char *text;
};

static const struct bad_row bad_rows[] = {
	{ { "x", "1", "1", "0", "0", "1" },
	    "POPDIST_NUM_TOTAL_REPLICAS 'x': not a whole number" },
	{ { "4", NULL, "1", "0", "0", "1" },
	    "POPDIST_NUM_LOCAL_REPLICAS is not set, but "
	    "POPDIST_NUM_TOTAL_REPLICAS is; poprun sets both" },
	{ { "2", "4", "1", "0", "0", "1" },
	    "POPDIST_NUM_LOCAL_REPLICAS is 4, more than "
	    "POPDIST_NUM_TOTAL_REPLICAS, 2" },
	{ { "4", "2", "1", "4", "0", "1" },
	    "POPDIST_REPLICA_INDEX_OFFSET is 4, but 2 replicas from there on "
	    "exceed POPDIST_NUM_TOTAL_REPLICAS, 4" },
	{ { "4", "2", "1", "1", "0", "1" },
	    "POPDIST_REPLICA_INDEX_OFFSET, 1, is not a multiple of "
	    "POPDIST_NUM_LOCAL_REPLICAS, 2, although "
	    "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE is 1" },
	{ { "5", "2", "1", "0", "0", "1" },
	    "POPDIST_NUM_TOTAL_REPLICAS, 5, is not a multiple of "
	    "POPDIST_NUM_LOCAL_REPLICAS, 2, although "
	    "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE is 1" },
	{ { "4", "2", "1", "2", "3", "1" },
	    "POPDIST_LOCAL_INSTANCE_INDEX is 3, but this is instance 1" },
};

static void
test_good(const struct good_row *row)
{
	struct popdist p;
	struct error e = { .text = "" };
	const int *w = row->wanted;

	set_environment(row->values);
	is_int(popdist_read(&p, &e), 0, row->name);
	is_str(e.text, "", row->name);
	ok(p.is_set == (row->values[0] != NULL), row->name);
	ok(p.num_total_replicas == w[0] && p.num_local_replicas == w[1] &&
		p.num_ipus_per_replica == w[2] &&
		p.replica_index_offset == w[3] &&
		p.local_instance_index == w[4] && p.uniform == w[5] &&
		p.num_instances == w[6] && p.instance_index == w[7],
	    row->name);
}

/* How often the job was started again: only where poprun says it. */
static void
test_restarts(void)
{
	const char *values[6] = { "1", "1", "1", "0", "0", "1" };
	struct popdist p;
	struct error e = { .text = "" };

	set_environment(values);
	is_int(popdist_read(&p, &e), 0, "no number of restarts");
	is_int(p.restart_count, 0, "counts as none");
	(void)setenv(POPDIST_RESTART_VARIABLE, "3", 1);
	is_int(popdist_read(&p, &e), 0, "a number of restarts");
	is_int(p.restart_count, 3, "is taken");
	(void)setenv(POPDIST_RESTART_VARIABLE, "-1", 1);
	is_int(popdist_read(&p, &e), -1, "a negative one is refused");
	values[0] = NULL;
	set_environment(values);
	is_int(popdist_read(&p, &e), 0, "nobody looks without poprun");
	is_int(p.restart_count, 0, "and it is none");
	(void)unsetenv(POPDIST_RESTART_VARIABLE);
}

struct shard_row {
	long long samples;
	int total, local, offset;
	bool uniform;
	long long first, end;
};

static const struct shard_row shard_rows[] = {
	{ 60000, 1, 1, 0, true, 0, 60000 },
	{ 60000, 2, 1, 1, true, 30000, 60000 },
	{ 10, 4, 1, 0, true, 0, 3 },
	{ 10, 4, 1, 1, true, 3, 6 },
	{ 10, 4, 1, 2, true, 6, 8 },
	{ 10, 4, 1, 3, true, 8, 10 },
	{ 10, 4, 2, 2, true, 5, 10 },
	{ 2, 4, 1, 3, true, 2, 2 },
	{ 0, 4, 1, 3, true, 0, 0 },
	{ 10, 5, 3, 0, false, 0, 6 },
	{ 11, 5, 2, 3, false, 7, 11 },
	{ 9223372036854775807LL, 3, 1, 2, true, 6148914691236517205LL,
	    9223372036854775807LL },
};

static void
test_shard(const struct shard_row *row)
{
	long long first, end;
	struct popdist p = { .is_set = true,
		.uniform = row->uniform,
		.num_total_replicas = row->total,
		.num_local_replicas = row->local,
		.replica_index_offset = row->offset };

	if (row->uniform) {
		p.num_instances = row->total / row->local;
		p.instance_index = row->offset / row->local;
	}
	popdist_shard(&p, row->samples, &first, &end);
	is_int(first, row->first, "first sample");
	is_int(end, row->end, "end");
}

int
main(void)
{
	struct popdist p;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good_rows); i++)
		test_good(&good_rows[i]);
	for (i = 0; i < ARRAY_SIZE(bad_rows); i++) {
		set_environment(bad_rows[i].values);
		is_int(popdist_read(&p, &e), -1, "refused");
		is_str(e.text, bad_rows[i].text, "reason");
	}
	for (i = 0; i < ARRAY_SIZE(shard_rows); i++)
		test_shard(&shard_rows[i]);
	test_restarts();
	return tap_done();
}
