/*
 * Findings: each one's command is planned as the program would plan it, and its
 * modelled clock held against what was promised; over models, strategies,
 * micro-batches, memory and both engines.
 */
#include <bsd/string.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/train/train.h"
#include "core/base/alloc.h"
#include "core/base/strvec.h"
#include "ipu/engine/engine.h"
#include "ipu/profile/advice.h"
#include "tests/unit/tap.h"

enum { STEPS_MAX = 12, COMMAND_SIZE = 1024 };

extern const struct applet mnist_pipeline_applet, ipubox_train_applet;

/* A run as its command line asks for it, and the profile of one engine. */
struct planned {
	struct strvec words;
	struct train_options *o;
	struct trial_run run;
	struct run_plan plan;
	struct memory memory;
	struct cycles cycles;
	struct profile_data data;
	struct findings *findings;
};

/* What the runs of this test have besides their command line. */
static struct {
	bool training;
	int ipus_max;
	long train_samples, test_samples;
	bool poprun, resumes;
	int replicas;
} around = { true, SCHEDULE_IPUS_MAX, 60000, 10000, false, false, 1 };

/* Which topics had advice, one behind the other. */
static char advised[256];

static const struct applet *
applet_of(const char *name)
{
	return strcmp(name, "mnist-pipeline") == 0 ?
	    &mnist_pipeline_applet :
	    &ipubox_train_applet;
}

/* The program's own parser and its own rules; -1: it refuses the command. */
static int
take_words(struct planned *p, struct error *e)
{
	const int argc = (int)p->words.count;
	const struct applet *applet = applet_of(p->words.items[0]);
	const bool script = applet == &mnist_pipeline_applet;
	char **own = xcalloc((size_t)argc + 1, sizeof(*own));
	struct option_parser parser;
	int key, status;

	p->o = xcalloc(1, sizeof(*p->o));
	train_options_init(p->o, argc, p->words.items, applet->options,
	    applet->name);
	memcpy(own, p->words.items, (size_t)argc * sizeof(*own));
	status = model_file_builtin(&p->o->file, script ? "mnist" : own[1], e);
	p->o->choices.script = script;
	options_init(&parser, applet->options, argc, own, false);
	while (status == 0 && (key = options_next(&parser, e)) >= 0)
		status = train_options_take(p->o, key, parser.argument, e);
	if (status == 0)
		status = train_options_check(p->o, e);
	free(own);
	return status;
}

/* The run and its plan.  -1: refused, as the program would. */
static int
plan_words(struct planned *p, struct error *e)
{
	const struct memory_target chip = memory_target(p->o->ipu_memory);
	const struct engine_config base = {
		.local_replicas = around.replicas,
		.total_replicas = around.replicas,
	};

	p->run = (struct trial_run){ .file = &p->o->file,
		.choices = p->o->choices,
		.base = base,
		.train_samples = around.train_samples,
		.test_samples = around.test_samples,
		.ipus_max = around.ipus_max,
		.poprun = around.poprun,
		.resumed = around.resumes ? &p->plan.training : NULL,
		.rows = p->o->rows,
		.argc = p->o->argc,
		.argv = p->o->argv };
	if (run_plan_init(&p->plan, &p->o->file, &base, &p->o->choices, e) != 0)
		return -1;
	memory_init(&p->memory, run_plan_engine(&p->plan, around.training),
	    &chip);
	return 0;
}

static void
profile_plan(struct planned *p, bool finds)
{
	const struct cycles_target clock = cycles_target_of(1330);
	const struct engine_config *c = run_plan_engine(&p->plan,
	    around.training);
	const struct profile_about about = {
		.program = "p",
		.command = "c",
		.model = "m",
		.engine = "e",
		.device = "d",
		.run = &p->run,
	};

	cycles_init(&p->cycles, c, &clock);
	profile_data_init(&p->data, &about, c, &p->memory, &p->cycles);
	p->findings = xcalloc(1, sizeof(*p->findings));
	if (finds)
		findings_init(p->findings, &p->data);
}

static int
planned_open(struct planned *p, const char *line, bool finds)
{
	struct error e = { 0 };
	int status;

	memset(p, 0, sizeof(*p));
	status = strvec_split(&p->words, line, &e);
	if (status == 0)
		status = take_words(p, &e);
	if (status == 0)
		status = plan_words(p, &e);
	if (status == 0)
		profile_plan(p, finds);
	else
		is_str(e.text, "", line);
	return status;
}

static void
planned_close(struct planned *p)
{
	if (p->findings != NULL) {
		profile_data_release(&p->data);
		cycles_release(&p->cycles);
		memory_release(&p->memory);
	}
	if (p->findings != NULL)
		findings_release(p->findings);
	free(p->findings);
	train_options_release(p->o);
	free(p->o);
	strvec_release(&p->words);
}

/* Of a call, by its definition. */
static double
cycles_per_sample(const struct planned *p)
{
	const struct engine_config *c = run_plan_engine(&p->plan,
	    around.training);

	return (double)cycles_call(&p->cycles) /
	    ((double)c->micro_batch * c->gradient_accumulation *
		c->device_iterations);
}

static size_t
fullest_of(const struct memory *m)
{
	size_t most = 0;
	int i;

	for (i = 0; i < m->ipu_count; i++)
		if (m->ipus[i].tiles[m->ipus[i].largest_tile] > most)
			most = m->ipus[i].tiles[m->ipus[i].largest_tile];
	return most;
}

static void
see_topic(const char *topic)
{
	if (strstr(advised, topic) == NULL)
		(void)strlcat(advised, topic, sizeof(advised));
}

/* The command is accepted and gives what was promised. */
static void
check_followed(const struct planned *before, const struct profile_finding *f)
{
	const bool is_room = strcmp(f->topic, "memory") == 0;
	const bool is_same = strstr(f->text, "as fast on") != NULL;
	struct planned after;
	struct error e;
	double gain;

	see_topic(f->topic);
	ok(is_room ||
		f->gain >= (is_same ? ADVICE_SAME_GAIN : ADVICE_LEAST_GAIN),
	    f->command);
	if (planned_open(&after, f->command, false) == 0) {
		gain = cycles_per_sample(before) / cycles_per_sample(&after);
		is_near(f->gain, gain, 0.05 * gain, f->command);
		is_near(f->cycles, cycles_per_sample(&after), 0.05 * f->cycles,
		    f->text);
		is_int(f->ipus, after.plan.ipus, "IPUs");
		ok(f->ipus <= around.ipus_max || around.ipus_max == 0,
		    "there are so many");
		is_int((long long)f->fullest_tile,
		    (long long)fullest_of(&after.memory), "the fullest tile");
		ok(memory_report_check(&after.memory, NULL, &e) == 0,
		    "it fits");
	}
	planned_close(&after);
}

/* All of a run's findings; the best one's command into `next`. */
static double
follow(const char *line, char *next, size_t size)
{
	struct planned p;
	double best = 0;
	bool nothing = true;
	int i;

	if (planned_open(&p, line, true) != 0) {
		planned_close(&p);
		return 0;
	}
	for (i = 0; i < p.findings->count; i++) {
		const struct profile_finding *f = &p.findings->list[i];

		if (f->command == NULL)
			continue;
		nothing = false;
		check_followed(&p, f);
		if (f->gain > best && next != NULL) {
			best = f->gain;
			(void)snprintf(next, size, "%s", f->command);
		}
	}
	if (nothing)
		see_topic("advice");
	ok(nothing ==
		(strcmp(p.findings->list[p.findings->count - 1].topic,
		     "advice") == 0),
	    "either there is advice, or it says that there is none");
	planned_close(&p);
	return best;
}

static void
test_matrix(void)
{
	static const char *const models[] = { "mnist", "lenet5", "mlp" };
	static const char *const strategies[] = { "pipelined", "interleaved",
		"sharded", "one-ipu" };
	static const char *const sizes[] = {
		"--batch-size 40 --gradient-accumulation 7",
		"--batch-size 40 --gradient-accumulation 10",
		"--batch-size 8 --gradient-accumulation 64",
		"--batch-size 400 --gradient-accumulation 8 "
		"--device-iterations 1 --offload-optimiser",
		"--batch-size 1 --gradient-accumulation 7 --recompute "
		"--device-iterations 3 --test-device-iterations 4",
	};
	char line[512];
	size_t m, s, i, step = (size_t)tap_amount(3, 1);

	for (m = 0; m < ARRAY_SIZE(models); m++) {
		for (s = 0; s < ARRAY_SIZE(strategies); s++) {
			for (i = (m + s) % step; i < ARRAY_SIZE(sizes);
			     i += step) {
				(void)snprintf(line, sizeof(line),
				    "ipubox-train %s --strategy %s %s",
				    models[m], strategies[s], sizes[i]);
				(void)follow(line, NULL, 0);
			}
		}
	}
}

static void
test_others(void)
{
	static const char *const lines[] = {
		"mnist-pipeline",
		"mnist-pipeline --strategy sharded",
		"mnist-pipeline --strategy one-ipu --offload-optimiser",
		"mnist-pipeline --strategy=sharded --stages B1/B2/B3,B4 "
		"--auto-round",
		"mnist-pipeline --stages B1,B2,B3/B4",
		"mnist-pipeline --stages B1/B2,B3,B4 --recompute=yes",
		"mnist-pipeline --stages B1/B2/B3/B4@0 --auto-round",
		"mnist-pipeline --gradient-accumulation 500 "
		"--device-iterations 2 --output-mode every-n "
		"--output-return-period 10",
		"ipubox-train lenet5 --auto-stage auto-increment --recompute "
		"--offload-optimiser=on",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++)
		(void)follow(lines[i], NULL, 0);
}

/* Tiles so small that they are full, or too full. */
static void
test_small_memory(void)
{
	char line[256];
	int kb, step = tap_amount(4000, 2000);

	for (kb = 2000; kb <= 40000; kb += step) {
		(void)snprintf(line, sizeof(line),
		    "ipubox-train mnist --batch-size 80 --ipu-memory %dk", kb);
		(void)follow(line, NULL, 0);
	}
}

/* Whoever follows the best advice again and again comes to an end. */
static void
test_to_the_end(void)
{
	static const char *const lines[] = { "ipubox-train mnist",
		"ipubox-train lenet5 --strategy sharded",
		"ipubox-train mlp --strategy one-ipu", "mnist-pipeline" };
	char now[COMMAND_SIZE], next[COMMAND_SIZE];
	size_t i;
	int steps;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		(void)snprintf(now, sizeof(now), "%s", lines[i]);
		for (steps = 0;
		     steps < STEPS_MAX && follow(now, next, sizeof(next)) > 0;
		     steps++)
			(void)snprintf(now, sizeof(now), "%s", next);
		ok(steps < STEPS_MAX, now);
	}
}

/* The finding of a topic that has advice, or NULL. */
static const struct profile_finding *
advice_of(const struct planned *p, const char *topic)
{
	int i;

	for (i = 0; i < p->findings->count; i++)
		if (strcmp(p->findings->list[i].topic, topic) == 0 &&
		    p->findings->list[i].command != NULL)
			return &p->findings->list[i];
	return NULL;
}

/* What there is not room or data for is not advised. */
static void
test_limits(void)
{
	struct planned p;
	const struct profile_finding *f;

	around.ipus_max = 1;
	(void)planned_open(&p, "ipubox-train lenet5 --strategy one-ipu", true);
	ok(advice_of(&p, "IPUs") == NULL, "one IPU is all there is");
	planned_close(&p);
	around.ipus_max = 2;
	(void)planned_open(&p, "ipubox-train lenet5 --strategy one-ipu", true);
	ok((f = advice_of(&p, "IPUs")) != NULL && f->ipus == 2, "or two");
	planned_close(&p);
	around.ipus_max = SCHEDULE_IPUS_MAX;
	around.train_samples = 4000;
	around.test_samples = 800;
	(void)planned_open(&p, "ipubox-train mnist", true);
	ok((f = advice_of(&p, "bubble")) != NULL &&
		strstr(f->command,
		    "--gradient-accumulation 27 --device-iterations 3") != NULL,
	    "a call has the samples that there are");
	planned_close(&p);
	around.train_samples = 400;
	(void)planned_open(&p,
	    "ipubox-train mnist --device-iterations 1 --test-device-iterations "
	    "10",
	    true);
	ok(advice_of(&p, "bubble") == NULL, "or it is not advised");
	planned_close(&p);
	around.train_samples = 60000;
	around.test_samples = 10000;
	around.poprun = true;
	(void)planned_open(&p, "mnist-pipeline", true);
	ok((f = advice_of(&p, "IPUs")) != NULL &&
		strstr(f->text, "Also pass --ipus-per-replica 2 to poprun") !=
		    NULL,
	    "poprun says how many IPUs there are");
	planned_close(&p);
	around.poprun = false;
	around.resumes = true;
	(void)planned_open(&p, "mnist-pipeline --load f --strategy one-ipu",
	    true);
	ok(advice_of(&p, "micro-batch") == NULL &&
		advice_of(&p, "update") == NULL,
	    "a check-point keeps the order of its data");
	ok(advice_of(&p, "IPUs") != NULL, "and may run on others");
	planned_close(&p);
	around.resumes = false;
	around.replicas = 3;
	(void)planned_open(&p, "mnist-pipeline --auto-round", true);
	ok((f = advice_of(&p, "IPUs")) != NULL &&
		strstr(f->text, "2 IPUs of each replica would be free") != NULL,
	    "replicas");
	planned_close(&p);
	around.replicas = 1;
}

/* The command is the user's own, in words that a shell takes. */
static void
test_commands(void)
{
	static const struct {
		const char *line, *topic, *command;
	} rows[] = {
		{ "mnist-pipeline --save 'my file' --strat sharded --seed=3",
		    "IPUs",
		    "mnist-pipeline --save 'my file' --strategy sharded --seed "
		    "3 --stages B1,B2,B3,B4" },
		{ "mnist-pipeline --strategy sharded --data-dir \"it's\"",
		    "strategy",
		    "mnist-pipeline --data-dir 'it'\\''s' --strategy "
		    "interleaved" },
		{ "ipubox-train mnist --recompute --recompute=yes --debug",
		    "recompute", "ipubox-train mnist --debug --recompute=no" },
		{ "ipubox-train lenet5 --auto-stage=auto-increment", "IPUs",
		    "ipubox-train lenet5 --strategy interleaved --stages "
		    "C1,C3/C5,F6" },
	};
	const struct profile_finding *f;
	struct planned p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		(void)planned_open(&p, rows[i].line, true);
		f = advice_of(&p, rows[i].topic);
		is_str(f == NULL ? "none" : f->command, rows[i].command,
		    rows[i].line);
		planned_close(&p);
	}
}

/* Without the run there are facts alone. */
static void
test_without_run(void)
{
	struct planned p;
	struct findings *facts = xcalloc(1, sizeof(*facts));
	int i;

	(void)planned_open(&p, "mnist-pipeline", true);
	p.data.about.run = NULL;
	findings_init(facts, &p.data);
	ok(facts->count >= 4, "there are facts");
	for (i = 0; i < facts->count; i++)
		ok(facts->list[i].command == NULL &&
			strstr(facts->list[i].text, "With --") == NULL &&
			strcmp(facts->list[i].topic, "advice") != 0,
		    facts->list[i].text);
	planned_close(&p);
	findings_release(facts);
	free(facts);
}

int
main(void)
{
	static const char *const topics[] = { "IPUs", "strategy", "balance",
		"bubble", "update", "micro-batch", "memory", "recompute",
		"off-loading", "exchange", "advice" };
	size_t i;

	for (around.training = 1;; around.training = 0) {
		test_matrix();
		test_others();
		test_small_memory();
		test_to_the_end();
		if (!around.training)
			break;
	}
	around.training = true;
	around.ipus_max = 0;
	test_others();
	around.ipus_max = SCHEDULE_IPUS_MAX;
	for (i = 0; i < ARRAY_SIZE(topics); i++)
		ok(strstr(advised, topics[i]) != NULL, topics[i]);
	test_limits();
	test_commands();
	test_without_run();
	return tap_done();
}
