/*
 * The modelled timeline of one device iteration: the cycles of each part of a
 * stage (cycles_stage.c) in the order of the schedule.
 */
#include "ipu/engine/model/cycles.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/engine/model/operation_cost.h"

/* Rates of the links, in bytes per second (see the manual). */
#define LINK_RATE 32e9	     /* 512 Gb/s per pair, half of it each way */
#define HOST_RATE 12.5e9     /* 100 Gb/s Ethernet */
#define STREAMING_RATE 16e9  /* IPU to gateway: PCIe Gen4, 8 lanes */
#define SYNC_SECONDS 0.24e-6 /* measured between host and IPU */

/* The timeline of an IPU under construction. */
struct lane {
	struct cycles_event *events;
	int count, room;
	int64_t now;
};

struct timeline {
	struct cycles *c;
	const struct engine_config *config;
	struct schedule schedule;
	struct lane *lanes;
};

/* Add an event; skip one that takes no time, and let a wait extend the previous
   wait. */
static void
cycles_put(struct timeline *t, int ipu, enum trace_kind kind,
    const struct step *step, int64_t cycles, size_t bytes, int to_ipu)
{
	struct lane *l = &t->lanes[ipu];
	struct cycles_event *last = l->count > 0 ?
	    &l->events[l->count - 1] :
	    NULL;

	if (cycles == 0)
		return;
	l->now += cycles;
	if (kind == TRACE_SYNC && last != NULL && last->kind == TRACE_SYNC) {
		last->to = l->now;
		return;
	}
	if (l->count == l->room) {
		l->room = l->room > 0 ? 2 * l->room : 64;
		l->events = xreallocarray(l->events, (size_t)l->room,
		    sizeof(*l->events));
	}
	l->events[l->count++] = (struct cycles_event){ kind, ipu, *step, to_ipu,
		bytes, l->now - cycles, l->now };
}

/* Let all wait for the slowest, then `more` cycles for the sync. */
static void
wait_for_all(struct timeline *t, int column, int64_t more)
{
	int64_t latest = 0;
	int i;

	for (i = 0; i < t->c->ipu_count; i++)
		if (t->lanes[i].now > latest)
			latest = t->lanes[i].now;
	for (i = 0; i < t->c->ipu_count; i++) {
		const struct step nothing = { column, i, -1, -1, STEP_FORWARD };

		cycles_put(t, i, TRACE_SYNC, &nothing,
		    latest + more - t->lanes[i].now, 0, -1);
	}
}

/* Return 0 for one IPU, which needs no sync. */
static int64_t
sync_cycles(const struct timeline *t)
{
	return t->c->ipu_count > 1 ? (int64_t)ceil(t->c->target.sync_cycles) :
				     0;
}

static void
read_inputs(struct timeline *t, const struct step *s)
{
	const struct cycles_stage *g = &t->c->stages[s->stage];

	if (s->kind != STEP_FORWARD)
		return;
	cycles_put(t, s->ipu, TRACE_HOST_IN, s, g->host_in + g->labels_in,
	    g->host_in_bytes + g->labels_bytes, -1);
}

static void
cycles_compute(struct timeline *t, const struct step *s)
{
	const struct cycles_stage *g = &t->c->stages[s->stage];

	if (s->kind == STEP_FORWARD) {
		cycles_put(t, s->ipu, TRACE_FORWARD, s, g->forward, 0, -1);
		return;
	}
	cycles_put(t, s->ipu, TRACE_RECOMPUTE, s, g->recompute, 0, -1);
	cycles_put(t, s->ipu, TRACE_BACKWARD, s, g->backward, 0, -1);
}

/* Send a micro-batch's results out if the output mode returns them.  That
   depends on its number in the call; assume the last device iteration. */
static void
send_results(struct timeline *t, const struct step *s)
{
	const struct engine_config *c = t->config;
	const struct cycles_stage *g = &t->c->stages[s->stage];
	const int each = t->schedule.config.micro_batches;
	const int total = each * t->c->iterations;
	const int m = total - each + s->micro_batch;

	if (s->kind != STEP_FORWARD || s->stage != c->stages - 1 ||
	    !output_mode_returned(c->output_mode, c->output_return_period, m,
		total))
		return;
	cycles_put(t, s->ipu, TRACE_HOST_OUT, s, g->host_out, g->host_out_bytes,
	    -1);
}

static void
cycles_send(struct timeline *t, const struct step *s)
{
	const struct cycles_stage *g = &t->c->stages[s->stage];
	const bool forward = s->kind == STEP_FORWARD;
	const int other = s->stage + (forward ? 1 : -1);
	int ipu;

	if (other < 0 || other == t->c->stage_count)
		return;
	ipu = schedule_ipu(&t->schedule.config, other);
	if (ipu != s->ipu)
		cycles_put(t, s->ipu, TRACE_EXCHANGE, s,
		    forward ? g->send_forward : g->send_backward,
		    forward ? g->forward_bytes : g->backward_bytes, ipu);
}

/*
 * Run a column in the order of PopART's fragments: all streams from the host,
 * all computing, all streams to the host, all copies between IPUs.  The IPUs
 * wait for one another in between.
 *
 *	IPU 0	in | compute ......... | sync |     | send |
 *	IPU 1	.. | compute ... wait  | sync | out | .... |
 *
 * The longest in each part decides when the next part begins.
 */
static void
run_column(struct timeline *t, const struct step *steps, int count)
{
	const int column = steps[0].column;
	int i;

	for (i = 0; i < count; i++)
		read_inputs(t, &steps[i]);
	wait_for_all(t, column, 0);
	for (i = 0; i < count; i++)
		cycles_compute(t, &steps[i]);
	wait_for_all(t, column, sync_cycles(t));
	for (i = 0; i < count; i++)
		send_results(t, &steps[i]);
	wait_for_all(t, column, 0);
	for (i = 0; i < count; i++)
		cycles_send(t, &steps[i]);
	wait_for_all(t, column, 0);
}

/*
 * Run the update, with an empty pipeline: the stages of an IPU in sequence.
 *
 * First the sums over the replicas, then the updates.
 */
static void
run_update(struct timeline *t)
{
	const int64_t before = t->lanes[0].now;
	const int column = t->schedule.columns;
	int s, part;

	for (part = 0; part < 2; part++) {
		for (s = 0; s < t->c->stage_count; s++) {
			const struct cycles_stage *g = &t->c->stages[s];
			const int ipu = schedule_ipu(&t->schedule.config, s);
			const struct step step = { column, ipu, -1, -1,
				STEP_UPDATE };

			if (part == 0)
				cycles_put(t, ipu, TRACE_COLLECTIVE, &step,
				    g->collective, g->collective_bytes, -1);
			else
				cycles_put(t, ipu, TRACE_UPDATE, &step,
				    g->update, g->streamed_bytes, -1);
		}
	}
	wait_for_all(t, column, sync_cycles(t));
	t->c->update = t->lanes[0].now - before;
}

/* Steps of a column are neighbours, as steps come by column. */
static void
cycles_run(struct timeline *t)
{
	const struct schedule *s = &t->schedule;
	int i, n;

	for (i = 0; i < s->step_count && s->steps[i].kind != STEP_UPDATE;
	     i += n) {
		for (n = 1; i + n < s->step_count &&
		     s->steps[i + n].column == s->steps[i].column;
		     n++)
			;
		run_column(t, &s->steps[i], n);
	}
	if (t->config->training)
		run_update(t);
	t->c->total = t->lanes[0].now;
}

/* Join all lanes. */
static void
collect(struct timeline *t)
{
	struct cycles *c = t->c;
	int i, k;

	for (i = 0; i < c->ipu_count; i++)
		c->event_count += t->lanes[i].count;
	c->events = xcalloc((size_t)c->event_count, sizeof(*c->events));
	for (c->event_count = i = 0; i < c->ipu_count; i++) {
		for (k = 0; k < t->lanes[i].count; k++)
			c->events[c->event_count++] = t->lanes[i].events[k];
		free(t->lanes[i].events);
	}
	free(t->lanes);
}

struct cycles_target
cycles_target_of(double clock_mhz)
{
	const double hertz = clock_mhz * 1e6;

	return (struct cycles_target){
		.tiles = 1472,
		.clock_mhz = clock_mhz,
		.flops_per_cycle = 32, /* 62.4 TFLOPS over 1,472 tiles */
		.exchange_bytes = 4,   /* 8 TB/s over all tiles */
		.link_bytes = LINK_RATE / hertz,
		.host_bytes = HOST_RATE / hertz,
		.streaming_bytes = STREAMING_RATE / hertz,
		.sync_cycles = SYNC_SECONDS * hertz,
		.start_cycles = 200 /* [estimate] */
	};
}

/* Each IPU writes a separate lane; in the end they are joined. */
void
cycles_init_stages(struct cycles *c, const struct engine_config *config,
    const struct cycles_target *target, const struct cycles_stage *stages)
{
	struct timeline t = { .c = c, .config = config };
	struct schedule_config sc = engine_config_schedule(config);
	int i;

	*c = (struct cycles){ .target = *target,
		.stage_count = config->stages,
		.iterations =
		    config->training ? config->device_iterations : 1 };
	c->stages = xcalloc((size_t)config->stages, sizeof(*c->stages));
	for (i = 0; i < config->stages; i++)
		c->stages[i] = stages[i];
	if (schedule_init(&t.schedule, &sc, NULL) == -1)
		return; /* the engine refuses it with a reason */
	c->ipu_count = t.schedule.ipus;
	t.lanes = xcalloc((size_t)c->ipu_count, sizeof(*t.lanes));
	cycles_run(&t);
	collect(&t);
	schedule_release(&t.schedule);
}

void
cycles_init(struct cycles *c, const struct engine_config *config,
    const struct cycles_target *target)
{
	struct cycles_stage *stages = xcalloc((size_t)config->stages,
	    sizeof(*stages));
	int i;

	for (i = 0; i < config->stages; i++)
		cycles_stage_init(&stages[i], config, target, i);
	cycles_init_stages(c, config, target, stages);
	free(stages);
}

void
cycles_release(struct cycles *c)
{
	free(c->stages);
	free(c->events);
	*c = (struct cycles){ 0 };
}

int64_t
cycles_of(const struct cycles *c, int ipu, enum trace_kind kind)
{
	int64_t sum = 0;
	int i;

	for (i = 0; i < c->event_count; i++)
		if (c->events[i].ipu == ipu && c->events[i].kind == kind)
			sum += c->events[i].to - c->events[i].from;
	return sum;
}

/* A pipeline of equal stages with free transfers has utilisation G / (G + N -
   1). */
double
cycles_utilisation(const struct cycles *c, int ipu)
{
	const int64_t span = c->total - c->update;
	double sum = 0;
	int i;

	if (span == 0)
		return 0;
	if (ipu == -1) {
		for (i = 0; i < c->ipu_count; i++)
			sum += cycles_utilisation(c, i);
		return sum / c->ipu_count;
	}
	return (double)(cycles_of(c, ipu, TRACE_FORWARD) +
		   cycles_of(c, ipu, TRACE_RECOMPUTE) +
		   cycles_of(c, ipu, TRACE_BACKWARD)) /
	    (double)span;
}

int64_t
cycles_call(const struct cycles *c)
{
	return c->iterations * c->total;
}
