/*
 * Models: the shapes of layers, and each refusal with its text, after which
 * the model is as it was.
 */
#include "tests/unit/tap.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

#define CONV(...) \
	{ \
		.kind = LAYER_CONV2D, __VA_ARGS__ \
	}
#define POOL(...) \
	{ \
		.kind = LAYER_MAXPOOL2D, __VA_ARGS__ \
	}
#define LINEAR(...) \
	{ \
		.kind = LAYER_LINEAR, __VA_ARGS__ \
	}

static struct model m;

static void
start(struct shape in)
{
	model_init(&m, in);
	(void)model_block(&m, "B", -1, NULL);
}

static void
test_shapes(void)
{
	static const struct {
		struct shape in;
		struct layer_spec spec;
		struct shape out;
		size_t parameters;
	} rows[] = {
		{ { 3, 9, 8 }, CONV(.out = 4, .kernel = 3, .stride = 1),
		    { 4, 7, 6 }, 4 * 27 + 4 },
		{ { 3, 9, 8 },
		    CONV(.out = 4, .kernel = 3, .stride = 2, .padding = 1,
			.no_bias = true),
		    { 4, 5, 4 }, 4 * 27 },
		{ { 1, 2, 2 },
		    CONV(.out = 1, .kernel = 6, .stride = 1, .padding = 2),
		    { 1, 1, 1 }, 37 },
		{ { 3, 9, 8 }, POOL(.kernel = 3, .stride = 2), { 3, 4, 3 }, 0 },
		{ { 3, 9, 8 }, POOL(.kernel = 2, .stride = 2, .padding = 1),
		    { 3, 5, 5 }, 0 },
		{ { 3, 9, 8 },
		    CONV(.out = 4, .kernel = 3, .stride = 2, .dilation = 4,
			.x = { 1, 3, 1, 1 }),
		    { 4, 1, 4 }, 4 * 9 + 4 },
		{ { 3, 9, 40 },
		    POOL(.kernel = 1, .stride = 1, .x = { 40, 1, 0, 0 }),
		    { 3, 9, 1 }, 0 },
		{ { 3, 9, 8 }, { .kind = LAYER_RELU }, { 3, 9, 8 }, 0 },
		{ { 3, 9, 8 }, { .kind = LAYER_FLATTEN }, { 216, 1, 1 }, 0 },
		{ { 7, 1, 1 }, LINEAR(.out = 5), { 5, 1, 1 }, 40 },
		{ { 7, 1, 1 }, LINEAR(.out = 5, .no_bias = true), { 5, 1, 1 },
		    35 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = model_kind_name(rows[i].spec.kind);

		start(rows[i].in);
		ok(model_add(&m, &rows[i].spec, NULL) == 0, name);
		ok(memcmp(&m.layers[0].out, &rows[i].out,
		       sizeof(struct shape)) == 0,
		    name);
		ok(m.parameter_count == rows[i].parameters, name);
	}
}

static void
refused(const struct layer_spec *spec, const char *text)
{
	const struct model before = m;
	struct error error = { .text = "" };

	ok(model_add(&m, spec, &error) == -1, text);
	is_str(error.text, text, "its reason");
	ok(memcmp(&m, &before, sizeof(m)) == 0, "and nothing changed");
}

static void
test_refusals(void)
{
	static const struct {
		struct shape in;
		struct layer_spec spec;
		const char *text;
	} rows[] = {
		{ { 1, 5, 5 }, CONV(.out = 1, .stride = 1),
		    "conv2d: kernel and stride must be at least 1, padding at "
		    "least 0" },
		{ { 1, 5, 5 }, CONV(.out = 1, .kernel = 1),
		    "conv2d: kernel and stride must be at least 1, padding at "
		    "least 0" },
		{ { 1, 5, 5 }, POOL(.kernel = 1, .stride = 1, .padding = -1),
		    "maxpool2d: kernel and stride must be at least 1, padding "
		    "at least 0" },
		{ { 1, 5, 5 }, POOL(.kernel = INT_MIN, .stride = 1),
		    "maxpool2d: kernel and stride must be at least 1, padding "
		    "at least 0" },
		{ { 1, 5, 5 },
		    CONV(.out = 1, .kernel = 1, .stride = 1,
			.padding = INT_MAX),
		    "conv2d: stride and padding must be at most 67108864" },
		{ { 1, 5, 5 }, CONV(.out = 1, .kernel = 1, .stride = INT_MAX),
		    "conv2d: stride and padding must be at most 67108864" },
		{ { 1, 9, 4 },
		    CONV(.out = 1, .kernel = 7, .stride = 1, .padding = 1),
		    "conv2d: a window of 7 x 7 does not fit into 11 x 6" },
		{ { 1, 4, 9 }, CONV(.out = 1, .kernel = INT_MAX, .stride = 1),
		    "conv2d: a window of 2147483647 x 2147483647 does not fit "
		    "into 4 x 9" },
		{ { 1, 3, 3 }, POOL(.kernel = 4, .stride = 2),
		    "maxpool2d: a window of 4 x 4 does not fit into 3 x 3" },
		{ { 1, 9, 9 },
		    CONV(.out = 1, .kernel = 3, .stride = 1,
			.x = { 3, 1, 0, 5 }),
		    "conv2d: a window of 3 x 11 does not fit into 9 x 9" },
		{ { 1, 9, 9 },
		    CONV(.out = 1, .kernel = 3, .stride = 1, .dilation = -1),
		    "conv2d: dilation must be at least 1" },
		{ { 1, 30, 30 }, POOL(.kernel = 12, .stride = 2),
		    "maxpool2d: a window of 12 x 12 has more than 127 "
		    "elements" },
		{ { 1, 5, 5 }, POOL(.kernel = 3, .stride = 2, .padding = 2),
		    "maxpool2d: padding 2 is more than half the kernel" },
		{ { 1, 5, 5 },
		    POOL(.kernel = 1, .stride = 1, .padding = MODEL_FLOATS_MAX),
		    "maxpool2d: padding 67108864 is more than half the "
		    "kernel" },
		{ { 2, 1, 1 }, LINEAR(.out = 0), "linear: has no outputs" },
		{ { 2, 1, 1 }, CONV(.out = -1, .kernel = 1, .stride = 1),
		    "conv2d: has no outputs" },
		{ { 2, 1, 1 }, LINEAR(.out = INT_MAX),
		    "linear: too many parameters or outputs; at most 67108864 "
		    "are possible" },
		{ { 2, 1, 1 }, LINEAR(.out = 1 << 25),
		    "linear: too many parameters or outputs; at most 67108864 "
		    "are possible" },
		{ { 1, 5, 5 },
		    CONV(.out = 1, .kernel = 1, .stride = 1, .padding = 4096),
		    "conv2d: too many parameters or outputs; at most 67108864 "
		    "are possible" },
		{ { 1, 5, 5 },
		    CONV(.out = 1, .kernel = 1 << 20, .stride = 1,
			.padding = 1 << 20),
		    "conv2d: too many parameters or outputs; at most 67108864 "
		    "are possible" },
		{ { 1, 0, 5 }, { .kind = LAYER_RELU },
		    "input 1 x 0 x 5: each number must be at least 1, and "
		    "their product at most 67108864" },
		{ { 1 << 20, 1 << 20, 1 << 20 }, { .kind = LAYER_FLATTEN },
		    "input 1048576 x 1048576 x 1048576: each number must be at "
		    "least 1, and their product at most 67108864" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start(rows[i].in);
		refused(&rows[i].spec, rows[i].text);
	}
}

/* The largest that is taken, and one more. */
static void
test_limits(void)
{
	const struct layer_spec relu = { .kind = LAYER_RELU };
	const struct layer_spec half = LINEAR(.out = 1 << 24, .no_bias = true);
	const struct layer_spec wide = LINEAR(.out = 2, .no_bias = true);
	struct error error = { .text = "" };
	struct model before;
	char name[BLOCK_NAME_SIZE];
	int i;

	start((struct shape){ 2, 1, 1 });
	ok(model_add(&m, &half, NULL) == 0 && model_add(&m, &wide, NULL) == 0,
	    "2^26 parameters");
	refused(&wide,
	    "linear: too many parameters or outputs; at most 67108864 are "
	    "possible");
	ok(model_add(&m, &relu, NULL) == 0, "a layer without any fits");

	start((struct shape){ 1, 8192, 8192 });
	ok(model_add(&m, &relu, NULL) == 0, "2^26 elements");

	start((struct shape){ 1, 1, 1 });
	for (i = 0; i < MODEL_LAYERS_MAX; i++)
		if (model_add(&m, &relu, NULL) == -1)
			break;
	is_int(i, MODEL_LAYERS_MAX, "all layers");
	refused(&relu, "more than 256 layers");

	model_init(&m, (struct shape){ 1, 1, 1 });
	for (i = 0; i < MODEL_BLOCKS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "B%d", i);
		if (model_block(&m, name, i % 3 - 1, NULL) == -1)
			break;
	}
	is_int(i, MODEL_BLOCKS_MAX, "all blocks");
	is_str(m.blocks[63].name, "B63", "the last one's name");
	is_int(m.blocks[62].ipu, 1, "the IPU of the one before");
	before = m;
	ok(model_block(&m, "B64", 0, &error) == -1, "one block more");
	is_str(error.text, "more than 64 blocks", "its reason");
	ok(memcmp(&m, &before, sizeof(m)) == 0, "and nothing changed");
}

int
main(void)
{
	test_shapes();
	test_refusals();
	test_limits();
	return tap_done();
}
