/*
 * The pipeline's table: the tutorial's picture, closed forms and orders over
 * a grid of stages and micro-batches, and what PopTorch refuses.
 */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/schedule.h"

static struct schedule
make(enum strategy strategy, int stages, int micro_batches, bool training)
{
	struct schedule_config	c = { strategy, stages, training,
	    micro_batches, NULL };
	struct schedule		s;

	if (schedule_init(&s, &c, NULL) == -1)
		abort();
	return s;
}

/* The grid as text, numbers from 1, as the tutorial prints it. */
static char *
grid(const struct schedule *s)
{
	char	*text = NULL;
	size_t	 size;
	FILE	*f = open_memstream(&text, &size);
	int	 ipu, column, i;

	for (ipu = 0; ipu < s->ipus; ipu++) {
		for (column = 0; column < s->columns; column++) {
			const struct step	*found = NULL;

			for (i = 0; i < s->step_count; i++)
				if (s->steps[i].ipu == ipu &&
				    s->steps[i].column == column)
					found = &s->steps[i];
			if (found == NULL)
				fputs(" .", f);
			else
				fprintf(f, " %c%d", found->kind == STEP_FORWARD
				    ? 'F' : 'B', found->micro_batch + 1);
		}
		fputc('\n', f);
	}
	(void)fclose(f);
	return text;
}

static void
test_pictures(void)
{
	struct schedule	s = make(STRATEGY_PIPELINED, 4, 10, true);
	char		*text = grid(&s);

	is_str(text,
	    " F1 F2 F3 F4 . F5 . F6 . F7 B1 F8 B2 F9 B3 F10 B4 . B5 . B6 . "
	    "B7 B8 B9 B10\n"
	    " . F1 F2 F3 . F4 . F5 B1 F6 B2 F7 B3 F8 B4 F9 B5 F10 B6 . B7 . "
	    "B8 B9 B10 .\n"
	    " . . F1 F2 . F3 B1 F4 B2 F5 B3 F6 B4 F7 B5 F8 B6 F9 B7 F10 B8 . "
	    "B9 B10 . .\n"
	    " . . . F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7 F8 B8 F9 B9 F10 "
	    "B10 . . .\n", "the tutorial's picture: N = 4, G = 10");
	free(text);
	schedule_release(&s);
	s = make(STRATEGY_SHARDED, 2, 2, true);
	text = grid(&s);
	is_str(text, " F1 . . B1 F2 . . B2\n . F1 B1 . . F2 B2 .\n",
	    "sharded: one at a time");
	free(text);
	schedule_release(&s);
	s = make(STRATEGY_PIPELINED, 2, 3, false);
	text = grid(&s);
	is_str(text, " F1 F2 F3 .\n . F1 F2 F3\n", "an inference pipeline");
	free(text);
	schedule_release(&s);
}

/* Column of a step, or -1. Each must stand there once. */
static int
find(const struct schedule *s, int stage, int m, enum step_kind kind)
{
	int	i, column = -1;

	for (i = 0; i < s->step_count; i++) {
		const struct step	*t = &s->steps[i];

		if (t->stage != stage || t->micro_batch != m || t->kind != kind)
			continue;
		if (column != -1)
			return -1;
		column = t->column;
	}
	return column;
}

/* F(m,i) < F(m,i+1), B(m,i+1) < B(m,i), F(m,i) < B(m,i), each once. */
static bool
order_is_right(const struct schedule *s)
{
	const int	n = s->config.stages;
	int		m, i, f, b;

	for (m = 0; m < s->config.micro_batches; m++) {
		for (i = 0; i < n; i++) {
			f = find(s, i, m, STEP_FORWARD);
			b = find(s, i, m, STEP_BACKWARD);
			if (f < 0 || b <= f)
				return false;
			if (i > 0 &&
			    (f <= find(s, i - 1, m, STEP_FORWARD) ||
			    b >= find(s, i - 1, m, STEP_BACKWARD)))
				return false;
			if (m > 0 && (f <= find(s, i, m - 1, STEP_FORWARD) ||
			    b <= find(s, i, m - 1, STEP_BACKWARD)))
				return false;
		}
	}
	return true;
}

static int
busy_columns(const struct schedule *s, int ipu)
{
	int	i, count = 0;

	for (i = 0; i < s->step_count; i++)
		count += s->steps[i].ipu == ipu &&
		    s->steps[i].kind != STEP_UPDATE;
	return count;
}

/* Most micro-batches gone forward and not yet back, on a stage. */
static int
in_flight(const struct schedule *s, int stage)
{
	int	i, now = 0, most = 0;

	for (i = 0; i < s->step_count; i++) {
		if (s->steps[i].stage != stage)
			continue;
		now += s->steps[i].kind == STEP_FORWARD ? 1 : -1;
		if (now > most)
			most = now;
	}
	return most;
}

static bool
is_full(const struct schedule *s, int column)
{
	int	i, count = 0;

	for (i = 0; i < s->step_count; i++)
		count += s->steps[i].column == column;
	return count == s->ipus;
}

/* Every IPU works in the columns of the main cycles, 2 (G - 2N + 2) of them
   after the first 3 (N - 1), and not in those beside them. */
static bool
main_part_is_full(const struct schedule *s)
{
	const int	n = s->config.stages, first = 3 * (n - 1);
	const int	end = first + 2 * (s->config.micro_batches - 2 * n + 2);
	int		i;

	for (i = first; i < end; i++)
		if (!is_full(s, i))
			return false;
	return n == 1 || (!is_full(s, first - 1) && !is_full(s, end));
}

static void
test_closed_forms(int n, int g)
{
	struct schedule	s = make(STRATEGY_PIPELINED, n, g, true);
	char		*name = xasprintf("N = %d, G = %d", n, g);
	int		 i;
	bool		 busy = true, depth = true;

	is_int(s.columns, 2 * (g + n - 1), name);
	is_int(s.step_count, 2 * n * g + n, name);
	ok(order_is_right(&s), name);
	for (i = 0; i < n; i++) {
		int	wanted = schedule_stash_depth(&s.config, i);

		busy = busy && busy_columns(&s, i) == 2 * g;
		depth = depth && in_flight(&s, i) == wanted &&
		    wanted == 2 * (n - 1 - i) + 1;
	}
	ok(busy, name);		/* so utilisation is G / (G + N - 1) */
	ok(depth, name);
	ok(main_part_is_full(&s), name);
	schedule_release(&s);

	s = make(STRATEGY_SHARDED, n, g, true);
	is_int(s.columns, 2 * n * g, name);
	ok(order_is_right(&s), name);
	is_int(in_flight(&s, 0), 1, name);
	schedule_release(&s);

	s = make(STRATEGY_ONE_IPU, n, g, true);
	is_int(s.ipus, 1, name);
	is_int(busy_columns(&s, 0), 2 * n * g, name);
	schedule_release(&s);

	s = make(STRATEGY_PIPELINED, n, g, false);
	is_int(s.columns, g + n - 1, name);
	is_int(s.step_count, n * g, name);
	schedule_release(&s);
	free(name);
}

static void
test_refusals(void)
{
	struct schedule_config	c = { STRATEGY_PIPELINED, 4, true, 6, NULL };
	struct schedule		s;
	struct error		error = { "" };

	is_int(schedule_init(&s, &c, &error), -1, "G = 6 is too small");
	is_str(error.text, "poptorch.Options().Training.gradientAccumulation "
	    "must be greater than or equal to the number of pipeline stages "
	    "(7) when using poptorch.PipelinedExecution. Please note that a "
	    "model with 4 pipeline stages in PopTorch will have an additional "
	    "3 stages when training.", "in PopTorch's words");
	c.strategy = STRATEGY_SHARDED;
	is_int(schedule_init(&s, &c, &error), 0, "not when sharded");
	schedule_release(&s);
	c = (struct schedule_config){ STRATEGY_PIPELINED, 4, false, 3,
	    NULL };
	is_int(schedule_init(&s, &c, &error), -1, "D = 3 is too small");
	is_str(error.text, "poptorch.Options().deviceIterations must be "
	    "greater than or equal to the number of pipeline stages (4) when "
	    "using PopTorch.PipelinedExecution.", "in PopTorch's words");
}

int
main(void)
{
	int	n, more;

	test_pictures();
	for (n = 1; n <= 8; n++)
		for (more = 0; more <= 6; more += 3)
			test_closed_forms(n, 2 * n - 1 + more);
	test_refusals();
	return tap_done();
}
