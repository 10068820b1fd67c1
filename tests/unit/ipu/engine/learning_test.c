/*
 * The tutorial's model on drawn digits: something is learnt, and inference
 * says the same whatever the strategy.
 */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"
#include "ipu/nn/dataset.h"
#include "ipu/nn/digits.h"
#include "ipu/nn/rng.h"

enum {
	SAMPLES = 4000,
	STAGES = 4,
	MICRO_BATCH = 12,
	ACCUMULATION = 9,
	ITERATIONS = 2,
	A_CALL = MICRO_BATCH * ACCUMULATION * ITERATIONS
};

static struct model	model;
static struct dataset	digits;
static uint32_t		order[SAMPLES];

static struct engine_config
config_of(enum strategy strategy)
{
	return (struct engine_config){
		.model = &model,
		.kernels = kernels_choose(NULL),
		.stages = STAGES,
		.stage_blocks = { 1, 1, 1, 1 },
		.stage_ipu = { 0, 1, 2, 3 },
		.strategy = strategy,
		.training = true,
		.output_mode = OUTPUT_ALL,
		.micro_batch = MICRO_BATCH,
		.gradient_accumulation = ACCUMULATION,
		.device_iterations = ITERATIONS,
		.local_replicas = 1,
		.total_replicas = 1,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
		.mean = 0.1307f,
		.deviation = 0.3081f
	};
}

static void
test_learning(void)
{
	static const enum strategy strategies[] = { STRATEGY_PIPELINED,
	    STRATEGY_INTERLEAVED, STRATEGY_SHARDED, STRATEGY_ONE_IPU };
	struct engine_config	c = config_of(STRATEGY_PIPELINED);
	struct engine_config	i;
	struct engine_input	input = { digits.pixels, digits.labels, order };
	struct engine		*e = engine_start(&c, NULL), *inference;
	const struct outcome	*o;
	float			*parameters;
	int			 n, k, calls = SAMPLES / A_CALL, correct[4];
	double			 first = 0, last = 0;

	parameters = xcalloc(model.parameter_count, sizeof(float));
	model_initialise(&model, 7, parameters);
	engine_set_parameters(e, parameters);
	for (n = 0; n < 4 * calls; n++) {
		input.order = order + n % calls * A_CALL;
		(void)engine_call(e, &input, NULL);
		o = engine_outcomes(e, &k);
		while (k-- > 0)
			*(n < calls ? &first : &last) += n < calls ||
			    n >= 3 * calls ? o[k].loss : 0;
	}
	ok(last < first / 3, "the loss of epoch 4 is under a third of epoch 1");
	engine_parameters(e, 0, parameters);
	engine_stop(e);

	/* Inference, all ways: the same answers. */
	input.order = order;
	i = config_of(STRATEGY_PIPELINED);
	i.training = false;
	i.gradient_accumulation = 1;
	i.micro_batch = 8;
	i.device_iterations = 100;
	for (n = 0; n < 4; n++) {
		i.strategy = strategies[n];
		inference = engine_start(&i, NULL);
		engine_set_parameters(inference, parameters);
		is_int(engine_samples(inference), 800, "samples of a call");
		(void)engine_call(inference, &input, NULL);
		o = engine_outcomes(inference, &k);
		correct[n] = 0;
		while (k-- > 0)
			correct[n] += o[k].correct;
		engine_stop(inference);
	}
	printf("# %d of 800 right\n", correct[0]);
	ok(correct[0] > 640, "at least 80 % are right");
	is_int(correct[1], correct[0], "interleaved inference");
	is_int(correct[2], correct[0], "sharded inference");
	is_int(correct[3], correct[0], "inference on one IPU");
	free(parameters);
}

int
main(void)
{
	struct rng	rng;
	uint32_t	i;

	model_tutorial(&model);
	digits_draw(&digits, DATASET_TRAIN, SAMPLES, 1);
	for (i = 0; i < SAMPLES; i++)
		order[i] = i;
	rng_init(&rng, 1, 1);
	rng_shuffle(&rng, order, SAMPLES);
	test_learning();
	dataset_release(&digits);
	return tap_done();
}
