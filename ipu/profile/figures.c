/*
 * Names, shares and rates shared by several of a profile's files.
 */
#include "ipu/profile/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"

static const char *const figures_kinds[] = {
	[TRACE_FORWARD] = "forward",
	[TRACE_RECOMPUTE] = "recompute",
	[TRACE_BACKWARD] = "backward",
	[TRACE_UPDATE] = "update",
	[TRACE_COLLECTIVE] = "collective",
	[TRACE_SYNC] = "sync",
	[TRACE_HOST_IN] = "host in",
	[TRACE_HOST_OUT] = "host out",
	[TRACE_EXCHANGE] = "exchange",
};

const char *
figures_put_share(char out[FIGURES_SIZE], double share)
{
	(void)snprintf(out, FIGURES_SIZE, "%.1f %%", 100 * share);
	return out;
}

const char *
figures_kind_name(enum trace_kind kind)
{
	return figures_kinds[kind];
}

/*
 * A pipeline fills for as many cycles as it has stages minus one, 2N - 1 in
 * training and N in inference, and flushes for as many.  Interleaved, columns
 * count as cycles.
 *
 * N = 4, G = 10, training, in cycles: fill 0 to 5, main 6 to 9, flush 10 to 15.
 */
const char *
figures_phase(const struct profile_data *d, const struct step *step)
{
	const struct schedule_config *c = &d->schedule.config;
	const int n = c->stages;
	const int edge = c->training ? 2 * n - 2 : n - 1;
	int cycle = step->micro_batch, last = c->micro_batches;

	if (step->kind == STEP_UPDATE || step->stage < 0)
		return NULL;
	switch (c->strategy) {
	case STRATEGY_PIPELINED:
		cycle += step->kind == STEP_FORWARD ?
		    step->stage :
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
	int stage, sum = 0;

	for (stage = 0; stage < d->config->stages; stage++)
		if (schedule_ipu(&d->schedule.config, stage) == ipu)
			sum += schedule_stash_depth(&d->schedule.config, stage);
	return sum;
}

void
figures_stage_blocks(const struct profile_data *d, int stage, char *out,
    size_t size)
{
	const char *name;
	size_t n = 0;
	int i;

	out[0] = '\0';
	for (i = 0; n < size &&
	     (name = engine_config_block(d->config, stage, i)) != NULL;
	     i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s",
		    i == 0 ? "" : ", ", name);
}

void
figures_ipu_blocks(const struct profile_data *d, int ipu, char *out,
    size_t size)
{
	char blocks[128];
	size_t n = 0;
	int stage;

	out[0] = '\0';
	for (stage = 0; stage < d->config->stages && n < size; stage++) {
		if (schedule_ipu(&d->schedule.config, stage) != ipu)
			continue;
		figures_stage_blocks(d, stage, blocks, sizeof(blocks));
		n += (size_t)snprintf(out + n, size - n, "%s%s",
		    n == 0 ? "" : ", ", blocks);
	}
}

/* Leaves out the update's time, which the closed form lacks. */
double
figures_utilisation(const struct profile_data *d, enum profile_clock clock,
    int ipu)
{
	const struct timing *t;
	const int64_t *sums;
	int64_t time;

	if (clock == PROFILE_CLOSED_FORM)
		return schedule_view_utilisation(&d->schedule, ipu);
	t = &d->timings[clock];
	sums = t->sums[ipu];
	time = t->total -
	    (clock == PROFILE_MODELLED ? d->cycles->update :
					 sums[TRACE_UPDATE]);
	if (time <= 0)
		return 0;
	return (double)(sums[TRACE_FORWARD] + sums[TRACE_RECOMPUTE] +
		   sums[TRACE_BACKWARD]) /
	    (double)time;
}

/* Leaves out IPUs without a stage. */
double
figures_mean_utilisation(const struct profile_data *d, enum profile_clock clock)
{
	double sum = 0;
	int i, n = 0;

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
	const struct timing *t = &d->timings[clock];

	return t->total <= 0 ? 0 :
			       (double)t->sums[ipu][kind] / (double)t->total;
}

/* For qsort(3): by start. */
static int
by_beginning(const void *left, const void *right)
{
	const struct cycles_event *a = left, *b = right;

	return a->from < b->from ? -1 : a->from > b->from;
}

/* Return the cycles in which at least one IPU is at one of two kinds.  A part
   of a column begins on all IPUs at once and lasts as long as the longest. */
static int64_t
figures_cycles_at(const struct profile_data *d, enum trace_kind kind,
    enum trace_kind other)
{
	const struct cycles_event *e = d->cycles->events;
	struct cycles_event *events =
	    xcalloc((size_t)d->cycles->event_count + 1, sizeof(*events));
	int64_t sum = 0, end = 0;
	size_t count = 0, k;
	int i;

	for (i = 0; i < d->cycles->event_count; i++)
		if (e[i].kind == kind || e[i].kind == other)
			events[count++] = e[i];
	qsort(events, count, sizeof(*events), by_beginning);
	for (k = 0; k < count; k++) {
		if (events[k].to <= end)
			continue;
		sum += events[k].to -
		    (events[k].from > end ? events[k].from : end);
		end = events[k].to;
	}
	free(events);
	return sum;
}

/* The parts of all columns in sequence are the time between two weight updates:
   host I/O, computing, sync, exchange. */
void
figures_clocks_text(const struct profile_data *d, char *out, size_t size)
{
	const double time = (double)(d->cycles->total - d->cycles->update);
	const double closed = figures_mean_utilisation(d, PROFILE_CLOSED_FORM);
	const double used = figures_mean_utilisation(d, PROFILE_MODELLED);
	const double host =
	    (double)figures_cycles_at(d, TRACE_HOST_IN, TRACE_HOST_OUT) / time;
	const double exchange =
	    (double)figures_cycles_at(d, TRACE_EXCHANGE, TRACE_EXCHANGE) / time;
	const double sync = d->ipus == 1 ?
	    0 :
	    d->schedule.columns * ceil(d->cycles->target.sync_cycles) / time;
	const double rest = 1 - host - exchange - sync;
	char a[FIGURES_SIZE], b[FIGURES_SIZE], c[FIGURES_SIZE];
	char e[FIGURES_SIZE], f[FIGURES_SIZE], g[FIGURES_SIZE];
	char h[FIGURES_SIZE], i[FIGURES_SIZE];

	out[0] = '\0';
	if (time <= 0 || rest <= 0)
		return;
	(void)snprintf(out, size,
	    "The closed form, %s, assumes that columns contain only computing "
	    "and that all stages take equally long. By the modelled clock, "
	    "utilisation is %s: host I/O takes %s of the time, exchange %s and "
	    "sync %s, and in the %s left for computing the IPUs are busy for "
	    "%s of it%s%s%s.",
	    figures_put_share(a, closed), figures_put_share(b, used),
	    figures_put_share(c, host), figures_put_share(e, exchange),
	    figures_put_share(f, sync), figures_put_share(g, rest),
	    figures_put_share(h, used / rest),
	    d->cycles->update == 0 ? "" : "; the weight update, ",
	    d->cycles->update == 0 ?
		"" :
		figures_put_share(i,
		    (double)d->cycles->update / (double)d->cycles->total),
	    d->cycles->update == 0 ?
		"" :
		" of all cycles, is not counted in either");
}

/* The first call of a run that ended early may be incomplete. */
const char *
figures_interruption(const struct profile_data *d, char out[FIGURES_WHY_SIZE])
{
	char of[32] = "";

	out[0] = '\0';
	if (d->interrupted == NULL)
		return out;
	if (d->about.calls > 0)
		(void)snprintf(of, sizeof(of), " of %ld", d->about.calls);
	if (d->calls == 0)
		(void)snprintf(out, FIGURES_WHY_SIZE,
		    "interrupted before call 1%s was complete: %s", of,
		    d->interrupted);
	else
		(void)snprintf(out, FIGURES_WHY_SIZE,
		    "interrupted after call %ld%s: %s", d->calls, of,
		    d->interrupted);
	return out;
}
