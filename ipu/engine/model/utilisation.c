/*
 * Utilisation as it was measured: the executor's trace, added up.
 */
#include "ipu/engine/model/utilisation.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/base/alloc.h"

/* Computing a stage; updates, exchange and waiting are not. */
static bool
is_work(const struct trace_event *e)
{
	return e->kind == TRACE_FORWARD || e->kind == TRACE_RECOMPUTE ||
	    e->kind == TRACE_BACKWARD;
}

/*
 * One iteration: what its slowest IPU takes in each column, summed over the
 * columns.  `column_ns` has one number per column.
 */
static int64_t
columns_time(const struct schedule *s, const struct trace *const *traces,
    int iteration, int64_t *column_ns)
{
	int64_t	sum = 0, here;
	int	c, i, ipu;

	for (c = 0; c < s->columns; c++)
		column_ns[c] = 0;
	for (ipu = 0; ipu < s->ipus; ipu++) {
		/* An IPU's events come by column; recomputation has a
		   backward's. */
		for (here = 0, i = 0; i < traces[ipu]->count; i++) {
			const struct trace_event *e = &traces[ipu]->events[i];

			if (!is_work(e) || e->iteration != iteration)
				continue;
			here += e->end_ns - e->start_ns;
			if (e->kind == TRACE_RECOMPUTE)
				continue;
			if (here > column_ns[e->step.column])
				column_ns[e->step.column] = here;
			here = 0;
		}
	}
	for (c = 0; c < s->columns; c++)
		sum += column_ns[c];
	return sum;
}

/* From the iteration's first step to its last; its work is added. */
static int64_t
span_of(const struct schedule *s, const struct trace *const *traces,
    int iteration, int64_t *busy_ns)
{
	int64_t	first = INT64_MAX, last = INT64_MIN;
	int	i, ipu;

	for (ipu = 0; ipu < s->ipus; ipu++) {
		for (i = 0; i < traces[ipu]->count; i++) {
			const struct trace_event *e = &traces[ipu]->events[i];

			if (!is_work(e) || e->iteration != iteration)
				continue;
			*busy_ns += e->end_ns - e->start_ns;
			if (e->start_ns < first)
				first = e->start_ns;
			if (e->end_ns > last)
				last = e->end_ns;
		}
	}
	return last < first ? 0 : last - first;
}

/* An IPU without a stage is idle by plan and does not count. */
static int
ipus_with_stages(const struct schedule *s)
{
	bool	used[SCHEDULE_IPUS_MAX] = { false };
	int	stage, ipu, count = 0;

	for (stage = 0; stage < s->config.stages; stage++) {
		ipu = schedule_ipu(&s->config, stage);
		count += !used[ipu];
		used[ipu] = true;
	}
	return count;
}

/*
 * Work over room: that of the columns, and that of the clock.  Two IPUs with 3
 * and 1 ms of work in a column of 3 ms: 4 / (2 x 3) = 67 %.
 */
struct utilisation
utilisation_measure(const struct schedule *s, const struct trace *const *traces,
    int iterations)
{
	const double		 ipus = ipus_with_stages(s);
	int64_t			*column_ns = xcalloc((size_t)s->columns,
	    sizeof(*column_ns));
	struct utilisation	 u = { 0 };
	int64_t			 columns = 0, host = 0;
	int			 d;

	for (d = 0; d < iterations; d++) {
		columns += columns_time(s, traces, d, column_ns);
		host += span_of(s, traces, d, &u.busy_ns);
	}
	free(column_ns);
	if (columns > 0)
		u.columns = (double)u.busy_ns / (ipus * (double)columns);
	if (host > 0)
		u.host = (double)u.busy_ns / (ipus * (double)host);
	return u;
}
