/*
 * Operations and graphs of them: gradients against finite differences, in each
 * instruction set, and values that PyTorch gave.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"
#include "tests/unit/reference.h"

enum { SAMPLES = 5, LAYERS_MAX = 20 }; /* leaves lanes empty */

static const struct kernels *kernels;

#define L(k, ...) \
	{ \
		.kind = LAYER_##k, __VA_ARGS__ \
	}
#define K(k) \
	{ \
		.kind = LAYER_##k \
	}
#define TWO(a, b) .input_count = 2, .inputs = { (a), (b) }
#define ONE(a) .input_count = 1, .inputs = { (a) }
/* Six tokens in two heads of four. */
#define HEADS(a) \
	L(RESHAPE, ONE(a), .sizes = { 6, 2, 4 }), \
	    L(PERMUTE, .sizes = { 1, 0, 2 })

static const struct graph {
	const char *name;
	struct shape in;
	struct layer_spec layers[LAYERS_MAX];
	int count;
} graphs[] = {
	{ "scale", { 2, 3, 4 }, { L(SCALE, .value = -1.5f) }, 1 },
	{ "leaky_relu", { 2, 3, 4 }, { L(LEAKY_RELU, .value = 0.1f) }, 1 },
	{ "gelu", { 2, 3, 4 }, { K(GELU) }, 1 },
	{ "gelu by tanh", { 2, 3, 4 }, { L(GELU, .variant = true) }, 1 },
	{ "tanh", { 2, 3, 4 }, { K(TANH) }, 1 },
	{ "silu", { 2, 3, 4 }, { K(SILU) }, 1 },
	{ "elu", { 2, 3, 4 }, { L(ELU, .value = 0.7f) }, 1 },
	{ "relu6", { 2, 3, 4 }, { L(SCALE, .value = 8), K(RELU6) }, 2 },
	{ "softplus", { 2, 3, 4 }, { K(SOFTPLUS) }, 1 },
	{ "exp", { 2, 3, 4 }, { K(EXP) }, 1 },
	{ "multiply", { 2, 3, 4 },
	    { K(TANH), L(MULTIPLY, TWO(-1, 0)), L(MULTIPLY, TWO(1, 1)) }, 3 },
	{ "multiply by channels", { 2, 3, 4 },
	    { L(MEAN, .axis = AXIS_PLANE), K(SIGMOID),
		L(MULTIPLY, TWO(-1, 1)) },
	    3 },
	{ "add to rows", { 2, 3, 4 },
	    { L(MEAN, .axis = AXIS_WIDTH), L(ADD, TWO(-1, 0)) }, 2 },
	{ "sigmoid", { 2, 3, 4 }, { K(SIGMOID) }, 1 },
	{ "softmax of features", { 7, 1, 1 }, { K(SOFTMAX) }, 1 },
	{ "softmax of rows", { 2, 3, 4 }, { K(SOFTMAX) }, 1 },
	{ "softmax of channels", { 4, 2, 3 },
	    { L(SOFTMAX, .axis = AXIS_CHANNELS) }, 1 },
	{ "log_softmax", { 7, 1, 1 }, { K(LOG_SOFTMAX) }, 1 },
	{ "log_softmax of height", { 2, 4, 3 },
	    { L(LOG_SOFTMAX, .axis = AXIS_HEIGHT) }, 1 },
	{ "reshape alone", { 2, 3, 4 }, { L(RESHAPE, .sizes = { 4, 6, 1 }) },
	    1 },
	{ "permute", { 2, 3, 4 }, { L(PERMUTE, .sizes = { 2, 0, 1 }) }, 1 },
	{ "slice of width", { 2, 3, 5 },
	    { L(SLICE, .axis = AXIS_WIDTH, .start = 1, .length = 3) }, 1 },
	{ "slice of channels", { 4, 2, 2 },
	    { L(SLICE, .axis = AXIS_CHANNELS, .start = 2, .length = 2) }, 1 },
	{ "reshape and linear of rows", { 1, 6, 4 },
	    { L(RESHAPE, .sizes = { 2, 2, 6 }), L(LINEAR, .out = 3) }, 2 },
	{ "twice the input", { 2, 3, 4 }, { L(ADD, TWO(-1, -1)) }, 1 },
	{ "concat of height", { 2, 3, 4 },
	    { L(SCALE, .value = 2), L(TANH, ONE(-1)),
		L(SLICE, .axis = AXIS_HEIGHT, .length = 2),
		L(CONCAT, .input_count = 3, .inputs = { 0, 2, -1 },
		    .axis = AXIS_HEIGHT) },
	    4 },
	{ "residual", { 3, 4, 4 },
	    { L(CONV2D, .out = 3, .kernel = 3, .stride = 1, .padding = 1),
		K(TANH),
		L(CONV2D, .out = 3, .kernel = 3, .stride = 1, .padding = 1),
		L(ADD, TWO(2, 0)), K(SIGMOID), K(FLATTEN),
		L(LINEAR, .out = 4) },
	    7 },
	{ "residual of the input, and relu in place", { 6, 1, 1 },
	    { L(LINEAR, .out = 6), L(ADD, TWO(0, -1)), K(RELU),
		L(LINEAR, .out = 6), L(ADD, TWO(3, 2)), K(RELU),
		L(LINEAR, .out = 2) },
	    7 },
	{ "nested residuals", { 5, 1, 1 },
	    { L(LINEAR, .out = 5), K(GELU), L(LINEAR, .out = 5), K(TANH),
		L(ADD, TWO(3, 2)), L(ADD, TWO(4, 0)), L(ADD, TWO(5, -1)),
		K(LOG_SOFTMAX) },
	    8 },
	{ "a fork whose branches meet", { 2, 4, 4 },
	    { L(CONV2D, .out = 2, .kernel = 1, .stride = 1), K(RELU),
		L(CONV2D, .out = 2, .kernel = 3, .stride = 1, .padding = 1,
		    ONE(-1)),
		K(RELU), L(CONCAT, .axis = AXIS_CHANNELS, TWO(1, 3)),
		L(CONV2D, .out = 2, .kernel = 3, .stride = 2) },
	    6 },
	{ "a view of a kept tensor", { 2, 2, 3 },
	    { K(TANH), K(FLATTEN), L(LINEAR, .out = 4),
		L(RESHAPE, ONE(0), .sizes = { 1, 4, 3 }), L(LINEAR, .out = 4),
		L(SLICE, .axis = AXIS_HEIGHT, .length = 1), K(FLATTEN),
		L(ADD, TWO(2, 6)) },
	    8 },
	{ "grouped conv2d", { 4, 5, 5 },
	    { L(CONV2D, .out = 6, .kernel = 3, .stride = 2, .padding = 1,
		.groups = 2) },
	    1 },
	{ "depthwise conv2d", { 4, 5, 5 },
	    { L(CONV2D, .out = 4, .kernel = 3, .stride = 1, .groups = 4) }, 1 },
	{ "rectangular conv2d", { 2, 7, 8 },
	    { L(CONV2D, .out = 3, .kernel = 3, .stride = 2, .padding = 2,
		.dilation = 2, .x = { 2, 1, 1, 3 }) },
	    1 },
	{ "rectangular avgpool2d", { 2, 4, 9 },
	    { L(AVGPOOL2D, .kernel = 1, .stride = 1, .x = { 4, 2, 2, 0 }) },
	    1 },
	{ "avgpool2d", { 2, 5, 5 },
	    { L(AVGPOOL2D, .kernel = 3, .stride = 2, .padding = 1) }, 1 },
	{ "mean of planes", { 3, 4, 2 }, { L(MEAN, .axis = AXIS_PLANE) }, 1 },
	{ "mean of height", { 2, 4, 3 }, { L(MEAN, .axis = AXIS_HEIGHT) }, 1 },
	{ "mean of channels", { 3, 2, 2 }, { L(MEAN, .axis = AXIS_CHANNELS) },
	    1 },
	{ "batch_norm", { 3, 2, 2 },
	    { L(BATCH_NORM, .value = 1e-5f, .momentum = 0.1f) }, 1 },
	{ "batch_norm and relu", { 3, 2, 2 },
	    { L(BATCH_NORM, .value = 1e-5f, .momentum = 0.1f), K(RELU) }, 2 },
	{ "batch_norm, not affine", { 6, 1, 1 },
	    { L(BATCH_NORM, .value = 1e-5f, .no_bias = true) }, 1 },
	{ "layer_norm", { 2, 3, 4 }, { L(LAYER_NORM, .value = 1e-5f) }, 1 },
	{ "layer_norm of all", { 2, 3, 4 },
	    { L(LAYER_NORM, .value = 1e-3f, .axis = AXIS_ALL) }, 1 },
	{ "layer_norm, not affine", { 6, 1, 1 },
	    { L(LAYER_NORM, .value = 1e-5f, .no_bias = true) }, 1 },
	{ "add_parameter", { 2, 3, 4 }, { K(ADD_PARAMETER) }, 1 },
	{ "add_parameter, shared", { 2, 3, 4 },
	    { L(ADD_PARAMETER, .variant = true) }, 1 },
	{ "matmul", { 2, 3, 4 },
	    { K(TANH), L(PERMUTE, ONE(-1), .sizes = { 0, 2, 1 }),
		L(MATMUL, TWO(0, 1), .value = 0.5f) },
	    3 },
	{ "matmul, transposed", { 2, 3, 4 },
	    { K(TANH), L(SCALE, ONE(-1), .value = 2),
		L(MATMUL, TWO(0, 1), .value = 1, .variant = true) },
	    3 },
	{ "attention", { 1, 6, 8 },
	    { L(LINEAR, .out = 24), L(SLICE, .start = 0, .length = 8), HEADS(1),
		L(SLICE, ONE(0), .start = 8, .length = 8), HEADS(4),
		L(SLICE, ONE(0), .start = 16, .length = 8), HEADS(7),
		L(MATMUL, TWO(3, 6), .value = 0.5f, .variant = true),
		L(ADD_CONSTANT, .variant = true), K(SOFTMAX),
		L(MATMUL, TWO(12, 9), .value = 1),
		L(PERMUTE, .sizes = { 1, 0, 2 }),
		L(RESHAPE, .sizes = { 1, 6, 8 }), L(LINEAR, .out = 8),
		L(ADD, TWO(16, -1)) },
	    18 },
};

/* A stage with all layers, and what stands at its ends. */
struct trial {
	struct model model;
	struct stage *stage;
	size_t in_floats, out_floats, count;
	float *in, *out, *weights, *gradient_in;
};

static float *
floats(size_t count)
{
	return xaligned(KERNEL_ALIGNMENT, count * sizeof(float));
}

/* Values from -1 to 1 in the lanes of samples. */
static void
fill(float *to, int elements, struct rng *rng)
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
trial_start(struct trial *t, const struct graph *g, bool recompute)
{
	struct stage_config c = { .layer_count = g->count,
		.micro_batch = SAMPLES,
		.depth = 1,
		.training = true,
		.input_gradient = true,
		.recompute = recompute };
	struct error error = { .text = "" };
	struct rng rng;
	float *p;
	size_t i;
	int l;

	memset(t, 0, sizeof(*t));
	rng_init(&rng, 7, 0);
	model_init(&t->model, g->in);
	(void)model_block(&t->model, "B", -1, NULL);
	for (l = 0; l < g->count; l++)
		if (model_add(&t->model, &g->layers[l], &error) != 0)
			is_str(error.text, "", g->name);
	if (stage_plan_check(&t->model, 0, g->count, &error) != 0)
		is_str(error.text, "", g->name);
	t->stage = stage_new(&t->model, kernels, &c);
	t->in_floats = stage_in_floats(t->stage);
	t->out_floats = stage_out_floats(t->stage);
	t->in = floats(t->in_floats);
	t->gradient_in = floats(t->in_floats);
	t->out = floats(t->out_floats);
	t->weights = floats(t->out_floats);
	fill(t->in, layer_shape_elements(g->in), &rng);
	fill(t->weights,
	    layer_shape_elements(t->model.layers[g->count - 1].out), &rng);
	p = stage_parameters(t->stage, &t->count);
	model_initialise(&t->model, 1, p);
	for (i = 0; i < t->count; i++)
		if (isfinite(p[i]))
			p[i] = rng_uniform(&rng, -1, 1);
}

static void
trial_end(struct trial *t)
{
	stage_free(t->stage);
	free(t->in);
	free(t->out);
	free(t->weights);
	free(t->gradient_in);
}

/* The sum of weighted outputs. */
static double
value(struct trial *t)
{
	double sum = 0;
	size_t i;

	stage_forward(t->stage, 0, t->in, t->out);
	for (i = 0; i < t->out_floats; i++)
		sum += (double)t->weights[i] * (double)t->out[i];
	return sum;
}

/* Return what the value changes by when *x does, and how far both sides differ:
   a step that crosses the corner of a relu shows there. */
static double
slope(struct trial *t, float *x, float step, double middle, double *bend)
{
	const float before = *x;
	double up, down;

	*x = before + step;
	up = value(t);
	*x = before - step;
	down = value(t);
	*x = before;
	*bend = fabs(up + down - 2 * middle) / (double)step;
	return (up - down) / 2 / (double)step;
}

/* The worst of some 60 elements, as a part of the gradient's size.  Near a
   corner a smaller step counts. */
static double
worst(struct trial *t, float *x, const float *gradient, size_t count)
{
	const size_t stride = count / 60 + 1;
	const double middle = value(t);
	double error, most = 0, size = 0, bend;
	size_t i, tried = 0, taken = 0;

	for (i = 0; i < count; i++)
		size += (double)gradient[i] * (double)gradient[i];
	size = sqrt(size / (double)count);
	for (i = 0; i < count; i += stride) {
		error = slope(t, &x[i], 0x1p-7f, middle, &bend) -
		    (double)gradient[i];
		if (fabs(error) > 0.002 * size)
			error = slope(t, &x[i], 0x1p-9f, middle, &bend) -
			    (double)gradient[i];
		tried++;
		if (bend > 0.05 * size)
			continue;
		taken++;
		most = fmax(most, fabs(error) / size);
	}
	return taken * 3 < tried * 2 ? HUGE_VAL : most;
}

static void
check_graph(const struct graph *g, bool recompute)
{
	char *name = xasprintf("%s: %s%s", kernels->name, g->name,
	    recompute ? ", recomputed" : "");
	struct trial t;
	float *gradient_out;
	size_t n;
	int l;

	trial_start(&t, g, recompute);
	gradient_out = floats(t.out_floats);
	memcpy(gradient_out, t.weights, t.out_floats * sizeof(float));
	(void)value(&t);
	if (recompute)
		stage_recompute(t.stage, t.in);
	stage_backward(t.stage, 0, t.in, gradient_out, t.gradient_in);
	is_near(worst(&t, t.in, t.gradient_in, t.in_floats), 0, 0.002, name);
	for (l = 0; l < g->count; l++) {
		const struct layer *layer = &t.model.layers[l];

		if (layer->weights > 0)
			is_near(worst(&t,
				    stage_parameters(t.stage, &n) +
					layer->first,
				    stage_gradients(t.stage, &n) + layer->first,
				    layer->weights + layer->biases),
			    0, 0.002, name);
	}
	free(gradient_out);
	trial_end(&t);
	free(name);
}

/* Of some graphs, what PyTorch gave: the first and the last output, the sum of
   weighted outputs, two gradients of inputs, and the sum of the parameters'
   absolute gradients.  Number i of the input is 1.5 sin(1 + 0.37 i), of the
   parameters 0.3 sin(2 + 0.7 i), of the outputs' weights sin(0.5 + 0.11 i). */
static const struct golden {
	const char *name;
	double values[6];
} goldens[] = {
	{ "scale",
	    { -1.89331, -1.949125, 0.3968239, -0.8593012, -1.281003, 0 } },
	{ "leaky_relu",
	    { 1.262206, 1.299417, 1.518267, 0.5728675, 0.8540019, 0 } },
	{ "gelu", { 1.131647, 1.173503, 1.219385, 0.6463587, 0.9615613, 0 } },
	{ "gelu by tanh",
	    { 1.131422, 1.173272, 1.218839, 0.6464651, 0.9614747, 0 } },
	{ "tanh",
	    { 0.8516713, 0.861573, -0.1496269, 0.1093075, 0.2200695, 0 } },
	{ "silu", { 0.9837709, 1.021, 0.8165796, 0.5937585, 0.8578445, 0 } },
	{ "elu", { 1.262206, 1.299417, 0.8931014, 0.5728675, 0.8540019, 0 } },
	{ "relu6", { 6, 6, 9.23778, 0, 0, 0 } },
	{ "softplus", { 1.51143, 1.54055, 3.08213, 0.4657621, 0.6710208, 0 } },
	{ "exp", { 3.533209, 3.667158, 5.948468, 2.491192, 3.13176, 0 } },
	{ "multiply", { 1.155593, 1.253375, 2.982831, 1.787611, 2.287778, 0 } },
	{ "multiply by channels",
	    { 0.6492707, 0.505405, -0.03124361, 0.2615468, 0.3373492, 0 } },
	{ "add to rows",
	    { 2.636662, 1.949628, -0.479696, 1.18527, 1.605237, 0 } },
	{ "sigmoid",
	    { 0.7794057, 0.7857368, 1.901605, 0.08708057, 0.143775, 0 } },
	{ "softmax of features",
	    { 0.1696001, 0.3767352, 1.635429, -0.02000313, -0.03434515, 0 } },
	{ "softmax of rows",
	    { 0.2223389, 0.4208178, 0.9679371, -0.0111473, 0.02734618, 0 } },
	{ "softmax of channels",
	    { 0.3880109, 0.4636191, -2.47723, -0.007727995, 0.3536651, 0 } },
	{ "log_softmax",
	    { -1.774312, -0.9762129, -23.62299, -0.4794831, 0.8982673, 0 } },
	{ "log_softmax of height",
	    { -0.8532732, -0.3395868, -7.704317, -1.33371, -0.4865489, 0 } },
	{ "permute",
	    { 1.262206, 1.299417, 18.26046, 0.9168031, 0.8540019, 0 } },
	{ "slice of width",
	    { 1.469862, -1.064122, 2.743133, 0.4794255, 0, 0 } },
	{ "reshape and linear of rows",
	    { 0.005198717, 0.9253176, 0.1413618, -0.03585796, 0.04453284,
		4.092681 } },
	{ "concat of height",
	    { 2.524413, 1.299417, -15.72525, 1.649914, 0.9809863, 0 } },
	{ "residual",
	    { -0.3143776, -0.4781625, 0.6913139, 0.02228096, -0.01053192,
		426.7578 } },
	{ "nested residuals",
	    { -1.968365, -4.104941, -36.83097, -1.093807, 0.00666015,
		135.1833 } },
	{ "grouped conv2d",
	    { 0.05188246, -0.3353931, 17.18993, -0.9522623, 0.4464929,
		378.6883 } },
	{ "rectangular conv2d",
	    { -0.5812702, -0.4124724, -60.53048, 0.7444595, 0.6782471,
		1312.374 } },
	{ "rectangular avgpool2d",
	    { 0.6830171, 1.072459, -0.02182939, 0.2630732, -0.09709004, 0 } },
	{ "avgpool2d",
	    { 0.3384217, -0.3122826, 0.7650226, 0.1169214, -0.08458214, 0 } },
	{ "mean of planes",
	    { 0.760352, -0.2484852, 0.001238942, 0.05992819, 0.1114911, 0 } },
	{ "mean of height",
	    { 0.2600572, -0.3281272, 0.6516968, 0.1432169, -0.1303322, 0 } },
	{ "batch_norm",
	    { 0.01252868, -0.1475324, 0.5725046, 0.1778409, -0.02857698,
		17.06662 } },
	{ "batch_norm and relu",
	    { 0.01252868, 0, 0.01913323, 0.1424612, 0, 0.6763779 } },
	{ "batch_norm, not affine",
	    { 1.061084, -0.9386704, 2.864951, -0.03680591, -0.8029546, 0 } },
	{ "layer_norm",
	    { -0.6042855, -0.130775, -0.499455, 0.7331037, -0.05790991,
		5.36223 } },
	{ "layer_norm of all",
	    { 0.2430382, -0.3631109, -0.9322103, 0.07939295, -0.1150588,
		63.88773 } },
	{ "layer_norm, not affine",
	    { 0.3277601, 0.290434, 0.2969862, -0.07031989, -1.014888, 0 } },
	{ "add_parameter",
	    { 1.534996, 1.095023, -0.3886098, 0.5728675, 0.8540019,
		4.799507 } },
	{ "add_parameter, shared",
	    { 1.534996, 1.217889, -0.1207779, 0.5728675, 0.8540019,
		3.911735 } },
	{ "matmul",
	    { 2.417296, 1.006608, 2.474584, -0.03620467, -0.05782514, 0 } },
	{ "matmul, transposed",
	    { 9.669184, 4.026431, 9.898336, -0.1448187, -0.2313005, 0 } },
	{ "attention",
	    { 1.092994, 1.557612, -3.057646, 0.7201568, 1.026748, 145.2551 } },
};

/* Fill in a wave in PyTorch's order. */
static void
fill_wave(float *to, int elements, double start, double step, double size)
{
	const int count = SAMPLES * elements;
	double *values = xcalloc((size_t)count, sizeof(*values));
	int i;

	for (i = 0; i < count; i++)
		values[i] = size * sin(start + step * i);
	lanes_put(values, SAMPLES, elements, kernels->lanes, to);
	free(values);
}

/* The element of a sample. */
static double
element(const float *tensor, int elements, int sample, int index)
{
	const int lanes = kernels->lanes;

	return (double)tensor[(sample / lanes * elements + index) * lanes +
	    sample % lanes];
}

static void
run_wave(struct trial *t, const struct graph *g, double got[6])
{
	const int in = layer_shape_elements(g->in);
	const int out = layer_shape_elements(t->model.layers[g->count - 1].out);
	float *p = stage_parameters(t->stage, &t->count), *gradients;
	size_t i, n;
	int l = 0;

	fill_wave(t->in, in, 1, 0.37, 1.5);
	fill_wave(t->weights, out, 0.5, 0.11, 1);
	model_initialise(&t->model, 1, p);
	for (n = 0; l < g->count; l++) {
		const struct layer *layer = &t->model.layers[l];

		for (i = 0; i < layer->weights + layer->biases; i++)
			p[layer->first + i] =
			    (float)(0.3 * sin(2 + 0.7 * (double)n++));
	}
	got[2] = value(t);
	got[0] = element(t->out, out, 0, 0);
	got[1] = element(t->out, out, SAMPLES - 1, out - 1);
	stage_backward(t->stage, 0, t->in, t->weights, t->gradient_in);
	got[3] = element(t->gradient_in, in, 0, 1 % in);
	got[4] = element(t->gradient_in, in, SAMPLES - 1, in - 1);
	gradients = stage_gradients(t->stage, &t->count);
	for (got[5] = 0, i = 0; i < t->count; i++)
		got[5] += fabs((double)gradients[i]);
}

static void
check_golden(const struct golden *golden)
{
	const struct graph *g = graphs;
	struct trial t;
	double got[6];
	char *name;
	int i;

	while (strcmp(g->name, golden->name) != 0)
		g++;
	trial_start(&t, g, false);
	run_wave(&t, g, got);
	for (i = 0; i < 6; i++) {
		name = xasprintf("%s: %s, PyTorch's value %d", kernels->name,
		    g->name, i);
		is_near(got[i], golden->values[i],
		    1e-5 * fmax(1, fabs(golden->values[i])), name);
		free(name);
	}
	trial_end(&t);
}

int
main(void)
{
	static const char *const names[] = { "sse2", "avx2", "avx512" };
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		kernels = kernels_by_name(names[i]);
		if (kernels == NULL) {
			tap_skip(names[i], "this machine does not have it");
			continue;
		}
		for (k = 0; k < ARRAY_SIZE(graphs); k++) {
			check_graph(&graphs[k], false);
			check_graph(&graphs[k], true);
		}
		for (k = 0; k < ARRAY_SIZE(goldens); k++)
			check_golden(&goldens[k]);
	}
	return tap_done();
}
