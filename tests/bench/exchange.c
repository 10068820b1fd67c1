/*
 * How long the engine's replicas take to add a vector up, as poprun started
 * them: exchange FLOATS ROUNDS, one replica an instance.  Instance 0 prints the
 * median and the best in milliseconds.  With "popdist" as a third argument the
 * instances add it up as programs of one's own do.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/base/parse.h"
#include "core/collective/collective.h"
#include "core/job/job.h"
#include "core/process/process.h"

static int
compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The one of both that is open adds up. */
struct way {
	struct collective *engine;
	struct collective_client *program;
};

static int
add_up(const struct way *w, int replica, float *data, size_t floats,
    struct error *e)
{
	return w->engine != NULL ?
	    collective_sum(w->engine, 0, replica, data, e) :
	    collective_client_sum(w->program, "exchange", ELEMENT_FLOAT, data,
		floats, e);
}

static int
measure(const struct way *w, int replica, size_t floats, int rounds,
    struct error *e)
{
	float *data = xcalloc(floats, sizeof(*data));
	int64_t *taken = xcalloc((size_t)rounds, sizeof(*taken)), begin;
	int i, status = 0;

	for (i = 0; i < rounds && status == 0; i++) {
		begin = clock_monotonic_ns();
		status = add_up(w, replica, data, floats, e);
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

/* Join as the engine does. */
static struct collective *
open_engine(const struct popdist *p, size_t floats, struct error *e)
{
	struct collective_config config = {
		.directory = getenv(JOB_DIRECTORY_VARIABLE),
		.total = p->num_total_replicas,
		.first = p->replica_index_offset,
		.local = p->num_local_replicas,
		.part_count = 1,
		.floats = { floats }
	};

	if (collective_choose(getenv(COLLECTIVE_VARIABLE), &config.by, e) != 0)
		return NULL;
	return collective_open(&config, e);
}

/* Join as a program of one's own does, with one replica. */
static struct collective_client *
open_program(const struct popdist *p, struct error *e)
{
	const struct collective_member m = {
		.directory = getenv(JOB_DIRECTORY_VARIABLE),
		.group = "",
		.instance = p->replica_index_offset,
		.member = p->replica_index_offset,
		.members = p->num_total_replicas
	};

	return collective_client_open(&m, e);
}

int
main(int argc, char **argv)
{
	struct popdist p;
	struct error e = { .text = "" };
	struct way w = { NULL, NULL };
	long long floats = 0, rounds = 0;
	int status = 1;

	if (argc < 3 || argc > 4 ||
	    parse_number("FLOATS", argv[1], 1, 1 << 28, &floats, &e) != 0 ||
	    parse_number("ROUNDS", argv[2], 1, 100000, &rounds, &e) != 0 ||
	    popdist_read(&p, &e) != 0) {
		fprintf(stderr,
		    "exchange FLOATS ROUNDS [popdist], below poprun: %s\n",
		    e.text);
		return 1;
	}
	if (argc == 4)
		w.program = open_program(&p, &e);
	else
		w.engine = open_engine(&p, (size_t)floats, &e);
	if (w.program != NULL || w.engine != NULL)
		status = measure(&w, p.replica_index_offset, (size_t)floats,
			     (int)rounds, &e) != 0;
	if (status != 0)
		fprintf(stderr, "exchange: %s\n", e.text);
	collective_close(w.engine, status != 0);
	collective_client_close(w.program, status != 0);
	return status;
}
