/*
 * A small network with padding, strides, overlapping maxima and layers without
 * bias, trained here in two stages and in PyTorch from the same weights and
 * samples: the same losses within 1e-4, in each instruction set.
 */
#include "tests/unit/tap.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"
#include "tests/unit/reference.h"

enum { BATCHES = 4, SAMPLES = 8, SIDE = 14, CLASSES = 10, STEPS = 20, CUT = 4 };

#define CONV(...) \
	{ \
		.kind = LAYER_CONV2D, __VA_ARGS__ \
	}

static const struct layer_spec layers[] = {
	CONV(.out = 6, .kernel = 3, .stride = 1, .padding = 1),
	{ .kind = LAYER_RELU },
	CONV(.out = 12, .kernel = 3, .stride = 2, .padding = 1,
	    .no_bias = true),
	{ .kind = LAYER_MAXPOOL2D, .kernel = 3, .stride = 2, .padding = 1 },
	{ .kind = LAYER_RELU },
	CONV(.out = 16, .kernel = 1, .stride = 2),
	{ .kind = LAYER_FLATTEN },
	{ .kind = LAYER_LINEAR, .out = 32, .no_bias = true },
	{ .kind = LAYER_RELU },
	{ .kind = LAYER_LINEAR, .out = CLASSES },
};

/*
 * nn.Sequential of these layers, parameters and samples filled with number(),
 * SGD(lr=.05, momentum=.9, weight_decay=.001) and AdamW(lr=.005); what
 * F.cross_entropy(net(x[t % 4]), y[t % 4]) was at step t.  (PyTorch 1.13)
 */
static const double sgd_losses[STEPS] = { 2.356963, 2.280782, 2.380462,
	2.305628, 2.305380, 2.269697, 2.333961, 2.278625, 2.251865, 2.258347,
	2.305091, 2.244750, 2.213343, 2.230865, 2.258643, 2.201824, 2.158597,
	2.193255, 2.187991, 2.136195 };
static const double adamw_losses[STEPS] = { 2.356963, 2.287166, 2.377391,
	2.285655, 2.224880, 2.244244, 2.308960, 2.217901, 2.148809, 2.217274,
	2.231617, 2.141513, 2.046504, 2.147097, 2.137344, 2.026825, 1.891321,
	2.044553, 1.991796, 1.876282 };

static const struct kernels *kernels;

/* The same in Python: ((i * 2654435761) % 2**32) / 2**32 - .5 */
static double
number(uint32_t i)
{
	return (double)(i * 2654435761u) / 0x1p32 - 0.5;
}

static float *
floats(size_t count)
{
	return xaligned(KERNEL_ALIGNMENT, count * sizeof(float));
}

static struct stage *
make_stage(const struct model *m, int first, int count,
    const struct optimiser *o)
{
	struct stage *s = stage_new(m, kernels,
	    &(struct stage_config){ .first_layer = first,
		.layer_count = count,
		.micro_batch = SAMPLES,
		.depth = 1,
		.training = true,
		.input_gradient = first > 0,
		.optimiser_states = optimiser_states(o) });
	size_t n, i;
	float *p = stage_parameters(s, &n);

	for (i = 0; i < n; i++)
		p[i] =
		    (float)(number((uint32_t)(stage_first_parameter(s) + i)) *
			0.6);
	return s;
}

/* Pixels and labels of batch t % BATCHES. */
static void
load(int t, float *in, uint8_t labels[SAMPLES])
{
	double *pixels = xcalloc(SAMPLES * SIDE * SIDE, sizeof(*pixels));
	int first = t % BATCHES * SAMPLES, i;

	for (i = 0; i < SAMPLES * SIDE * SIDE; i++)
		pixels[i] =
		    number((uint32_t)(1000000 + first * SIDE * SIDE + i)) * 2;
	for (i = 0; i < SAMPLES; i++)
		labels[i] = (uint8_t)((first + i) * 7 % CLASSES);
	lanes_put(pixels, SAMPLES, SIDE * SIDE, kernels->lanes, in);
	free(pixels);
}

static void
train(const struct model *m, const struct optimiser *o, const double *losses,
    const char *name)
{
	struct stage *a = make_stage(m, 0, CUT, o);
	struct stage *b = make_stage(m, CUT, m->layer_count - CUT, o);
	float *in = floats(stage_in_floats(a));
	float *between = floats(stage_in_floats(b));
	float *back = floats(stage_in_floats(b));
	float *out = floats(stage_out_floats(b));
	float *gradient = floats(stage_out_floats(b));
	uint8_t labels[SAMPLES];
	struct outcome outcome;
	int t;

	for (t = 0; t < STEPS; t++) {
		load(t, in, labels);
		stage_forward(a, 0, in, between);
		stage_forward(b, 0, between, out);
		reference_loss(kernels->lanes, CLASSES, SAMPLES, out, labels,
		    gradient, &outcome);
		is_near(outcome.loss / SAMPLES, losses[t], 1e-4, name);
		stage_backward(b, 0, between, gradient, back);
		stage_backward(a, 0, in, back, NULL);
		(void)stage_update(b, o, t + 1, 1);
		(void)stage_update(a, o, t + 1, 1);
	}
	stage_free(a);
	stage_free(b);
	free(in);
	free(between);
	free(back);
	free(out);
	free(gradient);
}

int
main(void)
{
	static const char *const names[] = { "sse2", "avx2", "avx512" };
	struct optimiser sgd = optimiser_defaults(OPTIMISER_SGD, 0.05);
	struct optimiser adamw = optimiser_defaults(OPTIMISER_ADAMW, 0.005);
	struct model m;
	size_t i;

	sgd.momentum = 0.9;
	sgd.weight_decay = 0.001;
	model_init(&m, (struct shape){ 1, SIDE, SIDE });
	(void)model_block(&m, "B", -1, NULL);
	for (i = 0; i < ARRAY_SIZE(layers); i++)
		if (model_add(&m, &layers[i], NULL) == -1)
			abort();
	is_int((long long)m.parameter_count, 3294, "as many parameters");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		kernels = kernels_by_name(names[i]);
		if (kernels == NULL) {
			tap_skip(names[i], "this machine does not have it");
			continue;
		}
		train(&m, &sgd, sgd_losses, "SGD with momentum");
		train(&m, &adamw, adamw_losses, "AdamW");
	}
	return tap_done();
}
