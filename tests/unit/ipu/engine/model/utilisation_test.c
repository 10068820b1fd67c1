/* How busy IPUs were: made-up traces, whose utilisation is known. */
#include "ipu/engine/model/utilisation.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/engine/schedule_view.h"
#include "tests/unit/tap.h"

enum { COLUMN_NS = 1000, ITERATIONS = 2 };

/*
 * A trace where columns of `width_ns` follow one another and a step of IPU i
 * takes take_ns[i], a tenth of a backward being recomputation.
 */
static void
make_traces(struct trace *traces, const struct schedule *s,
    const int *take_ns, int width_ns)
{
	struct trace_event	*e;
	int			 d, i, ipu;

	for (ipu = 0; ipu < s->ipus; ipu++)
		traces[ipu] = (struct trace){ .events = xcalloc(
		    (size_t)s->step_count * ITERATIONS * 2, sizeof(*e)) };
	for (d = 0; d < ITERATIONS; d++) {
		for (i = 0; i < s->step_count; i++) {
			const struct step	*t = &s->steps[i];
			struct trace		*trace = &traces[t->ipu];
			const int64_t		 start = ((int64_t)d *
			    (s->columns + 1) + t->column) * width_ns;
			const int		 ns = take_ns[t->ipu];

			e = &trace->events[trace->count++];
			*e = (struct trace_event){ .kind = TRACE_FORWARD,
			    .ipu = t->ipu, .step = *t, .iteration = d,
			    .start_ns = start, .end_ns = start + ns };
			if (t->kind == STEP_UPDATE)
				e->kind = TRACE_UPDATE;
			if (t->kind != STEP_BACKWARD)
				continue;
			e->kind = TRACE_RECOMPUTE;
			e->end_ns = start + ns / 10;
			e[1] = e[0];
			e[1].kind = TRACE_BACKWARD;
			e[1].start_ns = e->end_ns;
			e[1].end_ns = start + ns;
			trace->count++;
		}
	}
}

static struct utilisation
measure(const struct schedule_config *c, const int *take_ns, int width_ns)
{
	struct trace		 traces[SCHEDULE_IPUS_MAX];
	const struct trace	*pointers[SCHEDULE_IPUS_MAX];
	struct schedule		 s;
	struct utilisation	 u;
	int			 ipu;

	if (schedule_init(&s, c, NULL) == -1)
		abort();
	make_traces(traces, &s, take_ns, width_ns);
	for (ipu = 0; ipu < s.ipus; ipu++)
		pointers[ipu] = &traces[ipu];
	u = utilisation_measure(&s, pointers, ITERATIONS);
	for (ipu = 0; ipu < s.ipus; ipu++)
		free(traces[ipu].events);
	schedule_release(&s);
	return u;
}

/* Balanced stages: the closed form, by columns and by the host's clock. */
static void
test_balanced(void)
{
	static const enum strategy	strategies[] = { STRATEGY_PIPELINED,
	    STRATEGY_INTERLEAVED, STRATEGY_SHARDED, STRATEGY_ONE_IPU };
	int	take_ns[SCHEDULE_STAGES_MAX];
	size_t	i;
	int	n, training;
	char	name[64];

	for (i = 0; i < SCHEDULE_STAGES_MAX; i++)
		take_ns[i] = COLUMN_NS;
	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		for (n = 1; n <= 8; n++) {
			for (training = 0; training < 2; training++) {
				struct schedule_config	c = { strategies[i], n,
				    training, 2 * n + 3, NULL };
				struct utilisation	u = measure(&c,
				    take_ns, COLUMN_NS);
				const double		wanted =
				    schedule_view_forms(&c).utilisation;

				(void)snprintf(name, sizeof(name),
				    "strategy %d, N = %d", (int)i, n);
				is_near(u.columns, wanted, 1e-12, name);
				is_near(u.host, wanted, 1e-12, name);
				is_int(u.busy_ns, (long long)ITERATIONS *
				    COLUMN_NS * n * c.micro_batches *
				    (training ? 2 : 1), name);
			}
		}
	}
}

/*
 * N = 2, G = 3; a step takes IPU 0 100 ns, IPU 1 200.
 *
 *	IPU0 F1  F2   .  F3  B1   .  B2  B3
 *	IPU1  .  F1  B1  F2  B2  F3  B3   .
 *	     100 200 200 200 200 200 200 100	1400 in all
 *	busy 100 300 200 300 300 200 300 100	1800
 */
static void
test_unbalanced(void)
{
	static const int		take_ns[] = { 100, 200 };
	static const int		apart[] = { 0, 2 };
	struct schedule_config		c = { STRATEGY_PIPELINED, 2, true, 3,
	    NULL };
	const int			with_gap[] = { 100, 0, 200 };
	struct utilisation		u = measure(&c, take_ns, COLUMN_NS);

	is_near(u.columns, 1800.0 / (2 * 1400), 1e-12, "by columns");
	is_near(u.host, 1800.0 / (2 * 7100), 1e-12, "by the clock");
	c.stage_ipu = apart;
	u = measure(&c, with_gap, COLUMN_NS);
	is_near(u.columns, 1800.0 / (2 * 1400), 1e-12,
	    "an IPU without a stage is left out");
}

static void
test_nothing(void)
{
	struct schedule_config	 c = { STRATEGY_SHARDED, 1, true, 1, NULL };
	struct trace		 none = { 0 };
	const struct trace	*traces[] = { &none };
	struct schedule		 s;
	struct utilisation	 u;

	(void)schedule_init(&s, &c, NULL);
	u = utilisation_measure(&s, traces, 1);
	ok(u.columns == 0 && u.host == 0 && u.busy_ns == 0, "no events: none");
	schedule_release(&s);
}

int
main(void)
{
	test_balanced();
	test_unbalanced();
	test_nothing();
	return tap_done();
}
