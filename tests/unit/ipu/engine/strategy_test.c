/*
 * What the executor really did, over a grid of stages, placements,
 * micro-batches, device iterations and strategies: its trace against the
 * invariants of a pipeline, and weights equal to the bit for all of them.
 */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"
#include "ipu/nn/nn.h"

enum {
	STAGES_MOST = 8,
	PIXELS = 6,
	SAMPLES = 64,
	MICRO_BATCH = 3,
	ITERATIONS_MOST = 3,
	BATCHES_MOST = 2 * STAGES_MOST + 2
};

static uint8_t pixels[SAMPLES * PIXELS];
static uint8_t labels[SAMPLES];
static uint32_t order[BATCHES_MOST * ITERATIONS_MOST * MICRO_BATCH];
static int failures;

static int
apart(int s, int n)
{
	(void)n;
	return s;
}

static int
pairs(int s, int n)
{
	(void)n;
	return s / 2;
}

static int
alternating(int s, int n)
{
	(void)n;
	return s % 2;
}

/* A B C C B A: forward there and back again. */
static int
folded(int s, int n)
{
	return s < n - 1 - s ? s : n - 1 - s;
}

static int
downwards(int s, int n)
{
	return n - 1 - s;
}

static int
together(int s, int n)
{
	(void)s, (void)n;
	return 0;
}

static const struct {
	const char *name;
	int (*ipu)(int s, int n);
} placements[] = { { "an IPU each", apart }, { "in pairs", pairs },
	{ "alternating", alternating }, { "there and back", folded },
	{ "downwards", downwards }, { "all on one", together } };

static const char *const strategies[] = { "pipelined", "interleaved", "sharded",
	"one IPU" };

/* A block a stage, of linear and relu. */
static struct model
make_model(int stages)
{
	struct model m;
	char name[16];
	int s;

	model_init(&m, (struct shape){ PIXELS, 1, 1 });
	for (s = 0; s < stages; s++) {
		struct layer_spec linear = { .kind = LAYER_LINEAR,
			.out = s == stages - 1 ? 4 : 5 + s % 3 };
		struct layer_spec relu = { .kind = LAYER_RELU };

		(void)snprintf(name, sizeof(name), "B%d", s + 1);
		if (model_block(&m, name, -1, NULL) == -1 ||
		    model_add(&m, &linear, NULL) == -1 ||
		    (s < stages - 1 && model_add(&m, &relu, NULL) == -1))
			abort();
	}
	return m;
}

/* What a row of the grid runs. */
struct strategy_run {
	struct engine_config c;
	const char *placement;
	struct schedule schedule;
	struct engine *engine;
	/* [iteration][stage][micro-batch][kind] */
	const struct trace_event *events[ITERATIONS_MOST][STAGES_MOST]
					[BATCHES_MOST * ITERATIONS_MOST][2];
};

static void
must(const struct strategy_run *t, bool condition, const char *what)
{
	if (condition)
		return;
	failures++;
	printf("# %s: N = %d, G = %d, D = %d, %s, %s%s%s\n", what, t->c.stages,
	    t->c.gradient_accumulation, t->c.device_iterations,
	    strategies[t->c.strategy], t->placement,
	    t->c.recompute ? ", recomputed" : "",
	    t->c.training ? "" : ", inference");
}

static bool
is_step(const struct trace_event *e)
{
	return e->kind == TRACE_FORWARD || e->kind == TRACE_BACKWARD ||
	    e->kind == TRACE_UPDATE;
}

static bool
is_busy(const struct trace_event *e)
{
	return is_step(e) || e->kind == TRACE_RECOMPUTE;
}

static int
iterations_of(const struct strategy_run *t)
{
	return t->c.training ? t->c.device_iterations : 1;
}

static int
batches_of(const struct strategy_run *t)
{
	return t->schedule.config.micro_batches;
}

/* Invariants 1 and 3: an IPU ran its rows, in order, one at a time. */
static void
check_rows(struct strategy_run *t, int ipu)
{
	const struct trace *trace = engine_trace(t->engine, 0, ipu);
	const struct schedule *s = &t->schedule;
	int d, i, n = 0;
	int64_t busy_until = 0;

	for (d = 0; d < iterations_of(t); d++) {
		for (i = 0; i < s->step_count; i++) {
			const struct trace_event *e;

			if (s->steps[i].ipu != ipu)
				continue;
			while (n < trace->count && !is_step(&trace->events[n]))
				n++;
			e = &trace->events[n];
			must(t,
			    n < trace->count && e->iteration == d &&
				e->ipu == ipu &&
				memcmp(&e->step, &s->steps[i],
				    sizeof(e->step)) == 0,
			    "another step than planned");
			if (n++ == trace->count)
				return;
			if (e->step.kind != STEP_UPDATE)
				t->events[d][e->step.stage][e->step.micro_batch]
					 [e->step.kind == STEP_BACKWARD] = e;
		}
	}
	for (i = 0; i < trace->count; i++) {
		const struct trace_event *e = &trace->events[i];

		must(t, i < n || !is_step(e), "a step too many");
		if (!is_busy(e))
			continue;
		must(t, e->start_ns >= busy_until && e->end_ns >= e->start_ns,
		    "two steps at a time on an IPU");
		busy_until = e->end_ns;
	}
}

/* Invariant 2, by the clock: nothing begins before what it needs ended. */
static void
check_order(const struct strategy_run *t)
{
	int d, s, m;

	for (d = 0; d < iterations_of(t); d++) {
		for (s = 0; s < t->c.stages; s++) {
			for (m = 0; m < batches_of(t); m++) {
				const struct trace_event *const *here =
				    t->events[d][s][m];
				const struct trace_event *const *next = s + 1 <
					t->c.stages ?
				    t->events[d][s + 1][m] :
				    NULL;

				must(t,
				    next == NULL ||
					next[0]->start_ns >= here[0]->end_ns,
				    "forward too early");
				must(t,
				    !t->c.training ||
					here[1]->start_ns >= here[0]->end_ns,
				    "backward too early");
				must(t,
				    !t->c.training || next == NULL ||
					here[1]->start_ns >= next[1]->end_ns,
				    "backward before that of the next stage");
			}
		}
	}
}

/* Invariants 5 and 10: how deep the stashes were. */
static void
check_stashes(const struct strategy_run *t)
{
	int s, d, m, wanted, most;

	for (s = 0; s < t->c.stages; s++) {
		wanted = schedule_stash_depth(&t->schedule.config, s);
		for (most = 0, d = 0; d < iterations_of(t); d++)
			for (m = 0; m < batches_of(t); m++)
				if (t->events[d][s][m][0]->in_flight > most)
					most = t->events[d][s][m][0]->in_flight;
		must(t, most <= wanted, "a stash too deep");
		must(t, (most == wanted) == (batches_of(t) >= wanted),
		    "a stash less deep than it may be");
	}
	must(t, engine_stash_bytes(t->engine, t->c.stages - 1) == 0,
	    "the last stage has a stash");
}

/* Invariant 6: D updates, each when nothing is in the pipeline. */
static void
check_updates(const struct strategy_run *t)
{
	int d, ipu, i, s, m, updates;

	for (ipu = 0; ipu < t->schedule.ipus; ipu++) {
		const struct trace *trace = engine_trace(t->engine, 0, ipu);

		for (updates = 0, i = 0; i < trace->count; i++) {
			const struct trace_event *e = &trace->events[i];

			if (e->kind != TRACE_UPDATE)
				continue;
			d = e->iteration;
			updates++;
			for (s = 0; s < t->c.stages; s++)
				for (m = 0; m < batches_of(t); m++)
					must(t,
					    t->events[d][s][m][1]->end_ns <=
						e->start_ns,
					    "an update in a full pipeline");
		}
		must(t, updates == (t->c.training ? t->c.device_iterations : 0),
		    "D updates a call");
	}
}

/* Every tensor that crosses to another IPU is there with that IPU. */
static void
check_exchange(const struct strategy_run *t)
{
	int ipu, i, s, wanted = 0, found = 0, stage;

	for (s = 0; s + 1 < t->c.stages; s++)
		if (schedule_ipu(&t->schedule.config, s) !=
		    schedule_ipu(&t->schedule.config, s + 1))
			wanted += (t->c.training ? 2 : 1) * batches_of(t) *
			    iterations_of(t);
	for (ipu = 0; ipu < t->schedule.ipus; ipu++) {
		const struct trace *trace = engine_trace(t->engine, 0, ipu);

		for (i = 0; i < trace->count; i++) {
			const struct trace_event *e = &trace->events[i];

			if (e->kind != TRACE_EXCHANGE) {
				must(t, e->to_ipu == -1, "goes nowhere");
				continue;
			}
			found++;
			stage = e->step.stage +
			    (e->step.kind == STEP_FORWARD ? 1 : -1);
			must(t,
			    e->to_ipu ==
				    schedule_ipu(&t->schedule.config, stage) &&
				e->to_ipu != ipu && e->bytes > 0,
			    "an exchange to the wrong IPU");
		}
	}
	must(t, found == wanted, "exchanges");
}

static uint64_t
hash(const void *data, size_t size)
{
	const unsigned char *bytes = data;
	uint64_t sum = 0xcbf29ce484222325u;

	while (size-- > 0)
		sum = (sum ^ *bytes++) * 0x100000001b3u;
	return sum;
}

/* Run two calls; the bits of the weights, or of inference's outputs. */
static uint64_t
run(struct strategy_run *t, bool check)
{
	struct engine_input input = { pixels, labels, order };
	const struct schedule_config sc = engine_config_schedule(&t->c);
	struct error error = { .text = "" };
	float *parameters;
	const float *outputs;
	uint64_t sum;
	int ipu, count;

	t->c.trace = check;
	if (schedule_init(&t->schedule, &sc, &error) == -1 ||
	    (t->engine = engine_start(&t->c, &error)) == NULL) {
		printf("# %s\n", error.text);
		abort();
	}
	parameters = xcalloc(t->c.model->parameter_count, sizeof(float));
	model_initialise(t->c.model, 7, parameters);
	engine_set_parameters(t->engine, parameters);
	free(parameters);
	if (engine_call(t->engine, &input, &error) == -1 ||
	    engine_call(t->engine, &input, &error) == -1)
		abort();
	for (ipu = 0; check && ipu < t->schedule.ipus; ipu++)
		check_rows(t, ipu);
	if (check && failures == 0) {
		check_order(t);
		check_stashes(t);
		check_updates(t);
		check_exchange(t);
	}
	outputs = engine_outputs(t->engine, &count);
	sum = t->c.training ?
	    engine_checksum(t->engine, 0) :
	    hash(outputs, (size_t)count * MICRO_BATCH * 4 * sizeof(float));
	schedule_release(&t->schedule);
	return sum;
}

static struct engine_config
config_of(const struct model *m, int g, int d, bool training)
{
	struct engine_config c = {
		.model = m,
		.kernels = kernels_choose(NULL),
		.stages = m->block_count,
		.training = training,
		.micro_batch = MICRO_BATCH,
		.gradient_accumulation = training ? g : 1,
		.device_iterations = d,
		.local_replicas = 1,
		.total_replicas = 1,
		.output_mode = OUTPUT_ALL,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.01),
		.mean = 0.5f,
		.deviation = 0.5f,
	};
	int s;

	for (s = 0; s < c.stages; s++)
		c.stage_blocks[s] = 1;
	return c;
}

/* One strategy in one placement, kept and recomputed. */
static void
try(struct engine_config c, const char *where, uint64_t wanted)
{
	struct strategy_run t;
	size_t kept[STAGES_MOST];
	int s, recompute;

	for (recompute = 0; recompute <= c.training; recompute++) {
		c.recompute = recompute != 0;
		t = (struct strategy_run){ .c = c, .placement = where };
		must(&t, run(&t, true) == wanted, "other bits");
		for (s = 0; s < c.stages; s++) {
			const size_t bytes = engine_stash_bytes(t.engine, s);

			must(&t,
			    !c.recompute || bytes < kept[s] || kept[s] == 0,
			    "recomputation keeps as much");
			kept[s] = bytes;
		}
		engine_stop(t.engine);
	}
}

/* All strategies and placements of one model with G and D. */
static void
test_grid(const struct model *m, int g, int d, bool training)
{
	struct engine_config c = config_of(m, g, d, training);
	struct strategy_run reference = { .c = c };
	uint64_t wanted;
	enum strategy strategy;
	size_t p;
	int s;

	reference.c.strategy = STRATEGY_ONE_IPU;
	wanted = run(&reference, false);
	engine_stop(reference.engine);
	for (p = 0; p < ARRAY_SIZE(placements); p++) {
		for (s = 0; s < c.stages; s++)
			c.stage_ipu[s] = placements[p].ipu(s, c.stages);
		for (strategy = STRATEGY_PIPELINED;
		     strategy <= STRATEGY_ONE_IPU; strategy++) {
			c.strategy = strategy;
			if (strategy != STRATEGY_ONE_IPU || p == 0)
				try(c, placements[p].name, wanted);
		}
	}
}

/* Invariant 8: the engine does not start. */
static void
test_refusals(const struct model *m)
{
	struct engine_config c = config_of(m, 2 * m->block_count - 2, 2, true);
	struct error e = { .text = "" };
	int s;

	for (s = 0; s < c.stages; s++)
		c.stage_ipu[s] = s % 2;
	ok(engine_start(&c, &e) == NULL &&
		strstr(e.text,
		    "gradientAccumulation must be greater than or equal to the "
		    "number of pipeline stages (7) when") != NULL,
	    "G < 2N - 1 is refused");
	c.strategy = STRATEGY_INTERLEAVED;
	ok(engine_start(&c, &e) == NULL, "also for the interleaved one");
	c = config_of(m, 1, m->block_count - 1, false);
	ok(engine_start(&c, &e) == NULL &&
		strstr(e.text,
		    "deviceIterations must be greater than or equal to the "
		    "number of pipeline stages (4) when") != NULL,
	    "D < N is refused");
}

int
main(void)
{
	struct rng rng;
	char name[64];
	size_t i;
	int n;

	rng_init(&rng, 1, 1);
	for (i = 0; i < sizeof(pixels); i++)
		pixels[i] = (uint8_t)rng_below(&rng, 256);
	for (i = 0; i < SAMPLES; i++)
		labels[i] = (uint8_t)rng_below(&rng, 4);
	for (i = 0; i < ARRAY_SIZE(order); i++)
		order[i] = rng_below(&rng, SAMPLES);
	for (n = 1; n <= STAGES_MOST; n++) {
		struct model m = make_model(n);

		failures = 0;
		test_grid(&m, 2 * n - 1, 1, true);
		test_grid(&m, 2 * n - 1, 3, true);
		test_grid(&m, 2 * n + 2, 2, true);
		(void)snprintf(name, sizeof(name), "%d stages: training", n);
		is_int(failures, 0, name);
		failures = 0;
		test_grid(&m, 1, n, false);
		test_grid(&m, 1, n + 5, false);
		(void)snprintf(name, sizeof(name), "%d stages: inference", n);
		is_int(failures, 0, name);
		if (n == 4)
			test_refusals(&m);
	}
	return tap_done();
}
