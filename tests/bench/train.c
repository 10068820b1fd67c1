/*
 * How fast the engine runs the tutorial's model on digits that are drawn
 * here: train [SECONDS].  A line a strategy, in training (micro-batches of 40,
 * ten to an update, ten updates a call) and in inference (of 8, 100 a call):
 *
 *	NAME SAMPLES/S BUSY UTILISATION TRACED
 *
 * BUSY is the share of all cores that the process had meanwhile.  UTILISATION
 * is the schedule's, for stages of equal length on IPUs that have a core each;
 * TRACED is what a trace of another call shows: the share of the time from the
 * first step to the last in which an IPU is at work.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"
#include "ipu/nn/nn.h"
#include "tests/unit/tutorial.h"

enum { STAGES = 4, SAMPLES = 4000, ROUNDS = 3 };

struct subject {
	const char *name;
	enum strategy strategy;
	bool training;
};

static const struct subject subjects[] = {
	{ "pipelined", STRATEGY_PIPELINED, true },
	{ "sharded", STRATEGY_SHARDED, true },
	{ "one-ipu", STRATEGY_ONE_IPU, true },
	{ "inference", STRATEGY_PIPELINED, false },
	{ NULL, STRATEGY_PIPELINED, false },
};

static struct model model;
static struct dataset digits;
static uint32_t order[SAMPLES];

static struct engine_config
config_of(const struct subject *s)
{
	return (struct engine_config){ .model = &model,
		.kernels = kernels_choose(NULL),
		.stages = STAGES,
		.stage_blocks = { 1, 1, 1, 1 },
		.stage_ipu = { 0, 1, 2, 3 },
		.strategy = s->strategy,
		.training = s->training,
		.micro_batch = s->training ? 40 : 8,
		.gradient_accumulation = s->training ? 10 : 1,
		.device_iterations = s->training ? 10 : 100,
		.local_replicas = 1,
		.total_replicas = 1,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
		.mean = 0.1307f,
		.deviation = 0.3081f };
}

static double
now_s(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct engine *
start(const struct engine_config *c)
{
	struct error error = { .text = "" };
	struct engine *e = engine_start(c, &error);
	float *parameters;

	if (e == NULL)
		errx(1, "%s", error.text);
	parameters = xcalloc(model.parameter_count, sizeof(float));
	model_initialise(&model, 7, parameters);
	engine_set_parameters(e, parameters);
	free(parameters);
	return e;
}

static void
call(struct engine *e)
{
	const struct engine_input input = { digits.pixels, digits.labels,
		order };
	struct error error = { .text = "" };

	if (engine_call(e, &input, &error) == -1)
		errx(1, "%s", error.text);
}

/* Samples a second of the best round, and the share of the cores it had. */
static double
measure(struct engine *e, double round_s, double *busy)
{
	const double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
	double begin, cpu, took, rate, best = 0;
	long samples;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		begin = now_s(CLOCK_MONOTONIC);
		cpu = now_s(CLOCK_PROCESS_CPUTIME_ID);
		samples = 0;
		do {
			call(e);
			samples += engine_samples(e);
			took = now_s(CLOCK_MONOTONIC) - begin;
		} while (took < round_s);
		rate = (double)samples / took;
		if (rate > best) {
			best = rate;
			*busy = (now_s(CLOCK_PROCESS_CPUTIME_ID) - cpu) / took /
			    cores;
		}
	}
	return best;
}

/* The mean over the IPUs of the share of the call that they compute. */
static double
traced_utilisation(const struct engine_config *config)
{
	struct engine_config c = *config;
	struct engine *e;
	int64_t first = INT64_MAX, last = 0, sum = 0;
	const int ipus = c.strategy == STRATEGY_ONE_IPU ? 1 : STAGES;
	int ipu, i;

	c.trace = true;
	e = start(&c);
	call(e);
	call(e);
	for (ipu = 0; ipu < ipus; ipu++) {
		const struct trace *t = engine_trace(e, 0, ipu);

		for (i = 0; i < t->count; i++) {
			const struct trace_event *v = &t->events[i];

			if (v->kind != TRACE_FORWARD &&
			    v->kind != TRACE_BACKWARD)
				continue;
			sum += v->end_ns - v->start_ns;
			if (v->start_ns < first)
				first = v->start_ns;
			if (v->end_ns > last)
				last = v->end_ns;
		}
	}
	engine_stop(e);
	return (double)sum / (double)(last - first) / ipus;
}

static void
print(const struct subject *s, double round_s)
{
	const struct engine_config c = config_of(s);
	const struct schedule_config sc = engine_config_schedule(&c);
	struct schedule schedule;
	struct engine *e = start(&c);
	double busy = 0, rate;

	call(e);
	rate = measure(e, round_s, &busy);
	engine_stop(e);
	if (schedule_init(&schedule, &sc, NULL) != 0)
		errx(1, "%s: no schedule", s->name);
	printf("%s %.0f %.2f %.2f %.2f\n", s->name, rate, busy,
	    schedule_view_utilisation(&schedule, -1), traced_utilisation(&c));
	schedule_release(&schedule);
}

int
main(int argc, char **argv)
{
	const double round_s = argc > 1 ? strtod(argv[1], NULL) : 2;
	const struct subject *s;
	uint32_t i;

	model_tutorial(&model);
	digits_draw(&digits, DATASET_TRAIN, SAMPLES, 1);
	for (i = 0; i < SAMPLES; i++)
		order[i] = i;
	for (s = subjects; s->name != NULL; s++)
		print(s, round_s);
	dataset_release(&digits);
	return 0;
}
