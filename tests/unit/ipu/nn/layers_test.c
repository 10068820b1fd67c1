/*
 * Gradients against finite differences, of each kind of layer with each of its
 * options, of chains and of the whole network, in each instruction set; the
 * loss against hand-computed values.  The numbers do not depend on the lanes.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"
#include "tests/unit/reference.h"
#include "tests/unit/tutorial.h"

enum { SAMPLES = 5 }; /* leaves lanes empty */

static const double tolerance = 0.002;
static const struct kernels *kernels;

/* One layer's stage, and what stands at its ends. */
struct bench {
	struct model model;
	struct stage *stage;
	size_t in_floats, out_floats;
	float *in, *out;
	float *weights; /* of the outputs, in the sum that is differentiated */
	float *gradient_in;
};

/*
 * Numbers no two of which are nearer than 0.02, none of them nearer than 0.01
 * to zero, so that a small step crosses no corner of relu or maximum.
 */
static void
fill_apart(float *to, int elements, struct rng *rng)
{
	const size_t count = SAMPLES * (size_t)elements;
	uint32_t *order = xcalloc(count, sizeof(*order));
	double *values = xcalloc(count, sizeof(*values));
	size_t i;

	for (i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	rng_shuffle(rng, order, count);
	for (i = 0; i < count; i++)
		values[i] = 0.02 * ((double)order[i] - (double)(count / 2)) +
		    0.01;
	lanes_put(values, SAMPLES, elements, kernels->lanes, to);
	free(order);
	free(values);
}

static void
fill_even(float *to, int elements, struct rng *rng)
{
	const size_t count = SAMPLES * (size_t)elements;
	double *values = xcalloc(count, sizeof(*values));
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = (double)rng_uniform(rng, -1, 1);
	lanes_put(values, SAMPLES, elements, kernels->lanes, to);
	free(values);
}

static void
bench_start(struct bench *b, bool recompute)
{
	struct stage_config c = {
		.layer_count = b->model.layer_count,
		.micro_batch = SAMPLES,
		.depth = 1,
		.training = true,
		.input_gradient = true,
		.recompute = recompute,
	};
	const struct layer *last = &b->model.layers[c.layer_count - 1];
	struct rng rng;
	size_t i, n;
	float *p;

	rng_init(&rng, 3, 0);
	b->stage = stage_new(&b->model, kernels, &c);
	b->in_floats = stage_in_floats(b->stage);
	b->out_floats = stage_out_floats(b->stage);
	b->in = xaligned(KERNEL_ALIGNMENT, b->in_floats * sizeof(float));
	b->gradient_in = xaligned(KERNEL_ALIGNMENT,
	    b->in_floats * sizeof(float));
	b->out = xaligned(KERNEL_ALIGNMENT, b->out_floats * sizeof(float));
	b->weights = xaligned(KERNEL_ALIGNMENT, b->out_floats * sizeof(float));
	fill_apart(b->in, layer_shape_elements(b->model.in), &rng);
	fill_even(b->weights, layer_shape_elements(last->out), &rng);
	p = stage_parameters(b->stage, &n);
	for (i = 0; i < n; i++)
		p[i] = rng_uniform(&rng, -1, 1);
}

static void
bench_end(struct bench *b)
{
	stage_free(b->stage);
	free(b->in);
	free(b->out);
	free(b->weights);
	free(b->gradient_in);
}

/* The sum of weighted outputs of slot 0. */
static double
value(struct bench *b)
{
	double sum = 0;
	size_t i;

	stage_forward(b->stage, 0, b->in, b->out);
	for (i = 0; i < b->out_floats; i++)
		sum += (double)b->weights[i] * (double)b->out[i];
	return sum;
}

/*
 * What value() changes by when *x does, on the upper side and on the lower.
 * All layers are linear in each single number but for their corners (of relu,
 * of a maximum), so the sides differ where a step crossed one.
 */
static void
differences(struct bench *b, float *x, double *up, double *down)
{
	const float step = 0x1p-8f, before = *x;
	const double middle = value(b);

	*x = before + step;
	*up = (value(b) - middle) / (double)step;
	*x = before - step;
	*down = (middle - value(b)) / (double)step;
	*x = before;
}

/*
 * The worst of some 200 elements whose steps cross no corner, as a part of the
 * gradient's size; most must be such.
 */
static double
worst(struct bench *b, float *x, const float *gradient, size_t count)
{
	const size_t step = count / 200 + 1;
	double error, up, down, most = 0, size = 0;
	size_t i, tried = 0, corners = 0;

	for (i = 0; i < count; i++)
		size += (double)gradient[i] * (double)gradient[i];
	size = sqrt(size / (double)count);
	for (i = 0; i < count; i += step) {
		differences(b, &x[i], &up, &down);
		tried++;
		error = fabs((up + down) / 2 - (double)gradient[i]) / size;
		if (fabs(up - down) / size > tolerance)
			corners++;
		else if (error > most)
			most = error;
	}
	return corners * 2 > tried ? HUGE_VAL : most;
}

static void
check(struct bench *b, bool recompute, const char *name)
{
	float *gradient, *parameters, *gradient_out;
	size_t count;

	bench_start(b, recompute);
	gradient_out = xaligned(KERNEL_ALIGNMENT,
	    b->out_floats * sizeof(float));
	memcpy(gradient_out, b->weights, b->out_floats * sizeof(float));
	(void)value(b);
	if (recompute)
		stage_recompute(b->stage, b->in);
	stage_backward(b->stage, 0, b->in, gradient_out, b->gradient_in);
	is_near(worst(b, b->in, b->gradient_in, b->in_floats), 0, tolerance,
	    name);
	parameters = stage_parameters(b->stage, &count);
	gradient = stage_gradients(b->stage, &count);
	if (count > 0)
		is_near(worst(b, parameters, gradient, count), 0, tolerance,
		    name);
	free(gradient_out);
	bench_end(b);
}

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
#define FLATTEN \
	{ \
		.kind = LAYER_FLATTEN \
	}
#define RELU \
	{ \
		.kind = LAYER_RELU \
	}

/* The layers of a row stand one behind the other in one stage. */
static const struct {
	const char *name;
	struct shape in;
	int count;
	struct layer_spec layers[8];
} chains[] = {
	{ "conv2d", { 3, 7, 6 }, 1,
	    { CONV(.out = 4, .kernel = 3, .stride = 1) } },
	{ "conv2d, padding", { 3, 7, 6 }, 1,
	    { CONV(.out = 4, .kernel = 3, .stride = 1, .padding = 1) } },
	{ "conv2d, stride", { 3, 7, 6 }, 1,
	    { CONV(.out = 4, .kernel = 2, .stride = 2) } },
	{ "conv2d, stride and padding", { 3, 7, 6 }, 1,
	    { CONV(.out = 4, .kernel = 5, .stride = 3, .padding = 2) } },
	{ "conv2d, no bias", { 3, 7, 6 }, 1,
	    { CONV(.out = 4, .kernel = 3, .stride = 1, .no_bias = true) } },
	{ "conv2d, padding, no bias", { 3, 7, 6 }, 1,
	    { CONV(.out = 4, .kernel = 3, .stride = 2, .padding = 1,
		.no_bias = true) } },
	{ "maxpool2d", { 2, 5, 6 }, 1, { POOL(.kernel = 2, .stride = 2) } },
	{ "maxpool2d, kernel 3", { 2, 7, 6 }, 1,
	    { POOL(.kernel = 3, .stride = 3) } },
	{ "maxpool2d, overlapping", { 2, 7, 6 }, 1,
	    { POOL(.kernel = 3, .stride = 2) } },
	{ "maxpool2d, overlapping, padding", { 2, 5, 6 }, 1,
	    { POOL(.kernel = 3, .stride = 1, .padding = 1) } },
	{ "maxpool2d, gaps", { 2, 8, 6 }, 1,
	    { POOL(.kernel = 2, .stride = 3) } },
	{ "relu", { 2, 3, 3 }, 1, { RELU } },
	{ "flatten", { 2, 3, 3 }, 1, { FLATTEN } },
	{ "linear", { 12, 1, 1 }, 1, { LINEAR(.out = 7) } },
	{ "linear, no bias", { 12, 1, 1 }, 1,
	    { LINEAR(.out = 7, .no_bias = true) } },
	{ "flatten first", { 3, 2, 2 }, 2, { FLATTEN, LINEAR(.out = 7) } },
	{ "flatten last", { 2, 5, 5 }, 2,
	    { CONV(.out = 3, .kernel = 3, .stride = 2), FLATTEN } },
	{ "flatten twice", { 2, 2, 2 }, 4,
	    { FLATTEN, RELU, FLATTEN, LINEAR(.out = 3) } },
	{ "a chain of segments", { 2, 6, 6 }, 6,
	    { CONV(.out = 3, .kernel = 3, .stride = 1),
		POOL(.kernel = 2, .stride = 2), FLATTEN, LINEAR(.out = 6),
		FLATTEN, LINEAR(.out = 3) } },
	{ "relu before conv2d", { 2, 5, 5 }, 3,
	    { RELU, CONV(.out = 3, .kernel = 3, .stride = 1, .padding = 1),
		RELU } },
	{ "pool before conv2d", { 2, 7, 7 }, 3,
	    { POOL(.kernel = 3, .stride = 2, .padding = 1), RELU,
		CONV(.out = 3, .kernel = 3, .stride = 2) } },
	{ "two pools", { 2, 9, 9 }, 2,
	    { POOL(.kernel = 3, .stride = 2),
		POOL(.kernel = 2, .stride = 1) } },
	{ "relu twice behind linear", { 9, 1, 1 }, 4,
	    { LINEAR(.out = 8), RELU, RELU, LINEAR(.out = 3) } },
	{ "pool behind linear", { 9, 1, 1 }, 4,
	    { LINEAR(.out = 8), POOL(.kernel = 2, .stride = 1, .padding = 1),
		FLATTEN, LINEAR(.out = 3) } },
	{ "conv2d behind linear", { 9, 1, 1 }, 4,
	    { LINEAR(.out = 6), RELU,
		CONV(.out = 5, .kernel = 3, .stride = 1, .padding = 2),
		POOL(.kernel = 2, .stride = 1) } },
};

static void
test_gradients(void)
{
	struct bench b;
	char *name;
	size_t i;
	int l, recompute;

	for (i = 0; i < ARRAY_SIZE(chains); i++) {
		memset(&b, 0, sizeof(b));
		model_init(&b.model, chains[i].in);
		(void)model_block(&b.model, "B", -1, NULL);
		for (l = 0; l < chains[i].count; l++)
			if (model_add(&b.model, &chains[i].layers[l], NULL) ==
			    -1)
				abort();
		for (recompute = 0; recompute < 2; recompute++) {
			name = xasprintf("%s: %s%s", kernels->name,
			    chains[i].name, recompute ? ", recomputed" : "");
			check(&b, recompute == 1, name);
			free(name);
		}
	}
}

static void
test_loss(void)
{
	/* Two samples of three classes in lanes of 4. */
	float out[12] = { 1, 0, 9, 9, 2, 0, 9, 9, 3, 0, 9, 9 };
	float gradient[12], kept;
	const uint8_t labels[2] = { 2, 0 };
	struct outcome o, up, down;
	int i;

	reference_loss(4, 3, 2, out, labels, gradient, &o);
	/* log(1 + e^-1 + e^-2) + log 3 */
	is_near(o.loss, 0.40760596 + 1.09861229, 1e-6, "the sum of losses");
	is_int(o.correct, 2, "both right: of equal ones the first is chosen");
	is_near((double)gradient[8], (0.66524096 - 1) / 2, 1e-6,
	    "gradient at the label");
	is_near((double)gradient[0], 0.09003057 / 2, 1e-6,
	    "gradient elsewhere");
	ok(gradient[2] == 0 && gradient[7] == 0 && gradient[11] == 0,
	    "none in empty lanes");
	for (i = 0; i < 12; i++) {
		if (i % 4 > 1)
			continue;
		kept = out[i];
		out[i] = kept + 0.01f;
		reference_loss(4, 3, 2, out, labels, NULL, &up);
		out[i] = kept - 0.01f;
		reference_loss(4, 3, 2, out, labels, NULL, &down);
		out[i] = kept;
		is_near((double)gradient[i], (up.loss - down.loss) / 2 / 0.02,
		    2e-5, "finite difference of the loss");
	}
	out[0] = 1000; /* must not overflow */
	reference_loss(4, 3, 2, out, labels, gradient, &o);
	is_near(o.loss, 997 + 1.09861229, 1e-3, "large outputs");
}

static void
test_model(void)
{
	struct model m;
	float *p;
	double sum = 0, square = 0;
	size_t i;

	model_tutorial(&m);
	is_int((long long)m.parameter_count, 260 + 5020 + 82176 + 2570,
	    "parameters of the tutorial's network");
	is_int(layer_shape_elements(m.layers[2].out), 1440, "B1 to B2");
	is_int(layer_shape_elements(m.layers[5].out), 320, "B2 to B3");
	is_int(layer_shape_elements(m.layers[8].out), 256, "B3 to B4");
	p = xcalloc(m.parameter_count, sizeof(float));
	model_initialise(&m, 0, p);
	for (i = m.layers[6].first; i < m.layers[6].first + 82176; i++) {
		sum += (double)p[i];
		square += (double)p[i] * (double)p[i];
		if (fabs((double)p[i]) > 1 / sqrt(320))
			break;
	}
	is_int((long long)(i - m.layers[6].first), 82176,
	    "linear 320: all within 1/sqrt(320)");
	is_near(sum / 82176, 0, 5e-4, "their mean");
	is_near(square / 82176 * 3 * 320, 1, 0.02, "and their spread");
	free(p);
}

/* Along the gradient of the whole network the loss falls as it says. */
static void
test_network(void)
{
	struct bench b = { .stage = NULL };
	uint8_t labels[SAMPLES];
	float *gradient, *p, *g;
	struct outcome o;
	size_t n, i;
	double square = 0, values[2];
	int side;

	model_tutorial(&b.model);
	bench_start(&b, false);
	p = stage_parameters(b.stage, &n);
	model_initialise(&b.model, 1, p);
	for (i = 0; i < b.in_floats; i++)
		b.in[i] = sinf((float)i);
	for (i = 0; i < SAMPLES; i++)
		labels[i] = (uint8_t)i;
	gradient = xaligned(KERNEL_ALIGNMENT, b.out_floats * sizeof(float));
	stage_forward(b.stage, 0, b.in, b.out);
	reference_loss(kernels->lanes, 10, SAMPLES, b.out, labels, gradient,
	    &o);
	stage_backward(b.stage, 0, b.in, gradient, NULL);
	g = stage_gradients(b.stage, &n);
	for (i = 0; i < n; i++)
		square += (double)g[i] * (double)g[i];
	for (side = 0; side < 2; side++) {
		model_initialise(&b.model, 1, p);
		for (i = 0; i < n; i++)
			p[i] += (side == 0 ? 1e-3f : -1e-3f) * g[i];
		stage_forward(b.stage, 0, b.in, b.out);
		reference_loss(kernels->lanes, 10, SAMPLES, b.out, labels, NULL,
		    &o);
		values[side] = o.loss / SAMPLES;
	}
	is_near((values[0] - values[1]) / 2e-3 / square, 1, 0.01,
	    "the whole network: the loss along its gradient");
	free(gradient);
	bench_end(&b);
}

/* The model's first stage: the same without the gradient of its input. */
static void
test_first_stage(void)
{
	const struct layer_spec spec = CONV(.out = 3, .kernel = 3, .stride = 2,
	    .padding = 1);
	struct bench b = { .stage = NULL };
	float *gradient_out, *gradients, *first;
	size_t count;

	model_init(&b.model, (struct shape){ 2, 7, 7 });
	(void)model_block(&b.model, "B", -1, NULL);
	(void)model_add(&b.model, &spec, NULL);
	bench_start(&b, false);
	gradients = stage_gradients(b.stage, &count);
	first = xcalloc(count, sizeof(float));
	gradient_out = xaligned(KERNEL_ALIGNMENT, b.out_floats * sizeof(float));
	memcpy(gradient_out, b.weights, b.out_floats * sizeof(float));
	stage_backward(b.stage, 0, b.in, gradient_out, b.gradient_in);
	memcpy(first, gradients, count * sizeof(float));
	memset(gradients, 0, count * sizeof(float));
	memcpy(gradient_out, b.weights, b.out_floats * sizeof(float));
	stage_backward(b.stage, 0, b.in, gradient_out, NULL);
	ok(memcmp(first, gradients, count * sizeof(float)) == 0,
	    "a first stage: the same gradients");
	free(first);
	free(gradient_out);
	bench_end(&b);
}

int
main(void)
{
	static const char *const names[] = { "sse2", "avx2", "avx512" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		kernels = kernels_by_name(names[i]);
		if (kernels == NULL) {
			tap_skip(names[i], "this machine does not have it");
			continue;
		}
		test_gradients();
		test_first_stage();
		test_network();
	}
	test_loss();
	test_model();
	return tap_done();
}
