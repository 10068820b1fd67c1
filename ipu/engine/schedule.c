#include "ipu/engine/schedule.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/alloc.h"

int
schedule_ipu(const struct schedule_config *c, int stage)
{
	return c->strategy == STRATEGY_ONE_IPU ? 0 : stage;
}

int
schedule_stash_depth(const struct schedule_config *c, int stage)
{
	if (!c->training || c->strategy != STRATEGY_PIPELINED)
		return 1;
	return 2 * (c->stages - 1 - stage) + 1;
}

static void
add(struct schedule *s, int stage, int micro_batch, enum step_kind kind)
{
	s->steps[s->step_count++] = (struct step){
		.column = s->columns,
		.ipu = schedule_ipu(&s->config, stage),
		.stage = stage,
		.micro_batch = micro_batch,
		.kind = kind
	};
}

/*
 * A column of cycle `cycle`, if any stage takes part: forward stage s is
 * pipeline stage s, backward stage s is pipeline stage 2N - 2 - s.
 */
static void
add_column(struct schedule *s, int cycle, enum step_kind kind)
{
	const int	n = s->config.stages;
	const int	before = s->step_count;
	int		stage, place, m;

	for (stage = 0; stage < n; stage++) {
		place = kind == STEP_FORWARD ? stage : 2 * n - 2 - stage;
		m = cycle - place;
		if (m >= 0 && m < s->config.micro_batches)
			add(s, stage, m, kind);
	}
	if (s->step_count > before)
		s->columns++;
}

static void
fill_pipelined(struct schedule *s)
{
	const int	last = s->config.micro_batches +
	    2 * s->config.stages - 2;
	int		cycle;

	for (cycle = 0; cycle < last; cycle++) {
		add_column(s, cycle, STEP_FORWARD);
		if (s->config.training)
			add_column(s, cycle, STEP_BACKWARD);
	}
}

/* One stage at a time: F0 .. F(N-1), B(N-1) .. B0, next micro-batch. */
static void
fill_sequential(struct schedule *s)
{
	int	m, stage;

	for (m = 0; m < s->config.micro_batches; m++) {
		for (stage = 0; stage < s->config.stages; stage++) {
			add(s, stage, m, STEP_FORWARD);
			s->columns++;
		}
		for (stage = s->config.stages - 1;
		    s->config.training && stage >= 0; stage--) {
			add(s, stage, m, STEP_BACKWARD);
			s->columns++;
		}
	}
}

static int
check(const struct schedule_config *c, struct error *e)
{
	const int	n = c->stages;

	if (c->strategy != STRATEGY_PIPELINED)
		return 0;
	if (c->training && c->micro_batches < 2 * n - 1)
		return error_set(e, "poptorch.Options().Training."
		    "gradientAccumulation must be greater than or equal to "
		    "the number of pipeline stages (%d) when using "
		    "poptorch.PipelinedExecution. Please note that a model "
		    "with %d pipeline stages in PopTorch will have an "
		    "additional %d stages when training.", 2 * n - 1, n,
		    n - 1);
	if (!c->training && c->micro_batches < n)
		return error_set(e, "poptorch.Options().deviceIterations must "
		    "be greater than or equal to the number of pipeline "
		    "stages (%d) when using PopTorch.PipelinedExecution.", n);
	return 0;
}

int
schedule_init(struct schedule *s, const struct schedule_config *config,
    struct error *e)
{
	size_t	most;
	int	ipu;

	assert(config->stages > 0 && config->stages <= SCHEDULE_STAGES_MAX &&
	    config->micro_batches > 0);
	*s = (struct schedule){ .config = *config };
	if (check(config, e) == -1)
		return -1;
	s->ipus = config->strategy == STRATEGY_ONE_IPU ? 1 : config->stages;
	most = (size_t)config->stages * (size_t)config->micro_batches * 2 +
	    (size_t)s->ipus;
	s->steps = xreallocarray(NULL, most, sizeof(*s->steps));
	if (config->strategy == STRATEGY_PIPELINED)
		fill_pipelined(s);
	else
		fill_sequential(s);
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
