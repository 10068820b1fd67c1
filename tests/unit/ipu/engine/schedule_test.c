/*
 * The pipeline's table: the tutorial's picture, closed forms and orders over
 * a grid of stages and micro-batches, and what PopTorch refuses.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"

/*
 * Closed forms, for stages that take equally long and have one IPU each: what
 * the table comes to.  A cycle of the pipeline has a forward and a backward
 * column; elsewhere it is a column.
 */
struct schedule_forms {
	int cycles; /* pipelined: G + 2N - 2, inference G + N - 1 */
	int columns;
	double utilisation; /* G / (G + N - 1); sharded 1 / N */
	double bubble;	    /* 1 - utilisation */
	double speed_up;    /* over sharded: N G / (G + N - 1) */
};

/*
 * Each micro-batch enters one column behind the one before, and the last needs
 * N columns for its N stages: G + N - 1 columns in each direction, in G of
 * which a given stage works.
 *
 *	N = 4, G = 8: 2 x 11 columns, utilisation 8/11 = 72.7 %, and 2.9 times
 *	as fast as sharded, where one of the four works at a time
 *
 * Source: Huang et al., GPipe, 2019, whose bubble is (N - 1) / (G + N - 1).
 */
static struct schedule_forms
closed_forms(const struct schedule_config *c)
{
	const int halves = c->training ? 2 : 1;
	const int n = c->stages, g = c->micro_batches;
	struct schedule_forms f = { 0 };

	switch (c->strategy) {
	case STRATEGY_PIPELINED:
	case STRATEGY_INTERLEAVED:
		f.columns = halves * (g + n - 1);
		f.utilisation = (double)g / (g + n - 1);
		f.speed_up = n * f.utilisation;
		break;
	case STRATEGY_SHARDED:
		f.columns = halves * n * g;
		f.utilisation = 1.0 / n;
		f.speed_up = 1;
		break;
	case STRATEGY_ONE_IPU:
		f.columns = halves * n * g;
		f.utilisation = 1;
		f.speed_up = 1;
	}
	f.cycles = f.columns;
	if (c->training && c->strategy == STRATEGY_PIPELINED)
		f.cycles = g + 2 * n - 2;
	f.bubble = 1 - f.utilisation;
	return f;
}

static struct schedule
place(enum strategy strategy, int stages, int micro_batches, bool training,
    const int *stage_ipu)
{
	struct schedule_config c = { strategy, stages, training, micro_batches,
		stage_ipu };
	struct schedule s;

	if (schedule_init(&s, &c, NULL) == -1)
		abort();
	return s;
}

static struct schedule
make(enum strategy strategy, int stages, int micro_batches, bool training)
{
	return place(strategy, stages, micro_batches, training, NULL);
}

static void
is_picture(struct schedule s, const char *wanted, const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	schedule_view_print(&s, f, 0);
	(void)fclose(f);
	is_str(text, wanted, name);
	free(text);
	schedule_release(&s);
}

/* On a screen: parts of as many columns as fit. */
static void
test_screen(void)
{
	struct schedule s = make(STRATEGY_PIPELINED, 2, 3, true);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	schedule_view_print(&s, f, 24);
	(void)fclose(f);
	is_str(text,
	    "col   1   2   3   4   5\n"
	    "IPU0 F1  F2   .  F3  B1\n"
	    "IPU1  .  F1  B1  F2  B2\n"
	    "\n"
	    "col   6   7   8\n"
	    "IPU0  .  B2  B3\n"
	    "IPU1 F3  B3   .\n",
	    "in parts of five columns");
	free(text);
	schedule_release(&s);
}

static void
test_pictures(void)
{
	static const int apart[] = { 0, 1, 0 };
	static const int pairs[] = { 0, 0, 1, 1 };
	static const int gap[] = { 0, 2 };

	/* The reference has this one, character by character. */
	is_picture(make(STRATEGY_PIPELINED, 4, 10, true),
	    "col   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  "
	    "16  17  18  19  20  21  22  23  24  25  26\n"
	    "IPU0 F1  F2  F3  F4   .  F5   .  F6   .  F7  B1  F8  B2  F9  B3  "
	    "F10 B4   .  B5   .  B6   .  B7  B8  B9  B10\n"
	    "IPU1  .  F1  F2  F3   .  F4   .  F5  B1  F6  B2  F7  B3  F8  B4  "
	    "F9  B5  F10 B6   .  B7   .  B8  B9  B10  .\n"
	    "IPU2  .   .  F1  F2   .  F3  B1  F4  B2  F5  B3  F6  B4  F7  B5  "
	    "F8  B6  F9  B7  F10 B8   .  B9  B10  .   .\n"
	    "IPU3  .   .   .  F1  B1  F2  B2  F3  B3  F4  B4  F5  B5  F6  B6  "
	    "F7  B7  F8  B8  F9  B9  F10 B10  .   .   .\n",
	    "the tutorial's picture: N = 4, G = 10");
	is_picture(make(STRATEGY_INTERLEAVED, 4, 7, true),
	    "col   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  "
	    "16  17  18  19  20\n"
	    "IPU0 F1   .  F2   .  F3   .  F4  B1  F5  B2  F6  B3  F7  B4   .  "
	    "B5   .  B6   .  B7\n"
	    "IPU1  .  F1   .  F2   .  F3  B1  F4  B2  F5  B3  F6  B4  F7  B5   "
	    ".  B6   .  B7   .\n"
	    "IPU2  .   .  F1   .  F2  B1  F3  B2  F4  B3  F5  B4  F6  B5  F7  "
	    "B6   .  B7   .   .\n"
	    "IPU3  .   .   .  F1  B1  F2  B2  F3  B3  F4  B4  F5  B5  F6  B6  "
	    "F7  B7   .   .   .\n",
	    "interleaved");
	is_picture(make(STRATEGY_SHARDED, 2, 2, true),
	    "col   1   2   3   4   5   6   7   8\n"
	    "IPU0 F1   .   .  B1  F2   .   .  B2\n"
	    "IPU1  .  F1  B1   .   .  F2  B2   .\n",
	    "sharded: one at a time");
	is_picture(make(STRATEGY_ONE_IPU, 2, 2, true),
	    "col    1    2    3    4    5    6    7    8\n"
	    "IPU0 F1.0 F1.1 B1.1 B1.0 F2.0 F2.1 B2.1 B2.0\n",
	    "one IPU");
	is_picture(make(STRATEGY_PIPELINED, 2, 3, false),
	    "col   1   2   3   4\n"
	    "IPU0 F1  F2  F3   .\n"
	    "IPU1  .  F1  F2  F3\n",
	    "an inference pipeline");
	is_picture(make(STRATEGY_INTERLEAVED, 2, 3, false),
	    "col   1   2   3   4\n"
	    "IPU0 F1  F2  F3   .\n"
	    "IPU1  .  F1  F2  F3\n",
	    "and interleaved: the same");
	is_picture(place(STRATEGY_PIPELINED, 3, 5, true, apart),
	    "col    1    2    3    4    5    6    7    8    9   10   11   12   "
	    "13   14   15   16   17   18   19   20\n"
	    "IPU0 F1.0 F2.0 F3.0 F1.2 B1.2 F4.0 F2.2 B2.2 F5.0 F3.2 B3.2 B1.0 "
	    "F4.2 B4.2 B2.0 F5.2 B5.2 B3.0 B4.0 B5.0\n"
	    "IPU1   .  F1.1 F2.1   .    .  F3.1   .  B1.1 F4.1   .  B2.1   .  "
	    "F5.1 B3.1   .    .  B4.1   .  B5.1   .\n",
	    "stages 0 and 2 on one IPU take turns");
	is_picture(place(STRATEGY_PIPELINED, 4, 4, false, pairs),
	    "col    1    2    3    4    5    6    7    8    9   10   11   12\n"
	    "IPU0 F1.0 F2.0 F1.1 F3.0 F2.1 F4.0 F3.1 F4.1   .    .    .    .\n"
	    "IPU1   .    .    .  F1.2   .  F2.2 F1.3 F3.2 F2.3 F4.2 F3.3 "
	    "F4.3\n",
	    "two pairs");
	is_picture(place(STRATEGY_SHARDED, 2, 1, true, gap),
	    "col   1   2   3   4\n"
	    "IPU0 F1   .   .  B1\n"
	    "IPU1  .   .   .   .\n"
	    "IPU2  .  F1  B1   .\n",
	    "an IPU without a stage");
}

/* Column of a step, or -1. Each must stand there once. */
static int
find(const struct schedule *s, int stage, int m, enum step_kind kind)
{
	int i, column = -1;

	for (i = 0; i < s->step_count; i++) {
		const struct step *t = &s->steps[i];

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
	const int n = s->config.stages;
	int m, i, f, b;

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
			if (m > 0 &&
			    (f <= find(s, i, m - 1, STEP_FORWARD) ||
				b <= find(s, i, m - 1, STEP_BACKWARD)))
				return false;
		}
	}
	return true;
}

static int
busy_columns(const struct schedule *s, int ipu)
{
	int i, count = 0;

	for (i = 0; i < s->step_count; i++)
		count += s->steps[i].ipu == ipu &&
		    s->steps[i].kind != STEP_UPDATE;
	return count;
}

/* Most micro-batches gone forward and not yet back, on a stage. */
static int
in_flight(const struct schedule *s, int stage)
{
	int i, now = 0, most = 0;

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
	int i, count = 0;

	for (i = 0; i < s->step_count; i++)
		count += s->steps[i].column == column;
	return count == s->ipus;
}

/* Every IPU works in the columns of the main cycles, 2 (G - 2N + 2) of them
   after the first 3 (N - 1), and not in those beside them. */
static bool
main_part_is_full(const struct schedule *s)
{
	const int n = s->config.stages, first = 3 * (n - 1);
	const int end = first + 2 * (s->config.micro_batches - 2 * n + 2);
	int i;

	for (i = first; i < end; i++)
		if (!is_full(s, i))
			return false;
	return n == 1 || (!is_full(s, first - 1) && !is_full(s, end));
}

/* The closed forms are those of the table. */
static void
agrees(const struct schedule *s, const char *name)
{
	const struct schedule_forms f = closed_forms(&s->config);
	int ipu;
	bool same = true;

	is_int(f.columns, s->columns, name);
	for (ipu = -1; ipu < s->ipus; ipu++)
		same = same &&
		    fabs(schedule_view_utilisation(s, ipu) - f.utilisation) <
			1e-12;
	ok(same, name);
}

static void
test_closed_forms(int n, int g)
{
	struct schedule s = make(STRATEGY_PIPELINED, n, g, true);
	struct schedule_forms f;
	char *name = xasprintf("N = %d, G = %d", n, g);
	int i;
	bool busy = true, depth = true;

	f = closed_forms(&s.config);
	is_int(s.columns, 2 * (g + n - 1), name);
	is_int(f.cycles, g + 2 * n - 2, name);
	is_near(f.bubble, (n - 1.0) / (g + n - 1), 1e-12, name);
	is_near(f.speed_up, (double)n * g / (g + n - 1), 1e-12, name);
	agrees(&s, name);
	is_int(s.step_count, 2 * n * g + n, name);
	ok(order_is_right(&s), name);
	for (i = 0; i < n; i++) {
		int wanted = schedule_stash_depth(&s.config, i);

		busy = busy && busy_columns(&s, i) == 2 * g;
		depth = depth && in_flight(&s, i) == wanted &&
		    wanted == 2 * (n - 1 - i) + 1;
	}
	ok(busy, name); /* so utilisation is G / (G + N - 1) */
	ok(depth, name);
	ok(main_part_is_full(&s), name);
	schedule_release(&s);

	s = make(STRATEGY_INTERLEAVED, n, g, true);
	agrees(&s, name);
	is_int(s.columns, 2 * g + 2 * n - 2, name);
	ok(order_is_right(&s), name);
	for (depth = true, i = 0; i < n; i++)
		depth = depth && in_flight(&s, i) == n - i &&
		    schedule_stash_depth(&s.config, i) == n - i;
	ok(depth, name);
	schedule_release(&s);

	s = make(STRATEGY_SHARDED, n, g, true);
	agrees(&s, name);
	is_int(s.columns, 2 * n * g, name);
	ok(order_is_right(&s), name);
	is_int(in_flight(&s, 0), 1, name);
	schedule_release(&s);

	s = make(STRATEGY_ONE_IPU, n, g, true);
	agrees(&s, name);
	is_int(s.ipus, 1, name);
	is_int(busy_columns(&s, 0), 2 * n * g, name);
	schedule_release(&s);

	s = make(STRATEGY_PIPELINED, n, g, false);
	agrees(&s, name);
	is_int(s.columns, g + n - 1, name);
	is_int(s.step_count, n * g, name);
	schedule_release(&s);
	free(name);
}

static void
test_refusals(void)
{
	struct schedule_config c = { STRATEGY_PIPELINED, 4, true, 6, NULL };
	struct schedule s;
	struct error error = { .text = "" };

	is_int(schedule_init(&s, &c, &error), -1, "G = 6 is too small");
	is_str(error.text,
	    "poptorch.Options().Training.gradientAccumulation must be greater "
	    "than or equal to the number of pipeline stages (7) when using "
	    "poptorch.PipelinedExecution. Please note that a model with 4 "
	    "pipeline stages in PopTorch will have an additional 3 stages when "
	    "training.",
	    "in PopTorch's words");
	c.strategy = STRATEGY_INTERLEAVED;
	is_int(schedule_init(&s, &c, NULL), -1, "nor for the interleaved one");
	c.strategy = STRATEGY_SHARDED;
	is_int(schedule_init(&s, &c, &error), 0, "not when sharded");
	schedule_release(&s);
	c = (struct schedule_config){ STRATEGY_PIPELINED, 4, false, 3, NULL };
	is_int(schedule_init(&s, &c, &error), -1, "D = 3 is too small");
	is_str(error.text,
	    "poptorch.Options().deviceIterations must be greater than or equal "
	    "to the number of pipeline stages (4) when using "
	    "PopTorch.PipelinedExecution.",
	    "in PopTorch's words");
}

int
main(void)
{
	int n, more;

	test_pictures();
	test_screen();
	for (n = 1; n <= 8; n++)
		for (more = 0; more <= 6; more += 3)
			test_closed_forms(n, 2 * n - 1 + more);
	test_refusals();
	return tap_done();
}
