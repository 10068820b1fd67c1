/*
 * The set-up of tests that run the engine; see engine_util.h.
 */
#include "tests/unit/engine_util.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"
#include "tests/unit/tutorial.h"

void
engine_util_init(struct engine_util *u, uint32_t samples, bool shuffled)
{
	struct rng rng;
	uint32_t i;

	model_tutorial(&u->model);
	digits_draw(&u->digits, DATASET_TRAIN, samples, 1);
	u->order = xcalloc(samples, sizeof(*u->order));
	for (i = 0; i < samples; i++)
		u->order[i] = i;
	rng_init(&rng, 1, 1);
	if (shuffled)
		rng_shuffle(&rng, u->order, samples);
}

void
engine_util_release(struct engine_util *u)
{
	dataset_release(&u->digits);
	free(u->order);
}

struct engine_config
engine_util_config(const struct engine_util *u, int micro_batch)
{
	return (struct engine_config){ .model = &u->model,
		.kernels = kernels_choose(NULL),
		.stages = ENGINE_UTIL_STAGES,
		.stage_blocks = { 1, 1, 1, 1 },
		.stage_ipu = { 0, 1, 2, 3 },
		.strategy = STRATEGY_PIPELINED,
		.training = true,
		.output_mode = OUTPUT_ALL,
		.micro_batch = micro_batch,
		.gradient_accumulation = 1,
		.device_iterations = 1,
		.local_replicas = 1,
		.total_replicas = 1,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
		.mean = 0.1307f,
		.deviation = 0.3081f };
}

struct engine *
engine_util_start(const struct engine_config *c)
{
	struct error error = { .text = "" };
	struct engine *e = engine_start(c, &error);
	float *parameters;

	if (e == NULL) {
		printf("# %s\n", error.text);
		abort();
	}
	parameters = xcalloc(c->model->parameter_count, sizeof(float));
	model_initialise(c->model, ENGINE_UTIL_SEED, parameters);
	engine_set_parameters(e, parameters);
	free(parameters);
	return e;
}

void
engine_util_call(struct engine *e, const struct engine_util *u,
    const uint32_t *order)
{
	struct engine_input input = { u->digits.pixels, u->digits.labels,
		order };
	struct error error = { .text = "" };

	if (engine_call(e, &input, &error) == -1) {
		printf("# %s\n", error.text);
		abort();
	}
}

struct collective *
engine_util_join(const struct engine_util *u, int total, int first, int local,
    const char *path)
{
	struct collective_config c = { .directory = path,
		.total = total,
		.first = first,
		.local = local,
		.part_count = ENGINE_UTIL_STAGES,
		.join_seconds = ENGINE_UTIL_JOIN_SECONDS };
	struct collective *joined;
	const struct layer *l = u->model.layers;
	int s, n;

	if (total == 1)
		return NULL;
	for (s = 0; s < ENGINE_UTIL_STAGES; s++)
		for (n = u->model.blocks[s].layer_count; n > 0; n--, l++)
			c.floats[s] += l->weights + l->biases;
	joined = collective_open(&c, NULL);
	if (joined == NULL)
		abort();
	return joined;
}
