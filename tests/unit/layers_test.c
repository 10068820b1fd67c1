/*
 * Gradients against finite differences, layer by layer and of the whole
 * network; the loss against hand-computed values; AdamW against PyTorch's
 * rule worked out in double precision and against a known vector.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/loss.h"
#include "ipu/nn/model.h"
#include "ipu/nn/optimiser.h"
#include "ipu/nn/rng.h"
#include "ipu/nn/stage.h"

enum { SAMPLES = 5 };		/* leaves lanes empty */

static const struct kernels	*kernels;

/* One layer's stage, and what stands at its ends. */
struct bench {
	struct model	 model;
	struct stage	*stage;
	size_t		 in_floats, out_floats;
	float		*in, *out;
	float		*weights;	/* of the outputs, in the sum that is
					   differentiated */
	float		*gradient_in;
};

/*
 * Numbers no two of which are nearer than 0.02, none of them nearer than 0.01
 * to zero, so that a small step crosses no corner of relu or maximum.
 */
static void
fill_apart(float *to, size_t count, struct rng *rng)
{
	uint32_t	*order = xcalloc(count, sizeof(*order));
	size_t		 i;

	for (i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	rng_shuffle(rng, order, count);
	for (i = 0; i < count; i++)
		to[i] = 0.02f * ((float)order[i] - (float)(count / 2)) + 0.01f;
	free(order);
}

static void
bench_start(struct bench *b, int depth)
{
	struct stage_config	 c = {
		.layer_count = b->model.layer_count,
		.micro_batch = SAMPLES,
		.depth = depth,
		.training = true,
		.input_gradient = true
	};
	struct rng		 rng;
	size_t			 i, n;
	float			*p;

	rng_init(&rng, 3, 0);
	b->stage = stage_new(&b->model, kernels, &c);
	b->in_floats = stage_in_floats(b->stage);
	b->out_floats = stage_out_floats(b->stage);
	b->in = xaligned(KERNEL_ALIGNMENT, b->in_floats * sizeof(float));
	b->gradient_in = xaligned(KERNEL_ALIGNMENT,
	    b->in_floats * sizeof(float));
	b->out = xaligned(KERNEL_ALIGNMENT, b->out_floats * sizeof(float));
	b->weights = xaligned(KERNEL_ALIGNMENT, b->out_floats * sizeof(float));
	fill_apart(b->in, b->in_floats, &rng);
	for (i = 0; i < b->out_floats; i++)
		b->weights[i] = rng_uniform(&rng, -1, 1);
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
	double	sum = 0;
	size_t	i;

	stage_forward(b->stage, 0, b->in, b->out);
	for (i = 0; i < b->out_floats; i++)
		sum += (double)b->weights[i] * (double)b->out[i];
	return sum;
}

/* What value() changes by when *x does. */
static double
difference(struct bench *b, float *x)
{
	const float	step = 0x1p-8f, before = *x;
	double		up, down;

	*x = before + step;
	up = value(b);
	*x = before - step;
	down = value(b);
	*x = before;
	return (up - down) / (2 * (double)step);
}

/* The worst of some 200 elements, as a part of the gradient's size. */
static double
worst(struct bench *b, float *x, const float *gradient, size_t count)
{
	const size_t	step = count / 200 + 1;
	double		error, most = 0, size = 0;
	size_t		i;

	for (i = 0; i < count; i++)
		size += (double)gradient[i] * (double)gradient[i];
	size = sqrt(size / (double)count);
	for (i = 0; i < count; i += step) {
		error = fabs(difference(b, &x[i]) - (double)gradient[i]);
		if (error / size > most)
			most = error / size;
	}
	return most;
}

static void
check(struct bench *b, const char *name)
{
	float	*gradient, *parameters, *gradient_out;
	size_t	 count;

	bench_start(b, 1);
	gradient_out = xaligned(KERNEL_ALIGNMENT,
	    b->out_floats * sizeof(float));
	memcpy(gradient_out, b->weights, b->out_floats * sizeof(float));
	(void)value(b);
	stage_backward(b->stage, 0, b->in, gradient_out, b->gradient_in);
	is_near(worst(b, b->in, b->gradient_in, b->in_floats), 0, 0.005, name);
	parameters = stage_parameters(b->stage, &count);
	gradient = stage_gradients(b->stage, &count);
	if (count > 0)
		is_near(worst(b, parameters, gradient, count), 0, 0.005, name);
	free(gradient_out);
	bench_end(b);
}

static void
start_model(struct bench *b, int channels, int height, int width)
{
	memset(b, 0, sizeof(*b));
	model_init(&b->model, (struct shape){ channels, height, width });
	(void)model_block(&b->model, "B", -1, NULL);
}

static void
add(struct bench *b, struct layer_spec spec)
{
	struct error	error;

	if (model_add(&b->model, &spec, &error) == -1) {
		printf("# %s\n", error.text);
		abort();
	}
}

static void
add_conv2d(struct bench *b, int out, int kernel)
{
	add(b, (struct layer_spec){ .kind = LAYER_CONV2D, .out = out,
	    .kernel = kernel, .stride = 1 });
}

static void
add_linear(struct bench *b, int out)
{
	add(b, (struct layer_spec){ .kind = LAYER_FLATTEN });
	add(b, (struct layer_spec){ .kind = LAYER_LINEAR, .out = out });
}

static void
test_gradients(void)
{
	const struct layer_spec	pool = { .kind = LAYER_MAXPOOL2D, .kernel = 2,
	    .stride = 2 };
	struct bench	b;

	start_model(&b, 3, 7, 6);
	add_conv2d(&b, 4, 3);
	check(&b, "conv2d");
	start_model(&b, 2, 5, 6);
	add(&b, pool);
	check(&b, "maxpool2d");
	start_model(&b, 2, 3, 3);
	add(&b, (struct layer_spec){ .kind = LAYER_RELU });
	check(&b, "relu");
	start_model(&b, 3, 2, 2);
	add_linear(&b, 7);
	check(&b, "linear");
	start_model(&b, 2, 6, 6);
	add_conv2d(&b, 3, 3);
	add(&b, pool);
	add_linear(&b, 6);
	add_linear(&b, 3);
	check(&b, "a chain of segments");
}

static void
test_loss(void)
{
	/* Two samples of three classes in lanes of 4. */
	float		out[12] = { 1, 0, 9, 9, 2, 0, 9, 9, 3, 0, 9, 9 };
	float		gradient[12], kept;
	const uint8_t	labels[2] = { 2, 0 };
	uint8_t		predictions[2];
	struct outcome	o, up, down;
	int		i;

	cross_entropy(4, 3, 2, out, labels, gradient, predictions, &o);
	/* log(1 + e^-1 + e^-2) + log 3 */
	is_near(o.loss, 0.40760596 + 1.09861229, 1e-6, "the sum of losses");
	is_int(o.correct, 2, "both right: of equal ones the first is chosen");
	is_int(predictions[0] * 10 + predictions[1], 20, "predictions");
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
		cross_entropy(4, 3, 2, out, labels, NULL, NULL, &up);
		out[i] = kept - 0.01f;
		cross_entropy(4, 3, 2, out, labels, NULL, NULL, &down);
		out[i] = kept;
		is_near((double)gradient[i], (up.loss - down.loss) / 2 / 0.02,
		    2e-5, "finite difference of the loss");
	}
	out[0] = 1000;		/* must not overflow */
	cross_entropy(4, 3, 2, out, labels, gradient, NULL, &o);
	is_near(o.loss, 997 + 1.09861229, 1e-3, "large outputs");
}

/* PyTorch's documentation, step by step. */
static double
reference(double p, const double *g, int steps, double lr)
{
	double	m = 0, v = 0;
	int	t;

	for (t = 1; t <= steps; t++) {
		p -= lr * 0.01 * p;
		m = 0.9 * m + 0.1 * g[t - 1];
		v = 0.999 * v + 0.001 * g[t - 1] * g[t - 1];
		p -= lr * (m / (1 - pow(0.9, t))) /
		    (sqrt(v / (1 - pow(0.999, t))) + 1e-8);
	}
	return p;
}

static void
test_adamw(void)
{
	const double	g[4] = { 0.5, -0.25, 0.125, 2 };
	struct optimiser o = optimiser_defaults(OPTIMISER_ADAMW, 0.01);
	float		p[3] = { 1, -2, 0 }, m[3] = { 0 }, v[3] = { 0 };
	float		*const state[] = { m, v };
	int		t;

	for (t = 1; t <= 4; t++) {
		/* Given doubled, with scale 1/2. */
		float	gradients[3] = { 2 * (float)g[t - 1],
		    -2 * (float)g[t - 1], 0 };

		optimiser_update(&o, t, 3, 0.5f, gradients, p, state);
		if (t == 1)
			/* 1 x (1 - 0.01 x 0.01) - 0.01 x 1 */
			is_near((double)p[0], 0.9899, 1e-6, "the first step");
		is_near((double)p[0], reference(1, g, t, 0.01), 1e-6,
		    "AdamW as PyTorch's rule");
	}
	is_near((double)p[1], -2 * (1 - 4 * 1e-4) -
	    (reference(1, g, 4, 0.01) - (1 - 4 * 1e-4)), 1e-4,
	    "the other sign");
	ok(p[2] == 0, "no gradient, no weight: no change");
}

static void
test_model(void)
{
	struct model	 m;
	float		*p;
	double		 sum = 0, square = 0;
	size_t		 i;

	model_tutorial(&m);
	is_int((long long)m.parameter_count, 260 + 5020 + 82176 + 2570,
	    "parameters of the tutorial's network");
	is_int(shape_elements(m.layers[2].out), 1440, "B1 to B2");
	is_int(shape_elements(m.layers[5].out), 320, "B2 to B3");
	is_int(shape_elements(m.layers[8].out), 256, "B3 to B4");
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
	struct bench	 b = { .stage = NULL };
	uint8_t		 labels[SAMPLES];
	float		*gradient, *p, *g;
	struct outcome	 o;
	size_t		 n, i;
	double		 square = 0, values[2];
	int		 side;

	model_tutorial(&b.model);
	bench_start(&b, 1);
	p = stage_parameters(b.stage, &n);
	model_initialise(&b.model, 1, p);
	for (i = 0; i < b.in_floats; i++)
		b.in[i] = sinf((float)i);
	for (i = 0; i < SAMPLES; i++)
		labels[i] = (uint8_t)i;
	gradient = xaligned(KERNEL_ALIGNMENT, b.out_floats * sizeof(float));
	stage_forward(b.stage, 0, b.in, b.out);
	cross_entropy(kernels->lanes, 10, SAMPLES, b.out, labels, gradient,
	    NULL, &o);
	stage_backward(b.stage, 0, b.in, gradient, NULL);
	g = stage_gradients(b.stage, &n);
	for (i = 0; i < n; i++)
		square += (double)g[i] * (double)g[i];
	for (side = 0; side < 2; side++) {
		model_initialise(&b.model, 1, p);
		for (i = 0; i < n; i++)
			p[i] += (side == 0 ? 1e-3f : -1e-3f) * g[i];
		stage_forward(b.stage, 0, b.in, b.out);
		cross_entropy(kernels->lanes, 10, SAMPLES, b.out, labels, NULL,
		    NULL, &o);
		values[side] = o.loss / SAMPLES;
	}
	is_near((values[0] - values[1]) / 2e-3 / square, 1, 0.01,
	    "the whole network: the loss along its gradient");
	free(gradient);
	bench_end(&b);
}

int
main(void)
{
	kernels = kernels_choose(NULL);
	test_gradients();
	test_loss();
	test_adamw();
	test_model();
	test_network();
	return tap_done();
}
