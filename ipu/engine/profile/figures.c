/*
 * Names, shares and rates that several of a profile's files show.
 */
#include "ipu/engine/profile/figures.h"

#include <stdio.h>

#include "ipu/engine/schedule_view.h"

static const char *const figures_kinds[] = {
	[TRACE_FORWARD] = "forward",
	[TRACE_RECOMPUTE] = "recompute",
	[TRACE_BACKWARD] = "backward",
	[TRACE_UPDATE] = "update",
	[TRACE_COLLECTIVE] = "collective",
	[TRACE_SYNC] = "sync",
	[TRACE_HOST_IN] = "host in",
	[TRACE_HOST_OUT] = "host out",
	[TRACE_EXCHANGE] = "exchange"
};

static const char *const strategies[] = {
	[STRATEGY_PIPELINED] = "pipelined",
	[STRATEGY_INTERLEAVED] = "interleaved",
	[STRATEGY_SHARDED] = "sharded",
	[STRATEGY_ONE_IPU] = "one-ipu"
};

const char *
figures_kind_name(enum trace_kind kind)
{
	return figures_kinds[kind];
}

const char *
figures_strategy_name(enum strategy strategy)
{
	return strategies[strategy];
}

/*
 * A pipeline fills for as many cycles as it has stages less one, 2N - 1 in
 * training and N in inference, and flushes for as many.  Interleaved, columns
 * count as cycles.
 *
 * N = 4, G = 10, training, in cycles: fill 0 to 5, main 6 to 9, flush 10 to
 * 15.
 */
const char *
figures_phase(const struct profile_data *d, const struct step *step)
{
	const struct schedule_config	*c = &d->schedule.config;
	const int	n = c->stages;
	const int	edge = c->training ? 2 * n - 2 : n - 1;
	int		cycle = step->micro_batch, last = c->micro_batches;

	if (step->kind == STEP_UPDATE || step->stage < 0)
		return NULL;
	switch (c->strategy) {
	case STRATEGY_PIPELINED:
		cycle += step->kind == STEP_FORWARD ? step->stage :
		    2 * n - 2 - step->stage;
		break;
	case STRATEGY_INTERLEAVED:
		cycle = step->column;
		last = d->schedule.columns - edge;
		break;
	default:
		return "main";
	}
	return cycle < edge ? "fill" : cycle < last ? "main" : "flush";
}

int
figures_stash_planned(const struct profile_data *d, int ipu)
{
	int	stage, sum = 0;

	for (stage = 0; stage < d->config->stages; stage++)
		if (schedule_ipu(&d->schedule.config, stage) == ipu)
			sum += schedule_stash_depth(&d->schedule.config,
			    stage);
	return sum;
}

void
figures_stage_blocks(const struct profile_data *d, int stage, char *out,
    size_t size)
{
	size_t	n = 0;
	int	block = 0, i;

	for (i = 0; i < stage; i++)
		block += d->config->stage_blocks[i];
	out[0] = '\0';
	for (i = 0; i < d->config->stage_blocks[stage] && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s",
		    i == 0 ? "" : ", ",
		    d->config->model->blocks[block + i].name);
}

void
figures_ipu_blocks(const struct profile_data *d, int ipu, char *out,
    size_t size)
{
	char	blocks[128];
	size_t	n = 0;
	int	stage;

	out[0] = '\0';
	for (stage = 0; stage < d->config->stages && n < size; stage++) {
		if (schedule_ipu(&d->schedule.config, stage) != ipu)
			continue;
		figures_stage_blocks(d, stage, blocks, sizeof(blocks));
		n += (size_t)snprintf(out + n, size - n, "%s%s",
		    n == 0 ? "" : ", ", blocks);
	}
}

/* The update's time is left out, as the closed form has none. */
double
figures_utilisation(const struct profile_data *d, enum profile_clock clock,
    int ipu)
{
	const struct timing	*t;
	const int64_t		*sums;
	int64_t			 time;

	if (clock == PROFILE_CLOSED_FORM)
		return schedule_view_utilisation(&d->schedule, ipu);
	t = &d->timings[clock];
	sums = t->sums[ipu];
	time = t->total - (clock == PROFILE_MODELLED ? d->cycles->update :
	    sums[TRACE_UPDATE]);
	if (time <= 0)
		return 0;
	return (double)(sums[TRACE_FORWARD] + sums[TRACE_RECOMPUTE] +
	    sums[TRACE_BACKWARD]) / (double)time;
}

/* IPUs on which no stage stands do not count. */
double
figures_mean_utilisation(const struct profile_data *d, enum profile_clock clock)
{
	double	sum = 0;
	int	i, n = 0;

	for (i = 0; i < d->ipus; i++) {
		if (figures_stash_planned(d, i) == 0)
			continue;
		sum += figures_utilisation(d, clock, i);
		n++;
	}
	return sum / n;
}

double
figures_share(const struct profile_data *d, enum profile_clock clock, int ipu,
    enum trace_kind kind)
{
	const struct timing	*t = &d->timings[clock];

	return t->total <= 0 ? 0 :
	    (double)t->sums[ipu][kind] / (double)t->total;
}

long long
figures_samples(const struct profile_data *d)
{
	const struct engine_config	*c = d->config;

	return (long long)d->calls * c->local_replicas *
	    c->device_iterations * c->gradient_accumulation * c->micro_batch;
}

/* The host's replicas ran at the same time, so their times are not added up. */
double
figures_seconds(const struct profile_data *d, enum profile_clock clock)
{
	const struct timing	*t = &d->timings[clock];

	if (clock == PROFILE_MODELLED)
		return (double)t->total * d->iterations * (double)d->calls /
		    (d->cycles->target.clock_mhz * 1e6);
	return (double)t->total / d->config->local_replicas / 1e9;
}
