/*
 * Profiles: the structure of trace.json event by event, over strategies,
 * replicas and inference; the figures of summary.json; what is refused.
 */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "ipu/nn/nn.h"
#include "ipu/profile/profile.h"
#include "ipu/profile/profile_data.h"
#include "ipu/profile/profile_internal.h"
#include "tests/unit/report_util.h"
#include "tests/unit/trace_util.h"
#include "tests/unit/tutorial.h"

enum { SAMPLES = 6000, STAGES = 4, TEXT_MAX = 1 << 26 };

static struct model model;
static struct dataset digits;
static uint32_t order[SAMPLES];

struct run {
	const char *name;
	enum strategy strategy;
	bool training, recompute;
	int accumulation, iterations, replicas, calls;
	int stages; /* of an IPU */
};

static const struct run runs[] = {
	{ "pipelined", STRATEGY_PIPELINED, true, false, 10, 2, 1, 2, 1 },
	{ "recomputed", STRATEGY_PIPELINED, true, true, 7, 1, 1, 1, 1 },
	{ "interleaved", STRATEGY_INTERLEAVED, true, false, 8, 2, 1, 1, 1 },
	{ "sharded", STRATEGY_SHARDED, true, false, 3, 2, 1, 1, 1 },
	{ "one IPU", STRATEGY_ONE_IPU, true, false, 3, 1, 1, 1, 1 },
	{ "two stages an IPU", STRATEGY_PIPELINED, true, false, 8, 1, 1, 1, 2 },
	{ "two replicas", STRATEGY_PIPELINED, true, false, 7, 2, 2, 2, 1 },
	{ "inference", STRATEGY_PIPELINED, false, false, 1, 9, 1, 3, 1 },
	{ "more columns than are drawn", STRATEGY_PIPELINED, true, false, 80, 1,
	    1, 1, 1 },
	{ "more steps than are to scale", STRATEGY_PIPELINED, true, false, 800,
	    1, 1, 1, 1 },
	{ "twelve calls", STRATEGY_PIPELINED, true, false, 7, 1, 1, 12, 1 },
};

/* What the test itself adds up from the engine's traces. */
struct sums {
	int64_t busy_ns;
	long forward, backward, update;
};

struct made {
	struct engine_config config;
	struct memory memory;
	struct cycles cycles;
	struct collective *collective;
	struct sums sums;
};

static void
add_sums(struct made *m, const struct engine *e, int ipus)
{
	const struct trace *t;
	int r, i, k;

	for (r = 0; r < m->config.local_replicas; r++) {
		for (i = 0; i < ipus; i++) {
			t = engine_trace(e, r, i);
			for (k = 0; k < t->count; k++) {
				const struct trace_event *v = &t->events[k];

				if (v->kind > TRACE_UPDATE)
					continue;
				m->sums.busy_ns += v->end_ns - v->start_ns;
				m->sums.forward += v->kind == TRACE_FORWARD;
				m->sums.backward += v->kind == TRACE_BACKWARD;
				m->sums.update += v->kind == TRACE_UPDATE;
			}
		}
	}
}

/* Cycles as round numbers: a column takes 1000, exchange 100 behind it. */
static void
make_cycles(struct cycles *c, const struct engine_config *config)
{
	static const enum trace_kind kinds[] = {
		[STEP_FORWARD] = TRACE_FORWARD,
		[STEP_BACKWARD] = TRACE_BACKWARD,
		[STEP_UPDATE] = TRACE_UPDATE,
	};
	struct schedule_config plan = engine_config_schedule(config);
	struct schedule s;
	int i, ipu;

	if (schedule_init(&s, &plan, NULL) == -1)
		abort();
	*c = (struct cycles){ .target = { .tiles = 1472, .clock_mhz = 1330 },
		.ipu_count = s.ipus,
		.stage_count = config->stages,
		.stages = xcalloc((size_t)config->stages, sizeof(*c->stages)),
		.events = xcalloc((size_t)s.step_count * 2, sizeof(*c->events)),
		.update = config->training ? 1000 : 0 };
	c->total = (int64_t)s.columns * 1100 + c->update;
	for (i = 0; i < config->stages; i++)
		c->stages[i] = (struct cycles_stage){ .forward = 1000,
			.backward = 1000,
			.update = 1000 };
	for (ipu = 0; ipu < s.ipus; ipu++) {
		for (i = 0; i < s.step_count; i++) {
			const struct step *t = &s.steps[i];
			const int64_t at = t->column * 1100;

			if (t->ipu != ipu)
				continue;
			c->events[c->event_count++] = (struct cycles_event){
				kinds[t->kind], ipu, *t, -1, 0, at, at + 1000
			};
			if (t->kind == STEP_FORWARD &&
			    t->stage < config->stages - 1)
				c->events[c->event_count++] =
				    (struct cycles_event){ TRACE_EXCHANGE, ipu,
					    *t,
					    schedule_ipu(&plan, t->stage + 1),
					    640, at + 1000, at + 1100 };
		}
	}
	schedule_release(&s);
}

static void
configure(struct made *m, const struct run *r)
{
	const struct memory_target target = memory_target(0);
	struct collective_config c = {
		.total = r->replicas,
		.local = r->replicas,
		.part_count = STAGES,
		.join_seconds = 10,
	};
	int i;

	*m = (struct made){ .config = {
				.model = &model,
				.kernels = kernels_choose(NULL),
				.stages = STAGES,
				.stage_blocks = { 1, 1, 1, 1 },
				.strategy = r->strategy,
				.training = r->training,
				.recompute = r->recompute,
				.output_mode = OUTPUT_ALL,
				.micro_batch = 4,
				.gradient_accumulation = r->accumulation,
				.device_iterations = r->iterations,
				.local_replicas = r->replicas,
				.total_replicas = r->replicas,
				.optimiser = optimiser_defaults(OPTIMISER_ADAMW,
				    0.001),
				.mean = 0.1307f,
				.deviation = 0.3081f,
				.trace = true,
			    } };
	for (i = 0; i < STAGES; i++) {
		const struct block *b = &model.blocks[i];
		int l;

		m->config.stage_ipu[i] = i / r->stages;
		for (l = 0; l < b->layer_count; l++)
			c.floats[i] +=
			    model.layers[b->first_layer + l].weights +
			    model.layers[b->first_layer + l].biases;
	}
	if (r->replicas > 1)
		m->collective = collective_open(&c, NULL);
	m->config.collective = m->collective;
	memory_init(&m->memory, &m->config, &target);
	make_cycles(&m->cycles, &m->config);
}

static void
release(struct made *m)
{
	memory_release(&m->memory);
	free(m->cycles.stages);
	free(m->cycles.events);
	collective_close(m->collective, false);
}

/* Run and profile; only calls that trace.json has count in the sums. */
static void
make_profile(struct made *m, const struct run *r)
{
	const struct profile_about about = {
		.program = "profile_test",
		.command = "profile_test <&\"> \xff",
		.model = "a<b>&\"c\"",
		.engine = r->training ? "training" : "inference",
		.device = "no device",
		.instance = 0,
	};
	struct error error = { .text = "" };
	struct engine_input input = { digits.pixels, digits.labels, order };
	struct engine *e;
	struct profile *p;
	float *parameters;
	int i;

	configure(m, r);
	e = engine_start(&m->config, &error);
	p = profile_open("made", &about, &m->config, &m->memory, &m->cycles,
	    &error);
	if (e == NULL || p == NULL) {
		printf("# %s\n", error.text);
		abort();
	}
	parameters = xcalloc(model.parameter_count, sizeof(float));
	model_initialise(&model, 7, parameters);
	engine_set_parameters(e, parameters);
	free(parameters);
	for (i = 0; i < r->calls; i++) {
		if (engine_call(e, &input, &error) == -1)
			abort();
		profile_call(p, e);
		if (i < TRACE_CALLS)
			add_sums(m, e, m->cycles.ipu_count);
	}
	ok(profile_close(p, &error) == 0, r->name);
	engine_stop(e);
}

static char *
made_file(bool training, const char *name)
{
	char *path = xasprintf("made/%s/%s",
	    training ? "training" : "inference", name);
	size_t size;
	char *text = file_read(path, TEXT_MAX, &size, NULL);

	free(path);
	return text == NULL ? xstrdup("") : text;
}

static yyjson_doc *
made_json(bool training, const char *name)
{
	char *text = made_file(training, name);
	yyjson_doc *doc = yyjson_read(text, strlen(text), 0);

	free(text);
	return doc;
}

static void
check_trace(const struct made *m, const struct run *r)
{
	yyjson_doc *doc = made_json(r->training, "trace.json");
	const long iterations = r->training ? r->iterations : 1;
	const long micro_batches = r->training ?
	    r->accumulation :
	    r->iterations;
	const long calls = r->calls < TRACE_CALLS ? r->calls : TRACE_CALLS;
	const long tensors = (STAGES - 1) * micro_batches * iterations *
	    (r->training ? 2 : 1);
	int64_t ns = 0;

	ok(doc != NULL && trace_util_read(doc), "trace.json is JSON of events");
	ok(trace_util_slices_nest(), "slices of a row follow one another");
	ok(trace_util_counters_end(),
	    "counters: not below zero, zero in the end");
	is_int(trace_util_flows(), tensors * (calls * r->replicas + 1),
	    "a flow for each tensor that goes to another stage");
	is_int(trace_util_count(true, 'X', "forward", &ns), m->sums.forward,
	    "forwards");
	is_int(trace_util_count(true, 'X', "backward", &ns), m->sums.backward,
	    "backwards");
	is_int(trace_util_count(true, 'X', "update", &ns), m->sums.update,
	    "updates");
	(void)trace_util_count(true, 'X', "recompute", &ns);
	is_int(ns, m->sums.busy_ns, "all that the engine computed, to the ns");
	is_int(trace_util_count(true, 'i', "weight update", NULL),
	    m->sums.update, "an instant an update");
	is_int(trace_util_count(false, 'X', "forward", NULL),
	    STAGES * micro_batches * iterations,
	    "by the model's clock, one call");
	yyjson_doc_free(doc);
}

/* Steps of a kind in the columns that pictures show; *columns: of all. */
static long
drawn_steps(const struct made *m, enum step_kind kind, int *columns)
{
	struct schedule_config plan = engine_config_schedule(&m->config);
	struct schedule s;
	long count = 0;
	int i;

	if (schedule_init(&s, &plan, NULL) == -1)
		abort();
	for (i = 0; i < s.step_count; i++)
		count += s.steps[i].kind == kind &&
		    s.steps[i].column < PROFILE_COLUMNS;
	*columns = s.columns;
	schedule_release(&s);
	return count;
}

/* Elements of an array whose member at that place is that number. */
static long
count_of(yyjson_val *array, size_t place, int64_t n)
{
	yyjson_arr_iter it;
	yyjson_val *v;
	long count = 0;

	yyjson_arr_iter_init(array, &it);
	while ((v = yyjson_arr_iter_next(&it)) != NULL)
		count += yyjson_get_sint(yyjson_arr_get(v, place)) == n;
	return count;
}

/* Fill, main and flush: how often the phase of the steps changes. */
static long
count_phases(yyjson_val *steps)
{
	const char *last = "", *phase;
	yyjson_arr_iter it;
	yyjson_val *v;
	long count = 0;

	yyjson_arr_iter_init(steps, &it);
	while ((v = yyjson_arr_iter_next(&it)) != NULL) {
		phase = yyjson_get_str(yyjson_arr_get(v, 5));
		if (phase == NULL)
			continue;
		count += strcmp(phase, last) != 0;
		last = phase;
	}
	return count;
}

/* Spans of the forwards of each device iteration, by both clocks. */
static void
check_spans(const struct run *r, yyjson_val *pictures)
{
	const long each = STAGES *
	    (r->training ? r->accumulation : r->iterations);
	const int iterations = r->training ? r->iterations : 1;

	is_int(count_of(yyjson_obj_get(pictures, "modelled"), 0, TRACE_FORWARD),
	    each, "forwards to scale, modelled");
	is_int(count_of(yyjson_obj_get(pictures, "host"), 0, TRACE_FORWARD),
	    each * iterations, "and of the host's");
	is_int((long)report_figure(pictures, "iterations"), iterations,
	    "of all device iterations");
	ok(count_of(yyjson_obj_get(pictures, "host"), 5, iterations - 1) > 0,
	    "also the last one");
}

/* Of a device iteration with too many steps its first columns, whole. */
static void
check_cut_spans(yyjson_val *pictures, int columns, long steps)
{
	const long kept = (long)columns * (PROFILE_STEPS / 2) / steps;
	static const char *const clocks[] = { "modelled", "host" };
	yyjson_val *spans;
	size_t i;

	is_int((long)report_figure(pictures, "columns"), kept,
	    "the columns that are kept");
	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		spans = yyjson_obj_get(pictures, clocks[i]);
		ok(count_of(spans, 4, kept) > 0 &&
			count_of(spans, 4, kept + 1) == 0,
		    clocks[i]);
	}
}

/* What the page draws: the schedule's boxes, spans and tiles. */
static void
check_pictures(const struct made *m, const struct run *r, yyjson_val *pictures)
{
	yyjson_val *steps = yyjson_obj_get(pictures, "steps");
	yyjson_val *tiles = yyjson_obj_get(pictures, "tiles");
	int columns;
	const long blue = drawn_steps(m, STEP_FORWARD, &columns);
	const long red = drawn_steps(m, STEP_BACKWARD, &columns);
	const bool cut = columns > PROFILE_COLUMNS;
	const long boxes = STAGES *
	    (r->training ? r->accumulation : r->iterations);

	is_int(count_of(steps, 0, STEP_FORWARD), cut ? blue : boxes,
	    "blue boxes");
	is_int(count_of(steps, 0, STEP_BACKWARD),
	    cut		    ? red :
		r->training ? boxes :
			      0,
	    "red boxes");
	is_int(count_of(steps, 0, STEP_UPDATE),
	    cut || !r->training ? 0 : m->cycles.ipu_count, "updates");
	is_int(count_phases(steps),
	    r->strategy == STRATEGY_SHARDED || r->strategy == STRATEGY_ONE_IPU ?
		1 :
		cut ? 2 :
		      3,
	    "fill, main and flush");
	if (boxes < PROFILE_STEPS / 4) {
		is_int((long)report_figure(pictures, "columns"), columns,
		    "all columns");
		check_spans(r, pictures);
	} else {
		check_cut_spans(pictures, columns,
		    2 * boxes + m->cycles.ipu_count);
	}
	is_int((long)yyjson_arr_size(tiles), m->cycles.ipu_count,
	    "tiles of each IPU");
}

static void
check_reports(const struct made *m, const struct run *r)
{
	yyjson_doc *doc = made_json(r->training, "summary.json"), *data;
	yyjson_val *root = yyjson_doc_get_root(doc);
	char *report = made_file(r->training, "report.html");

	is_int((long)report_figure(root, "run.calls"), r->calls, "calls");
	is_int((long)report_figure(root, "run.samples"),
	    (long)r->calls * r->replicas * r->iterations * r->accumulation * 4,
	    "samples");
	is_int((long)report_figure(root, "cycles.iteration"), m->cycles.total,
	    "cycles");
	is_int((long)report_figure(root, "ipus.0.stash.seen"),
	    (long)report_figure(root, "ipus.0.stash.planned"),
	    "IPU 0 kept what was planned");
	data = report_check(report, root);
	check_pictures(m, r,
	    yyjson_obj_get(yyjson_doc_get_root(data), "pictures"));
	is_str(yyjson_get_str(yyjson_ptr_get(yyjson_doc_get_root(data),
		   "/summary/model")),
	    "a<b>&\"c\"", "names from outside are data");
	yyjson_doc_free(data);
	free(report);
	yyjson_doc_free(doc);
}

/* The tutorial's figure, character for character. */
static void
check_grid(void)
{
	char *text = made_file(true, "schedule.txt");
	const char *grid = strstr(text, "\n\ncol   1");

	ok(strstr(text, "utilisation  G / (G + N - 1) = 10/13 = 76.9 %\n") !=
		NULL,
	    "schedule.txt: utilisation");
	ok(strstr(text, "bubble       (N - 1) / (G + N - 1) = 3/13 = 23.1 %") !=
		NULL,
	    "schedule.txt: bubble");
	is_str(grid == NULL ? "" : grid,
	    "\n\ncol   1   2   3   4   5   6   7   8   9  10  11  12  13  14  "
	    "15  16  17  18  19  20  21  22  23  24  25  26\n"
	    "IPU0 F1  F2  F3  F4   .  F5   .  F6   .  F7  B1  F8  B2  F9  B3  "
	    "F10 B4   .  B5   .  B6   .  B7  B8  B9  B10\n"
	    "IPU1  .  F1  F2  F3   .  F4   .  F5  B1  F6  B2  F7  B3  F8  B4  "
	    "F9  B5  F10 B6   .  B7   .  B8  B9  B10  .\n"
	    "IPU2  .   .  F1  F2   .  F3  B1  F4  B2  F5  B3  F6  B4  F7  B5  "
	    "F8  B6  F9  B7  F10 B8   .  B9  B10  .   .\n"
	    "IPU3  .   .   .  F1  B1  F2  B2  F3  B3  F4  B4  F5  B5  F6  B6  "
	    "F7  B7  F8  B8  F9  B9  F10 B10  .   .   .\n",
	    "schedule.txt: the grid");
	free(text);
}

static void
check_pipelined(void)
{
	yyjson_doc *doc = made_json(true, "summary.json");
	yyjson_val *root = yyjson_doc_get_root(doc);
	static const int depths[] = { 7, 5, 3, 1 };
	char path[64];
	int i;

	is_near(report_figure(root, "utilisation.closed_form"), 10.0 / 13,
	    1e-12, "utilisation 10/13");
	is_near(report_figure(root, "bubble.closed_form"), 3.0 / 13, 1e-12,
	    "bubble 3/13");
	for (i = 0; i < STAGES; i++) {
		(void)snprintf(path, sizeof(path), "ipus.%d.stash.seen", i);
		is_int((long)report_figure(root, path), depths[i], path);
	}
	yyjson_doc_free(doc);
	check_grid();
}

/* A directory that is a file; reports of an earlier run. */
static void
test_directory(void)
{
	const struct profile_about about = { "p", "c", "m", "training", "d", 0,
		NULL, 0, NULL };
	struct made m;
	struct error error = { .text = "" };
	struct profile *p;
	FILE *f = fopen("taken", "w");

	if (f == NULL || fclose(f) != 0)
		abort();
	configure(&m, &runs[0]);
	p = profile_open("taken/deep", &about, &m.config, &m.memory, &m.cycles,
	    &error);
	ok(p == NULL, "a file stands where the folder would");
	is_str(error.text,
	    "cannot create directory taken/deep: Not a directory", "its name");
	p = profile_open("a/new/one", &about, &m.config, &m.memory, &m.cycles,
	    &error);
	ok(p != NULL, "folders above it are made");
	ok(profile_close(p, &error) == 0 &&
		access("a/new/one/training/report.html", R_OK) == 0,
	    "a profile without a call is whole");
	p = profile_open("a/new/one", &about, &m.config, &m.memory, &m.cycles,
	    &error);
	ok(access("a/new/one/training/report.html", F_OK) == -1,
	    "a new one takes the old reports away");
	ok(profile_close(p, &error) == 0 && profile_close(NULL, &error) == 0,
	    "closed");
	release(&m);
}

/* The sentence of a run that is interrupted before its first call. */
static void
check_interrupted(long planned, const char *wanted)
{
	struct profile_about about = { "p", "c", "m", "training", "d", 0, NULL,
		planned, NULL };
	struct error error;
	struct made m;
	struct profile *p;
	yyjson_doc *doc, *trace;
	char *report;

	configure(&m, &runs[0]);
	p = profile_open("made", &about, &m.config, &m.memory, &m.cycles,
	    &error);
	if (p == NULL)
		abort();
	is_int(profile_calls(p), 0, "no call yet");
	profile_interrupt(p, "first");
	profile_interrupt(p, "a <signal>");
	ok(profile_close(p, &error) == 0, "closed");
	doc = made_json(true, "summary.json");
	trace = made_json(true, "trace.json");
	is_str(yyjson_get_str(yyjson_ptr_get(yyjson_doc_get_root(doc),
		   "/run/interrupted")),
	    wanted, "summary.json: why");
	ok(yyjson_is_false(yyjson_ptr_get(yyjson_doc_get_root(doc),
	       "/run/complete")),
	    "not complete");
	is_str(yyjson_get_str(yyjson_ptr_get(yyjson_doc_get_root(trace),
		   "/otherData/interrupted")),
	    wanted, "trace.json: why");
	report = made_file(true, "report.html");
	yyjson_doc_free(report_check(report, yyjson_doc_get_root(doc)));
	free(report);
	yyjson_doc_free(trace);
	yyjson_doc_free(doc);
	release(&m);
}

int
main(void)
{
	struct made m;
	size_t i;

	model_tutorial(&model);
	digits_draw(&digits, DATASET_TRAIN, SAMPLES, 1);
	for (i = 0; i < SAMPLES; i++)
		order[i] = (uint32_t)i;
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		make_profile(&m, &runs[i]);
		check_trace(&m, &runs[i]);
		check_reports(&m, &runs[i]);
		if (i == 0)
			check_pipelined();
		release(&m);
	}
	test_directory();
	check_interrupted(0,
	    "interrupted before call 1 was complete: a <signal>");
	check_interrupted(45,
	    "interrupted before call 1 of 45 was complete: a <signal>");
	dataset_release(&digits);
	return tap_done();
}
