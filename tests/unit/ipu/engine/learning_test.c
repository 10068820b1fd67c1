/*
 * The tutorial's model on drawn digits: something is learnt, and inference
 * says the same whatever the strategy.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "tests/unit/engine_util.h"
#include "tests/unit/tap.h"

enum {
	SAMPLES = 4000,
	MICRO_BATCH = 12,
	ACCUMULATION = 9,
	ITERATIONS = 2,
	A_CALL = MICRO_BATCH * ACCUMULATION * ITERATIONS
};

static struct engine_util set;

static struct engine_config
config_of(enum strategy strategy)
{
	struct engine_config c = engine_util_config(&set, MICRO_BATCH);

	c.strategy = strategy;
	c.gradient_accumulation = ACCUMULATION;
	c.device_iterations = ITERATIONS;
	return c;
}

static void
test_learning(void)
{
	static const enum strategy strategies[] = { STRATEGY_PIPELINED,
		STRATEGY_INTERLEAVED, STRATEGY_SHARDED, STRATEGY_ONE_IPU };
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	struct engine_config i;
	struct engine_input input = { set.digits.pixels, set.digits.labels,
		set.order };
	struct engine *e = engine_util_start(&c), *inference;
	const struct outcome *o;
	float *parameters;
	int n, k, calls = SAMPLES / A_CALL, correct[4];
	double first = 0, last = 0;

	parameters = xcalloc(set.model.parameter_count, sizeof(float));
	for (n = 0; n < 4 * calls; n++) {
		input.order = set.order + n % calls * A_CALL;
		(void)engine_call(e, &input, NULL);
		o = engine_outcomes(e, &k);
		while (k-- > 0)
			*(n < calls ? &first : &last) +=
			    n < calls || n >= 3 * calls ? o[k].loss : 0;
	}
	ok(last < first / 3, "the loss of epoch 4 is under a third of epoch 1");
	engine_parameters(e, 0, parameters);
	engine_stop(e);

	/* Inference, all ways: the same answers. */
	input.order = set.order;
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
	engine_util_init(&set, SAMPLES, true);
	test_learning();
	engine_util_release(&set);
	return tap_done();
}
