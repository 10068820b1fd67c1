/*
 * The table of a schedule: every step gets a time by a formula, times become
 * columns, and updates come last.  schedule.h has a picture.  Interleaved, a
 * forward waits for the backward before it:
 *
 *	IPU 0   F0   .  F1  B0  F2  B1   .  B2   U
 *	IPU 1    .  F0  B0  F1  B1  F2  B2   .   U
 *
 * If several stages share an IPU, steps of equal time get separate columns, one
 * after the other; empty columns are left out.
 *
 * Sources: PopART's implicit pipelining and TensorFlow's PipelineSchedule
 * (Grouped, Interleaved, Sequential); PopTorch user guide, execution
 * strategies.
 */
#include "ipu/engine/schedule.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/alloc.h"

/* With one IPU it has all stages; else the configuration places stage s, by
   default on IPU s. */
int
schedule_ipu(const struct schedule_config *c, int stage)
{
	if (c->strategy == STRATEGY_ONE_IPU)
		return 0;
	return c->stage_ipu == NULL ? stage : c->stage_ipu[stage];
}

/*
 * Pipelined, stage s runs forward of micro-batch m in cycle m + s and backward
 * in cycle m + 2N - 2 - s: it keeps a micro-batch for the 2 (N - 1 - s) cycles
 * between, and the one in progress.  With N = 4: 7, 5, 3, 1.  Interleaved,
 * backward comes 2 (N - s) - 1 columns later and every second column starts
 * one: N - s of them, 4, 3, 2, 1.
 */
int
schedule_stash_depth(const struct schedule_config *c, int stage)
{
	if (c->training && c->strategy == STRATEGY_PIPELINED)
		return 2 * (c->stages - 1 - stage) + 1;
	if (c->training && c->strategy == STRATEGY_INTERLEAVED)
		return c->stages - stage;
	return 1;
}

/* Whether several stages work in parallel. */
static bool
is_pipeline(const struct schedule_config *c)
{
	return c->strategy == STRATEGY_PIPELINED ||
	    c->strategy == STRATEGY_INTERLEAVED;
}

/*
 * Return the time of a step; times have gaps.  The inputs of a step always have
 * an earlier time, and so has the release of the buffer that it fills (engine.c
 * has the sizes).  Hence the earliest step that has not run can always run: no
 * deadlock, whatever stages share an IPU.
 *
 *  pipelined	cycle c runs forward of stage s on micro-batch c - s, and
 *		backward on c - (2N - 2 - s); forward before backward
 *  interleaved	a micro-batch follows another by two columns
 *  one at a time	F0 .. F(N-1), B(N-1) .. B0, next micro-batch
 *
 * A worked example, pipelined, N = 2, micro-batch 1.  A cycle has an even time
 * for forwards and the following odd one for backwards:
 *
 *	F of stage 0: 2 (1 + 0) = 2	F of stage 1: 2 (1 + 1) = 4
 *	B of stage 1: place 2, 2 (1 + 1) + 1 = 5
 *	B of stage 0: place 3, 2 (1 + 2) + 1 = 7
 *
 * This is the table in schedule.h: F1 in columns 1 and 3, B1 in 4 and 6, as
 * unused times such as 1 have no column.
 */
static int
schedule_time_of(const struct schedule_config *c, const struct step *t)
{
	const int n = c->stages, m = t->micro_batch;
	const bool forward = t->kind == STEP_FORWARD;
	const int place = forward ? t->stage : 2 * n - 1 - t->stage;

	if (!is_pipeline(c))
		return 2 * n * m + place;
	if (c->strategy == STRATEGY_INTERLEAVED && c->training)
		return 2 * m + place;
	return forward ? 2 * (m + place) : 2 * (m + place - 1) + 1;
}

/* Compare for qsort(3): by column, then IPU; steps with both equal in the order
   in which they run. */
static int
by_column(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	if (a->column != b->column)
		return a->column - b->column;
	if (a->ipu != b->ipu)
		return a->ipu - b->ipu;
	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	/* The pipeline's order; backward runs from the last stage. */
	return a->kind == STEP_FORWARD ?
	    a->stage - b->stage :
	    b->stage - a->stage;
}

/* Add all steps except updates, at their times. */
static void
add_steps(struct schedule *s)
{
	const struct schedule_config *c = &s->config;
	const int kinds = c->training ? 2 : 1;
	int m, stage, kind;

	for (m = 0; m < c->micro_batches; m++) {
		for (stage = 0; stage < c->stages; stage++) {
			for (kind = 0; kind < kinds; kind++) {
				struct step *t = &s->steps[s->step_count++];

				*t = (struct step){ .ipu = schedule_ipu(c,
							stage),
					.stage = stage,
					.micro_batch = m,
					.kind = kind == 0 ? STEP_FORWARD :
							    STEP_BACKWARD };
				t->column = schedule_time_of(c, t);
			}
		}
	}
}

/*
 * Turn times into columns: steps of one time share a column, or use as many as
 * an IPU has steps then.  The steps come by time, then IPU.
 *
 * Three stages on one IPU with time 6 get three columns, and all later times
 * move up by two:
 *
 *	time	4   6           8
 *	IPU 0	F   F   F   F   F
 *	column	2   3   4   5   6
 */
static void
number_columns(struct schedule *s)
{
	int i, first = 0, base = 0, width = 0, used = 0, time = 0;

	for (i = 0; i < s->step_count; i++) {
		struct step *t = &s->steps[i];

		if (i == 0 || t->column != time) {
			time = t->column;
			base += width;
			width = used = 0;
			first = i;
		}
		used = i > first && s->steps[i - 1].ipu == t->ipu ?
		    used + 1 :
		    1;
		if (used > width)
			width = used;
		t->column = base + used - 1;
	}
	s->columns = base + width;
}

/* Apply PopTorch's rule.  Training counts 2N - 1 stages: each backward is a
   separate stage, except that the last one shares its forward's. */
static int
schedule_check(const struct schedule_config *c, struct error *e)
{
	const int n = c->stages;

	if (!is_pipeline(c))
		return 0;
	if (c->training && c->micro_batches < 2 * n - 1)
		return error_set(e,
		    "poptorch.Options().Training.gradientAccumulation must be "
		    "greater than or equal to the number of pipeline stages "
		    "(%d) when using poptorch.PipelinedExecution. Please note "
		    "that a model with %d pipeline stages in PopTorch will "
		    "have an additional %d stages when training.",
		    2 * n - 1, n, n - 1);
	if (!c->training && c->micro_batches < n)
		return error_set(e,
		    "poptorch.Options().deviceIterations must be greater than "
		    "or equal to the number of pipeline stages (%d) when using "
		    "PopTorch.PipelinedExecution.",
		    n);
	return 0;
}

/* Sorts the steps twice: by time, to number the columns, and by column, as one
   time may have become several.  Updates come last. */
int
schedule_init(struct schedule *s, const struct schedule_config *config,
    struct error *e)
{
	size_t most;
	int ipu, stage;

	assert(config->stages > 0 && config->stages <= SCHEDULE_STAGES_MAX &&
	    config->micro_batches > 0);
	*s = (struct schedule){ .config = *config };
	if (schedule_check(config, e) != 0)
		return -1;
	for (stage = 0; stage < config->stages; stage++) {
		ipu = schedule_ipu(config, stage);
		assert(ipu >= 0 && ipu < SCHEDULE_IPUS_MAX);
		if (ipu >= s->ipus)
			s->ipus = ipu + 1;
	}
	most = (size_t)config->stages * (size_t)config->micro_batches * 2 +
	    (size_t)s->ipus;
	s->steps = xreallocarray(NULL, most, sizeof(*s->steps));
	add_steps(s);
	qsort(s->steps, (size_t)s->step_count, sizeof(*s->steps), by_column);
	number_columns(s);
	qsort(s->steps, (size_t)s->step_count, sizeof(*s->steps), by_column);
	for (ipu = 0; config->training && ipu < s->ipus; ipu++)
		s->steps[s->step_count++] = (struct step){ s->columns, ipu, -1,
			-1, STEP_UPDATE };
	return 0;
}

void
schedule_release(struct schedule *s)
{
	free(s->steps);
	s->steps = NULL;
	s->step_count = 0;
}
