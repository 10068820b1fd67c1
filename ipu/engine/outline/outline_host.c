/*
 * Reads measured calls and their steps.  Steps are those of the outline's
 * schedule: stage and micro-batch determine the IPU and the column.
 */
#include "ipu/engine/outline/outline_fields.h"

#include <limits.h>

#include "core/base/alloc.h"
#include "ipu/engine/outline/outline_file.h"

enum { CALLS_MAX = 1000000000 };
#define SECONDS_MAX 1e9

/* Words of enum trace_kind for measurable kinds. */
static const char *const outline_host_kinds[] = {
	[TRACE_FORWARD] = "forward",
	[TRACE_RECOMPUTE] = "recompute",
	[TRACE_BACKWARD] = "backward",
	[TRACE_UPDATE] = "update",
	[TRACE_COLLECTIVE] = "collective",
	NULL,
};

struct host_values {
	const char *computed_by;
	double compile_s;
	yyjson_val *calls, *timeline;
};

static const struct outline_field host_fields[] = {
	{ "computed_by", OUTLINE_LINE, false,
	    offsetof(struct host_values, computed_by), 0, 0, NULL },
	{ "compile_s", OUTLINE_REAL, false,
	    offsetof(struct host_values, compile_s), 0, SECONDS_MAX, NULL },
	{ "calls", OUTLINE_LIST, false, offsetof(struct host_values, calls), 0,
	    0, NULL },
	{ "timeline", OUTLINE_LIST, false,
	    offsetof(struct host_values, timeline), 0, 0, NULL },
	{ 0 },
};

struct call_values {
	int count;
	double input_s, run_s, output_s;
	yyjson_val *steps;
};

static const struct outline_field call_fields[] = {
	{ "count", OUTLINE_INT, false, offsetof(struct call_values, count), 1,
	    CALLS_MAX, NULL },
	{ "input_s", OUTLINE_REAL, false, offsetof(struct call_values, input_s),
	    0, SECONDS_MAX, NULL },
	{ "run_s", OUTLINE_REAL, true, offsetof(struct call_values, run_s), 0,
	    SECONDS_MAX, NULL },
	{ "output_s", OUTLINE_REAL, false,
	    offsetof(struct call_values, output_s), 0, SECONDS_MAX, NULL },
	{ "steps", OUTLINE_LIST, false, offsetof(struct call_values, steps), 0,
	    0, NULL },
	{ 0 },
};

struct step_values {
	int kind, stage, micro_batch, ipu, replica, iteration;
	double from_s, to_s;
};

static const struct outline_field step_fields[] = {
	{ "kind", OUTLINE_CHOICE, true, offsetof(struct step_values, kind), 0,
	    0, outline_host_kinds },
	{ "stage", OUTLINE_INT, false, offsetof(struct step_values, stage), 0,
	    SCHEDULE_STAGES_MAX - 1, NULL },
	{ "micro_batch", OUTLINE_INT, false,
	    offsetof(struct step_values, micro_batch), 0, INT_MAX, NULL },
	{ "ipu", OUTLINE_INT, false, offsetof(struct step_values, ipu), 0,
	    SCHEDULE_IPUS_MAX - 1, NULL },
	{ "replica", OUTLINE_INT, false, offsetof(struct step_values, replica),
	    0, INT_MAX, NULL },
	{ "iteration", OUTLINE_INT, false,
	    offsetof(struct step_values, iteration), 0, INT_MAX, NULL },
	{ "from_s", OUTLINE_REAL, true, offsetof(struct step_values, from_s), 0,
	    SECONDS_MAX, NULL },
	{ "to_s", OUTLINE_REAL, true, offsetof(struct step_values, to_s), 0,
	    SECONDS_MAX, NULL },
	{ 0 },
};

struct activity_values {
	int kind, call, iteration;
	double from_s, to_s;
};

static const struct outline_field activity_fields[] = {
	{ "kind", OUTLINE_CHOICE, true, offsetof(struct activity_values, kind),
	    0, 0, outline_activity_words },
	{ "call", OUTLINE_INT, false, offsetof(struct activity_values, call), 0,
	    CALLS_MAX, NULL },
	{ "iteration", OUTLINE_INT, false,
	    offsetof(struct activity_values, iteration), 0, INT_MAX, NULL },
	{ "from_s", OUTLINE_REAL, true,
	    offsetof(struct activity_values, from_s), 0, SECONDS_MAX, NULL },
	{ "to_s", OUTLINE_REAL, true, offsetof(struct activity_values, to_s), 0,
	    SECONDS_MAX, NULL },
	{ 0 },
};

/* Return the IPUs up to the highest that has a stage, as the schedule counts
   them. */
static int
outline_host_ipus(const struct outline *o)
{
	const struct schedule_config sc = engine_config_schedule(&o->config);
	int s, ipus = 1;

	for (s = 0; s < o->stage_count; s++)
		if (schedule_ipu(&sc, s) >= ipus)
			ipus = schedule_ipu(&sc, s) + 1;
	return ipus;
}

/* Check a step: forward, recompute and backward have a stage and a micro-batch,
   an update an IPU. */
static int
check_step(const struct outline *o, struct step_values *v,
    const struct outline_place *at, struct error *e)
{
	const struct engine_config *c = &o->config;
	const struct schedule_config sc = engine_config_schedule(c);
	const bool update = v->kind >= TRACE_UPDATE;

	if (v->from_s > v->to_s)
		return error_set(e, "%s: it ends before it begins", at->text);
	if (!c->training && v->kind != TRACE_FORWARD)
		return error_set(e, "%s: %s does not occur in inference",
		    at->text, outline_host_kinds[v->kind]);
	if (v->replica < c->first_replica ||
	    v->replica - c->first_replica >= c->local_replicas)
		return error_set(e, "%s: replica %d is not one of these",
		    at->text, v->replica);
	if (v->iteration >= (c->training ? c->device_iterations : 1))
		return error_set(e, "%s: a call has no device iteration %d",
		    at->text, v->iteration);
	if (update &&
	    (v->ipu < 0 || v->ipu >= outline_host_ipus(o) || v->stage != -1 ||
		v->micro_batch != -1))
		return error_set(e, "%s: needs 'ipu', one of %d, and no stage",
		    at->text, outline_host_ipus(o));
	if (update)
		return 0;
	if (v->stage < 0 || v->stage >= o->stage_count || v->micro_batch < 0 ||
	    v->micro_batch >= sc.micro_batches)
		return error_set(e,
		    "%s: needs a stage from 0 to %d and a micro-batch from 0 "
		    "to %d",
		    at->text, o->stage_count - 1, sc.micro_batches - 1);
	if (v->ipu != -1 && v->ipu != schedule_ipu(&sc, v->stage))
		return error_set(e, "%s: stage %d is on IPU %d, not %d",
		    at->text, v->stage, schedule_ipu(&sc, v->stage), v->ipu);
	v->ipu = schedule_ipu(&sc, v->stage);
	return 0;
}

/* Read a step; its column is looked up later in the schedule. */
static int
read_host_step(const struct outline *o, yyjson_val *from,
    const struct outline_place *at, struct outline_step *s, struct error *e)
{
	struct step_values v = { .stage = -1,
		.micro_batch = -1,
		.ipu = -1,
		.replica = o->config.first_replica };

	if (outline_fields_read(from, at, step_fields, &v, e) != 0 ||
	    check_step(o, &v, at, e) != 0)
		return -1;
	*s = (struct outline_step){ .kind = (enum trace_kind)v.kind,
		.step = { -1, v.ipu, v.stage, v.micro_batch,
		    v.kind >= TRACE_UPDATE	? STEP_UPDATE :
			v.kind == TRACE_FORWARD ? STEP_FORWARD :
						  STEP_BACKWARD },
		.replica = v.replica,
		.iteration = v.iteration,
		.from_s = v.from_s,
		.to_s = v.to_s };
	return 0;
}

static int
read_call(const struct outline *o, yyjson_val *from,
    const struct outline_place *at, struct outline_call *c, struct error *e)
{
	struct call_values v = { .count = 1 };
	struct outline_place place;
	yyjson_arr_iter iter;
	yyjson_val *step;

	if (outline_fields_read(from, at, call_fields, &v, e) != 0)
		return -1;
	*c = (struct outline_call){ .count = v.count,
		.input_s = v.input_s,
		.run_s = v.run_s,
		.output_s = v.output_s };
	if (yyjson_arr_size(v.steps) == 0)
		return 0;
	if (v.count != 1)
		return error_set(e,
		    "%s: steps describe one call, but 'count' is %d", at->text,
		    v.count);
	if (yyjson_arr_size(v.steps) > OUTLINE_FILE_STEPS_MAX)
		return error_set(e, "%s.steps: must be at most %d", at->text,
		    OUTLINE_FILE_STEPS_MAX);
	c->steps = xcalloc(yyjson_arr_size(v.steps), sizeof(*c->steps));
	(void)yyjson_arr_iter_init(v.steps, &iter);
	while ((step = yyjson_arr_iter_next(&iter)) != NULL) {
		place = outline_fields_element(at, "steps",
		    (size_t)c->step_count);
		if (read_host_step(o, step, &place, &c->steps[c->step_count],
			e) != 0)
			return -1;
		c->step_count++;
	}
	return 0;
}

/* Read an activity.  A part of a call needs the call's number; a device
   iteration also needs the number of the iteration. */
static int
read_activity(const struct outline *o, yyjson_val *from,
    const struct outline_place *at, struct host_activity *a, struct error *e)
{
	struct activity_values v = { .call = -1, .iteration = -1 };

	if (outline_fields_read(from, at, activity_fields, &v, e) != 0)
		return -1;
	if (v.from_s > v.to_s)
		return error_set(e, "%s: it ends before it begins", at->text);
	if ((v.kind >= HOST_INPUT) != (v.call >= 0))
		return error_set(e, "%s: %s", at->text,
		    v.call >= 0 ? "it must not have 'call'" :
				  "it needs 'call'");
	if ((v.kind == HOST_ITERATION) != (v.iteration >= 0) ||
	    v.iteration >= o->config.device_iterations)
		return error_set(e, "%s: %s", at->text,
		    v.kind != HOST_ITERATION ?
			"it must not have 'iteration'" :
			"it needs 'iteration', one of those of a call");
	*a = (struct host_activity){ (enum host_activity_kind)v.kind, v.call,
		v.iteration, v.from_s, v.to_s };
	return 0;
}

static int
read_timeline(struct outline *o, yyjson_val *timeline,
    const struct outline_place *at, struct error *e)
{
	const size_t count = yyjson_arr_size(timeline);
	struct outline_place place;
	yyjson_arr_iter iter;
	yyjson_val *activity;

	if (count > OUTLINE_FILE_STEPS_MAX)
		return error_set(e, "%s.timeline: must be at most %d", at->text,
		    OUTLINE_FILE_STEPS_MAX);
	if (count == 0)
		return 0;
	o->activities = xcalloc(count, sizeof(*o->activities));
	(void)yyjson_arr_iter_init(timeline, &iter);
	while ((activity = yyjson_arr_iter_next(&iter)) != NULL) {
		place = outline_fields_element(at, "timeline",
		    (size_t)o->activity_count);
		if (read_activity(o, activity, &place,
			&o->activities[o->activity_count], e) != 0)
			return -1;
		o->activity_count++;
	}
	return 0;
}

int
outline_host_read(struct outline *o, yyjson_val *host, struct error *e)
{
	const struct outline_place root = { "host" };
	struct host_values v = { .computed_by = "" };
	struct outline_place place;
	long count = 0;
	yyjson_arr_iter iter;
	yyjson_val *call;

	if (outline_fields_read(host, &root, host_fields, &v, e) != 0 ||
	    read_timeline(o, v.timeline, &root, e) != 0)
		return -1;
	o->has_host = true;
	o->computed_by = v.computed_by;
	o->compile_s = v.compile_s;
	if (yyjson_arr_size(v.calls) == 0)
		return 0;
	o->calls = xcalloc(yyjson_arr_size(v.calls), sizeof(*o->calls));
	(void)yyjson_arr_iter_init(v.calls, &iter);
	while ((call = yyjson_arr_iter_next(&iter)) != NULL) {
		place = outline_fields_element(&root, "calls",
		    (size_t)o->call_count);
		/* Count the call first, so that it is released after a
		   refusal. */
		if (read_call(o, call, &place, &o->calls[o->call_count++], e) !=
		    0)
			return -1;
		count += o->calls[o->call_count - 1].count;
		if (count > CALLS_MAX)
			return error_set(e,
			    "%s.count: all calls together must be at most %d",
			    place.text, CALLS_MAX);
	}
	return 0;
}
