/*
 * How long the engine's replicas take to add a vector up, as poprun started
 * them: exchange FLOATS ROUNDS, one replica an instance.  Instance 0 prints the
 * median and the best in milliseconds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/collective/collective.h"
#include "core/job/job.h"
#include "core/process/process.h"

static int
compare(const void *a, const void *b)
{
	const int64_t	x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int
measure(struct collective *c, int replica, size_t floats, int rounds,
    struct error *e)
{
	float	*data = xcalloc(floats, sizeof(*data));
	int64_t	*taken = xcalloc((size_t)rounds, sizeof(*taken)), begin;
	int	 i, status = 0;

	for (i = 0; i < rounds && status == 0; i++) {
		begin = clock_monotonic_ns();
		status = collective_sum(c, 0, replica, data, e);
		taken[i] = clock_monotonic_ns() - begin;
	}
	qsort(taken, (size_t)rounds, sizeof(*taken), compare);
	if (status == 0 && replica == 0)
		printf("%zu floats: median %.3f ms, best %.3f ms\n", floats,
		    (double)taken[rounds / 2] / 1e6, (double)taken[0] / 1e6);
	free(data);
	free(taken);
	return status;
}

int
main(int argc, char **argv)
{
	struct popdist			 p;
	struct error			 e = { .text = "" };
	struct collective_config	 config = { .part_count = 1 };
	struct collective		*c = NULL;
	long long			 floats = 0, rounds = 0;
	int				 status = 1;

	if (argc != 3 || parse_number("FLOATS", argv[1], 1, 1 << 28, &floats,
	    &e) != 0 || parse_number("ROUNDS", argv[2], 1, 100000, &rounds,
	    &e) != 0 || popdist_read(&p, &e) != 0) {
		fprintf(stderr, "exchange FLOATS ROUNDS, below poprun: %s\n",
		    e.text);
		return 1;
	}
	config.directory = getenv(JOB_DIRECTORY_VARIABLE);
	config.total = p.num_total_replicas;
	config.first = p.replica_index_offset;
	config.local = p.num_local_replicas;
	config.floats[0] = (size_t)floats;
	if (collective_choose(getenv(COLLECTIVE_VARIABLE), &config.by,
	    &e) == 0 && (c = collective_open(&config, &e)) != NULL)
		status = measure(c, config.first, (size_t)floats, (int)rounds,
		    &e) != 0;
	if (status != 0)
		fprintf(stderr, "exchange: %s\n", e.text);
	collective_close(c, status != 0);
	return status;
}
