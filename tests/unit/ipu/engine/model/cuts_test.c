/*
 * Cuts: against every cut there is, and on a model whose best cut one knows;
 * trials: what they take for a sample, and what they refuse.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/model/trial.h"
#include "tests/unit/tap.h"

static struct model_file file;

/* A model of as many blocks as there are numbers: linear layers that wide. */
static void
make_model(struct model *m, const int *widths, int count)
{
	const struct layer_spec flat = { .kind = LAYER_FLATTEN };
	struct error e;
	char name[BLOCK_NAME_SIZE];
	int i;

	model_init(m, (struct shape){ 1, 8, 8 });
	for (i = 0; i < count; i++) {
		const struct layer_spec linear = { .kind = LAYER_LINEAR,
			.out = widths[i] };

		(void)snprintf(name, sizeof(name), "L%d", i);
		if (model_block(m, name, -1, &e) != 0 ||
		    (i == 0 && model_add(m, &flat, &e) != 0) ||
		    model_add(m, &linear, &e) != 0)
			abort();
	}
}

static struct engine_config
config_of(const struct model *m, enum strategy strategy, bool training)
{
	return (struct engine_config){ .model = m,
		.strategy = strategy,
		.training = training,
		.output_mode = OUTPUT_ALL,
		.micro_batch = 16,
		.gradient_accumulation = training ? 24 : 1,
		.device_iterations = training ? 1 : 24,
		.local_replicas = 1,
		.total_replicas = 1,
		.optimiser = file.optimiser };
}

static double
time_of(struct engine_config c, const struct cycles_target *clock, int stages,
    const int *blocks)
{
	int i;

	c.stages = stages;
	for (i = 0; i < stages; i++) {
		c.stage_blocks[i] = blocks[i];
		c.stage_ipu[i] = i;
	}
	return trial_cycles(&c, clock);
}

/* The best of all cuts: stages of blocks from `stage` on, `left` blocks. */
static double
best_of_all(const struct engine_config *c, const struct cycles_target *clock,
    int stages, int stage, int left, int *blocks)
{
	double best = 1e300, one;
	int n;

	if (stage == stages - 1) {
		blocks[stage] = left;
		return time_of(*c, clock, stages, blocks);
	}
	for (n = 1; n <= left - (stages - 1 - stage); n++) {
		blocks[stage] = n;
		one = best_of_all(c, clock, stages, stage + 1, left - n,
		    blocks);
		if (one < best)
			best = one;
	}
	return best;
}

static void
check_model(const struct model *m, int most, double tolerance, const char *name)
{
	static const enum strategy strategies[] = { STRATEGY_PIPELINED,
		STRATEGY_INTERLEAVED, STRATEGY_SHARDED };
	const struct cycles_target clock = cycles_target_of(1330);
	struct engine_config c;
	int found[SCHEDULE_STAGES_MAX], all[SCHEDULE_STAGES_MAX];
	int stages, training, sum, i;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(strategies); k++) {
		for (training = 0; training <= 1; training++) {
			c = config_of(m, strategies[k], training);
			for (stages = 1;
			     stages <= m->block_count && stages <= most;
			     stages++) {
				cuts_find(&c, &clock, stages, found);
				for (sum = i = 0; i < stages; i++)
					sum += found[i];
				is_int(sum, m->block_count, "all blocks");
				ok(time_of(c, &clock, stages, found) <=
					tolerance *
					    best_of_all(&c, &clock, stages, 0,
						m->block_count, all),
				    name);
			}
		}
	}
}

static void
test_cuts(void)
{
	static const int even[] = { 64, 64, 64, 64, 64, 64, 64, 64 };
	static const int one_large[] = { 32, 32, 4096, 4096, 32, 32, 32, 10 };
	static const int many[] = { 64, 256, 64, 64, 1024, 64, 32, 64, 64, 512,
		128, 64, 64, 2048, 64, 16, 64, 128, 64, 64, 64, 10 };
	static const int falling[] = { 2048, 1024, 512, 256, 128, 64, 32, 10 };
	const struct cycles_target clock = cycles_target_of(1330);
	struct engine_config c;
	struct model *m = xmalloc(sizeof(*m));
	struct error e;
	int blocks[SCHEDULE_STAGES_MAX];

	make_model(m, one_large, ARRAY_SIZE(one_large));
	check_model(m, 4, 1.01, "one large layer");
	c = config_of(m, STRATEGY_PIPELINED, true);
	cuts_find(&c, &clock, 8, blocks);
	is_int(blocks[0] + blocks[7], 2, "eight blocks, eight stages");
	make_model(m, falling, ARRAY_SIZE(falling));
	check_model(m, 4, 1.01, "ever smaller layers");
	make_model(m, many, ARRAY_SIZE(many));
	check_model(m, 4, 1.1, "more cuts than are all tried");
	make_model(m, even, ARRAY_SIZE(even));
	check_model(m, 8, 1.01, "equal layers");
	c = config_of(m, STRATEGY_PIPELINED, false);
	cuts_find(&c, &clock, 4, blocks);
	is_int(blocks[0], 2, "equal layers in equal stages");
	is_int(blocks[1], 2, "two each");
	if (model_file_builtin(&file, "lenet5", &e) != 0)
		abort();
	check_model(&file.model, 4, 1.01, "lenet5");
	free(m);
}

/* The schedule by hand: N = 1, G = 1, nothing but the stage and the update. */
static void
test_cycles(void)
{
	const struct cycles_target clock = cycles_target_of(1330);
	struct engine_config c;
	struct cycles cycles;
	double few, many;

	c = config_of(&file.model, STRATEGY_PIPELINED, true);
	c.stages = 1;
	c.stage_blocks[0] = file.model.block_count;
	c.gradient_accumulation = 1;
	cycles_init(&cycles, &c, &clock);
	is_near(trial_cycles(&c, &clock), (double)cycles_call(&cycles) / 16,
	    1e-9, "a call over its samples");
	c.device_iterations = 7;
	is_near(trial_cycles(&c, &clock), (double)cycles_call(&cycles) / 16,
	    1e-9, "device iterations come one after the other");
	cycles_release(&cycles);
	c.gradient_accumulation = 10000;
	few = trial_cycles(&c, &clock);
	c.gradient_accumulation = 1000000;
	many = trial_cycles(&c, &clock);
	is_near(many, few, 0.001 * few, "a million are told soon");
}

static int
make_trial(struct trial *t, const struct trial_run *r, const char *stages,
    bool auto_round, struct error *e)
{
	const struct trial_device device = { cycles_target_of(1330),
		memory_target(0) };
	struct model_file *f = xmalloc(sizeof(*f));
	int status;

	*f = file;
	status = stages_parse(&f->stages, &f->model, stages, e);
	if (status == 0)
		status = trial_make(t, r, &device, f, auto_round, true, e);
	free(f);
	return status;
}

static void
test_refused(void)
{
	struct trial_run r = { .file = &file,
		.base = { .local_replicas = 1, .total_replicas = 1 } };
	struct trial t;
	struct error e;

	is_int(make_trial(&t, &r, "C1/C3/C5/F6", false, &e), 0, "as it is");
	is_int(t.ipus, 4, "on four IPUs");
	is_int(make_trial(&t, &r, "C1/C3/C5,F6", false, &e), -1, "three");
	is_int(make_trial(&t, &r, "C1/C3/C5,F6", true, &e), 0, "rounded up");
	is_int(t.ipus, 4, "to four");
	r.base.local_replicas = r.base.total_replicas = 3;
	is_int(make_trial(&t, &r, "C1/C3/C5/F6", false, &e), -1,
	    "twelve are no power of two");
	r.base.local_replicas = r.base.total_replicas = 32;
	is_int(make_trial(&t, &r, "C1/C3/C5/F6", true, &e), -1,
	    "more than 64 IPUs");
	r.base.local_replicas = r.base.total_replicas = 1;
	file.gradient_accumulation = 6;
	is_int(make_trial(&t, &r, "C1/C3/C5/F6", false, &e), -1,
	    "fewer than 2N - 1 micro-batches");
	is_int(make_trial(&t, &r, "C1/C3,C5/F6@0", true, &e), 0,
	    "enough for three stages");
	file.gradient_accumulation = 10;
	r.train_samples = 3999;
	is_int(make_trial(&t, &r, "C1/C3/C5/F6", false, &e), -1,
	    "a call takes 4,000 samples");
	is_str(e.text, "there are too few samples for one call",
	    "which it says");
	r.train_samples = 4000;
	r.test_samples = 799;
	is_int(make_trial(&t, &r, "C1/C3/C5/F6", false, &e), -1,
	    "one of the test 800");
	r.test_samples = 800;
	is_int(make_trial(&t, &r, "C1/C3/C5/F6", false, &e), 0, "just so");
}

int
main(void)
{
	test_cuts();
	test_cycles();
	test_refused();
	return tap_done();
}
