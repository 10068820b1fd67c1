/*
 * Turns measured steps into the traces that an engine would have recorded, call
 * by call, and writes their profile.
 */
#include "ipu/profile/profile.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"

/* Conversion of steps into traces. */
struct tracer {
	const struct outline *o;
	struct schedule schedule;
	int *columns;	      /* [stage][micro-batch][is backward] */
	double zero_s;	      /* earliest time */
	struct trace *traces; /* replica by replica */
	int count;	      /* number of traces */
};

static int *
column_of(const struct tracer *t, const struct step *s)
{
	const int g = t->schedule.config.micro_batches;

	return &t->columns[(s->stage * g + s->micro_batch) * 2 +
	    (s->kind == STEP_BACKWARD)];
}

/* Return the earliest measured time; infinite if nothing was measured. */
static double
first_beginning(const struct outline *o)
{
	double first = INFINITY;
	int i, k;

	for (i = 0; i < o->activity_count; i++)
		if (o->activities[i].from_s < first)
			first = o->activities[i].from_s;
	for (i = 0; i < o->call_count; i++)
		for (k = 0; k < o->calls[i].step_count; k++)
			if (o->calls[i].steps[k].from_s < first)
				first = o->calls[i].steps[k].from_s;
	return first;
}

/* Repeat the schedule, which succeeded when the document was read. */
static void
tracer_init(struct tracer *t, const struct outline *o)
{
	const struct schedule_config sc = engine_config_schedule(&o->config);
	int i;

	*t = (struct tracer){ .o = o };
	i = schedule_init(&t->schedule, &sc, NULL);
	assert(i == 0);
	t->columns = xcalloc((size_t)sc.stages * (size_t)sc.micro_batches * 2,
	    sizeof(*t->columns));
	for (i = 0; i < t->schedule.step_count; i++)
		if (t->schedule.steps[i].kind != STEP_UPDATE)
			*column_of(t, &t->schedule.steps[i]) =
			    t->schedule.steps[i].column;
	t->count = o->config.local_replicas * t->schedule.ipus;
	t->traces = xcalloc((size_t)t->count, sizeof(*t->traces));
	t->zero_s = first_beginning(o);
}

static void
tracer_release(struct tracer *t)
{
	free(t->traces);
	free(t->columns);
	schedule_release(&t->schedule);
}

/* For qsort(3): by start. */
static int
by_start(const void *left, const void *right)
{
	const struct trace_event *a = left, *b = right;

	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

static struct trace_event
event_of(const struct tracer *t, const struct outline_step *s)
{
	struct trace_event e = {
		.kind = s->kind,
		.replica = s->replica,
		.ipu = s->step.ipu,
		.step = s->step,
		.iteration = s->iteration,
		.to_ipu = -1,
		.start_ns = (int64_t)((s->from_s - t->zero_s) * 1e9),
		.end_ns = (int64_t)((s->to_s - t->zero_s) * 1e9),
	};

	e.step.column = s->step.kind == STEP_UPDATE ?
	    t->schedule.columns :
	    *column_of(t, &s->step);
	return e;
}

/* Count the stash: it grows with a forward and shrinks after a backward. */
static void
count_in_flight(const struct tracer *t, struct trace *trace)
{
	int kept[SCHEDULE_STAGES_MAX] = { 0 };
	int i;

	for (i = 0; i < trace->count; i++) {
		struct trace_event *e = &trace->events[i];

		if (e->kind == TRACE_FORWARD) {
			e->in_flight = ++kept[e->step.stage];
			if (!t->o->config.training)
				kept[e->step.stage] = 0;
		} else if (e->kind == TRACE_BACKWARD) {
			e->in_flight = kept[e->step.stage];
			if (kept[e->step.stage] > 0)
				kept[e->step.stage]--;
		}
	}
}

/* Fill the trace of each IPU with its steps of this call, in order. */
static void
trace_call(struct tracer *t, const struct outline_call *c, struct profile *p)
{
	const struct trace **traces = xcalloc((size_t)t->count,
	    sizeof(*traces));
	struct trace *trace;
	int i, at;

	for (i = 0; i < t->count; i++)
		traces[i] = &t->traces[i];
	for (i = 0; i < c->step_count; i++) {
		at = (c->steps[i].replica - t->o->config.first_replica) *
			t->schedule.ipus +
		    c->steps[i].step.ipu;
		trace = &t->traces[at];
		if (trace->count == trace->capacity) {
			trace->capacity = trace->capacity > 0 ?
			    2 * trace->capacity :
			    64;
			trace->events = xreallocarray(trace->events,
			    (size_t)trace->capacity, sizeof(*trace->events));
		}
		trace->events[trace->count++] = event_of(t, &c->steps[i]);
	}
	for (i = 0; i < t->count; i++) {
		if (t->traces[i].count > 0)
			qsort(t->traces[i].events, (size_t)t->traces[i].count,
			    sizeof(*t->traces[i].events), by_start);
		count_in_flight(t, &t->traces[i]);
	}
	profile_traces(p, traces);
	for (i = 0; i < t->count; i++) {
		free(t->traces[i].events);
		t->traces[i] = (struct trace){ .events = NULL };
	}
	free(traces);
}

static void
add_calls(const struct outline *o, struct profile *p)
{
	struct tracer t;
	int i;

	tracer_init(&t, o);
	for (i = 0; i < o->call_count; i++) {
		if (o->calls[i].step_count > 0)
			trace_call(&t, &o->calls[i], p);
		else
			profile_untraced(p, o->calls[i].count);
	}
	tracer_release(&t);
}

/* Sum all calls; the mean of the first entry's calls stands for the first
   run. */
static struct profile_host
measured_host(const struct outline *o)
{
	struct profile_host h = { .compile_s = o->compile_s,
		.computed_by = o->has_host ? o->computed_by : "" };
	int i;

	for (i = 0; i < o->call_count; i++) {
		h.steps = h.steps || o->calls[i].step_count > 0;
		h.input_s += o->calls[i].input_s;
		h.run_s += o->calls[i].run_s;
		h.output_s += o->calls[i].output_s;
	}
	if (o->call_count > 0)
		h.first_run_s = o->calls[0].run_s / (double)o->calls[0].count;
	return h;
}

/* Return the activities, which the caller frees, with times from the earliest
   one measured. */
static struct host_activity *
measured_activities(const struct outline *o)
{
	struct host_activity *a = xcalloc((size_t)o->activity_count + 1,
	    sizeof(*a));
	const double zero_s = first_beginning(o);
	int i;

	for (i = 0; i < o->activity_count; i++) {
		a[i] = o->activities[i];
		a[i].from_s -= zero_s;
		a[i].to_s -= zero_s;
	}
	return a;
}

int
outline_profile_write(const struct outline *o, const struct memory *m,
    const struct cycles *c, const char *directory, struct error *e)
{
	struct host_activity *activities = measured_activities(o);
	struct profile_host host = measured_host(o);
	const struct profile_about about = {
		.program = o->program,
		.command = o->command,
		.model = o->model,
		.engine = o->name,
		.device = o->device,
		.instance = o->instance,
		.host = &host,
	};
	struct profile *p;
	int status = -1;

	host.activity_count = o->activity_count;
	host.activities = activities;
	p = profile_open(directory, &about, &o->config, m, c, e);
	if (p != NULL) {
		add_calls(o, p);
		if (o->interrupted != NULL)
			profile_interrupt(p, o->interrupted);
		status = profile_close(p, e);
	}
	free(activities);
	return status;
}
