/*
 * What a stage keeps between micro-batches: running statistics and the
 * generator of dropouts; and rows that are looked up or not trained.  PyTorch
 * gave the numbers.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"
#include "tests/unit/reference.h"

enum { SAMPLES = 5, DEPTH = 2, FLOATS_MAX = 4096 };

static const struct kernels *kernels;

/* Tensors, aligned for all kernels. */
static _Alignas(KERNEL_ALIGNMENT) float in[DEPTH][FLOATS_MAX];
static _Alignas(KERNEL_ALIGNMENT) float between[DEPTH][FLOATS_MAX];
static _Alignas(KERNEL_ALIGNMENT) float out[DEPTH][FLOATS_MAX];
static _Alignas(KERNEL_ALIGNMENT) float gradient[FLOATS_MAX];
static _Alignas(KERNEL_ALIGNMENT) float back[FLOATS_MAX];

static void
build(struct model *m, struct shape shape, const struct layer_spec *specs,
    int count)
{
	struct error error = { .text = "" };
	int i;

	model_init(m, shape);
	(void)model_block(m, "B", -1, NULL);
	for (i = 0; i < count; i++)
		if (model_add(m, &specs[i], &error) != 0)
			is_str(error.text, "", "a layer");
}

static struct stage *
start(const struct model *m, int first, int count, bool training,
    bool recompute)
{
	const struct stage_config c = { .first_layer = first,
		.layer_count = count,
		.micro_batch = SAMPLES,
		.depth = DEPTH,
		.training = training,
		.input_gradient = true,
		.recompute = recompute,
		.seed = 5 };

	return stage_new(m, kernels, &c);
}

/* Number i in PyTorch's order is size x sin(start + step x i). */
static void
wave(float *to, int elements, double size, double begin, double step)
{
	double values[SAMPLES * 64];
	int i;

	for (i = 0; i < SAMPLES * elements; i++)
		values[i] = size * sin(begin + step * i);
	lanes_put(values, SAMPLES, elements, kernels->lanes, to);
}

static double
at(const float *tensor, int elements, int index)
{
	const int sample = index / elements;

	return (double)
	    tensor[(sample / kernels->lanes * elements + index % elements) *
		    kernels->lanes +
		sample % kernels->lanes];
}

static void
test_batch_norm(void)
{
	static const struct layer_spec spec = { .kind = LAYER_BATCH_NORM,
		.value = 1e-5f,
		.momentum = 0.1f };
	static const double running[6] = { 0.0843096003, 0.0603518151,
		-0.0733652040, 1.3541449308, 1.3633687496, 1.3587375879 };
	struct model m;
	struct stage *s;
	float *p, kept[12];
	size_t n;
	int i;

	build(&m, (struct shape){ 3, 2, 2 }, &spec, 1);
	s = start(&m, 0, 1, true, false);
	p = stage_parameters(s, &n);
	is_int((long long)n, 12, "weights, biases, means and variances");
	model_initialise(&m, 1, p);
	wave(in[0], 12, 1.5, 1, 0.37);
	stage_forward(s, 0, in[0], out[0]);
	wave(in[0], 12, 3, 1, 0.37);
	stage_forward(s, 1, in[0], out[0]);
	for (i = 0; i < 6; i++)
		is_near((double)p[6 + i], running[i], 2e-6, "running");
	memcpy(kept, p, sizeof(kept));
	stage_free(s);

	s = start(&m, 0, 1, false, false);
	memcpy(stage_parameters(s, &n), kept, sizeof(kept));
	wave(in[0], 12, 1.5, 1, 0.37);
	stage_forward(s, 0, in[0], out[0]);
	is_near(at(out[0], 12, 0), 1.0122157335, 2e-6, "inference, first");
	is_near(at(out[0], 12, 59), -0.8943042755, 2e-6, "inference, last");
	stage_free(s);
}

/* The first 35 draws of a share of 0.3. */
static const char first[] = "xxxxx.x..xxx.xxxxx.xxxxx.xxxx...xx.";

/* The first row of each sample comes before the second ones. */
static void
test_rows_first(void)
{
	static const struct layer_spec spec = { .kind = LAYER_DROPOUT,
		.value = 0.3f,
		.variant = true };
	char got[SAMPLES * 7 + 1] = "";
	struct model m;
	struct stage *s;
	int i;

	build(&m, (struct shape){ 1, 7, 1 }, &spec, 1);
	s = start(&m, 0, 1, true, false);
	wave(in[0], 7, 1, 1, 0);
	stage_forward(s, 0, in[0], out[0]);
	for (i = 0; i < SAMPLES * 7; i++)
		got[i] = at(out[0], 7, i % SAMPLES * 7 + i / SAMPLES) > 0 ?
		    'x' :
		    '.';
	is_str(got, first, "rows first");
	stage_free(s);
}

/* Two dropouts one after another; inference has none. */
static void
test_dropout(void)
{
	static const struct layer_spec specs[] = {
		{ .kind = LAYER_DROPOUT, .value = 0.3f },
		{ .kind = LAYER_SLICE, .length = 4 },
		{ .kind = LAYER_DROPOUT, .value = 0.5f },
	};
	static const char second[] = "xx.x.......xx.x.x.xx";
	char got[SAMPLES * 4 + 1], wanted[SAMPLES * 4 + 1];
	struct model m;
	struct stage *s;
	int i, n;

	build(&m, (struct shape){ 7, 1, 1 }, specs, 3);
	s = start(&m, 0, 3, true, false);
	for (i = 0; i < SAMPLES * 7; i++)
		in[0][(i / 7 / kernels->lanes * 7 + i % 7) * kernels->lanes +
		    i / 7 % kernels->lanes] = 1;
	stage_forward(s, 0, in[0], out[0]);
	for (i = 0; i < SAMPLES * 4; i++) {
		n = i / 4 * 7 + i % 4;
		wanted[i] = first[n] == 'x' && second[i] == 'x' ? 'x' : '.';
		got[i] = at(out[0], 4, i) > 0 ? 'x' : '.';
	}
	wanted[i] = got[i] = '\0';
	is_str(got, wanted, "PyTorch's dropouts");
	is_near(at(out[0], 4, 0), 2 / 0.7, 1e-6, "scaled");
	stage_free(s);
	s = start(&m, 0, 3, false, false);
	stage_forward(s, 0, in[0], out[0]);
	for (n = 0, i = 0; i < SAMPLES * 4; i++)
		n += at(out[0], 4, i) == 1;
	is_int(n, SAMPLES * 4, "inference drops nothing");
	stage_free(s);
}

static void
test_embedding(void)
{
	static const struct layer_spec spec = { .kind = LAYER_EMBEDDING,
		.length = 7,
		.out = 3,
		.start = 3,
		.variant = true };
	static const double wanted[21] = { -0.495711088, -0.534760892,
		-0.567346692, 0.335839868, 0.381470382, 0.422489822, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0.212559015, 0.241439313, 0.267401308 };
	struct model m;
	struct stage *s;
	double ids[SAMPLES * 4];
	float *p, *g;
	size_t n;
	int i;

	build(&m, (struct shape){ 1, 1, 4 }, &spec, 1);
	s = start(&m, 0, 1, true, false);
	p = stage_parameters(s, &n);
	for (i = 0; i < 21; i++)
		p[i] = (float)(0.3 * sin(2 + 0.7 * i));
	for (i = 0; i < SAMPLES * 4; i++)
		ids[i] = i * (i + 1) / 2 % 7;
	lanes_put(ids, SAMPLES, 4, kernels->lanes, in[0]);
	stage_forward(s, 0, in[0], out[0]);
	is_near(at(out[0], 12, 0), 0.272789240, 1e-6, "the first row");
	is_near(at(out[0], 12, 59), -0.211662099, 1e-6, "the last");
	wave(gradient, 12, 1, 0.5, 0.11);
	stage_backward(s, 0, in[0], gradient, back);
	g = stage_gradients(s, &n);
	for (i = 0; i < 21; i++)
		is_near((double)g[i], wanted[i], 2e-6, "a row's gradient");
	in[0][0] = 7;
	stage_forward(s, 0, in[0], out[0]);
	ok(isnan(at(out[0], 12, 0)) && !isnan(at(out[0], 12, 3)),
	    "no row: not a number");
	stage_free(s);
}

/* Parameters that are not trained. */
static void
test_fixed(void)
{
	static const struct layer_spec specs[] = {
		{ .kind = LAYER_LINEAR, .out = 3, .fixed_biases = true },
		{ .kind = LAYER_BATCH_NORM, .value = 1e-5f },
		{ .kind = LAYER_LINEAR, .out = 2, .fixed_weights = true },
	};
	const struct optimiser o = optimiser_defaults(OPTIMISER_SGD, 1);
	struct model m;
	struct stage *s;
	float *p, *g;
	size_t n, i;
	char got[64];

	build(&m, (struct shape){ 4, 1, 1 }, specs, 3);
	s = start(&m, 0, 3, true, false);
	p = stage_parameters(s, &n);
	g = stage_gradients(s, &n);
	is_int((long long)n, 12 + 3 + 6 + 6 + 6 + 2, "parameters and buffers");
	for (i = 0; i < n; i++)
		g[i] = -1;
	(void)stage_update(s, &o, 1, 1);
	for (i = 0; i < n; i++)
		got[i] = p[i] == 0 ? '0' : p[i] == 1 ? '1' : '*';
	got[n] = '\0';
	is_str(got, "11111111111100011111100000000000011",
	    "only what is trained");
	ok(g[0] == 0 && g[30] == 0, "and gradients are zero");
	stage_free(s);
}

static const struct layer_spec network[] = {
	{ .kind = LAYER_CONV2D,
	    .out = 4,
	    .kernel = 3,
	    .stride = 1,
	    .padding = 1 },
	{ .kind = LAYER_DROPOUT, .value = 0.25f },
	{ .kind = LAYER_BATCH_NORM, .value = 1e-5f, .momentum = 0.1f },
	{ .kind = LAYER_RELU },
	{ .kind = LAYER_CONV2D,
	    .out = 4,
	    .kernel = 3,
	    .stride = 1,
	    .padding = 1 },
	{ .kind = LAYER_ADD, .input_count = 2, .inputs = { 4, 3 } },
	{ .kind = LAYER_BATCH_NORM, .value = 1e-5f, .momentum = 0.1f },
	{ .kind = LAYER_DROPOUT, .value = 0.5f },
	{ .kind = LAYER_FLATTEN },
	{ .kind = LAYER_LINEAR, .out = 3 },
};

enum { LAYERS = ARRAY_SIZE(network), CUT = 6 };

/* Run two micro-batches, as a pipeline does, in two stages; then keep all
   outputs, parameters and gradients. */
static void
run_cut(const struct model *m, int cut, bool recompute, float *to)
{
	struct stage *a = start(m, 0, cut, true, recompute);
	struct stage *b = cut == LAYERS ?
	    NULL :
	    start(m, cut, LAYERS - cut, true, recompute);
	float *all = xcalloc(m->parameter_count, sizeof(float));
	size_t n, count;
	float *p;
	int i;

	model_initialise(m, 3, all);
	p = stage_parameters(a, &n);
	memcpy(p, all, n * sizeof(float));
	if (b != NULL) {
		p = stage_parameters(b, &count);
		memcpy(p, all + n, count * sizeof(float));
	}
	for (i = 0; i < DEPTH; i++) {
		wave(in[i], 18, 1.5, i, 0.37);
		stage_forward(a, i, in[i], b == NULL ? out[i] : between[i]);
		if (b != NULL)
			stage_forward(b, i, between[i], out[i]);
	}
	for (i = 0; i < DEPTH; i++) {
		memset(gradient, 0, sizeof(gradient));
		wave(gradient, 3, 1, 0.5, 0.11);
		if (b != NULL) {
			if (recompute)
				stage_recompute(b, between[i]);
			stage_backward(b, i, between[i], gradient, back);
			memcpy(gradient, back, sizeof(back));
		}
		if (recompute)
			stage_recompute(a, in[i]);
		stage_backward(a, i, in[i], gradient, back);
	}
	memcpy(to, out, sizeof(out));
	to += sizeof(out) / sizeof(float);
	for (i = 0; i < 2 && (i == 0 || b != NULL); i++) {
		const float *g = stage_gradients(i == 0 ? a : b, &n);

		memcpy(to, g, n * sizeof(float));
		to += n;
	}
	for (i = 0; i < 2 && (i == 0 || b != NULL); i++) {
		p = stage_parameters(i == 0 ? a : b, &n);
		memcpy(to, p, n * sizeof(float));
		to += n;
	}
	stage_free(a);
	stage_free(b);
	free(all);
}

static void
test_cuts(void)
{
	struct model m;
	float *one, *other;
	size_t count;
	int k;

	build(&m, (struct shape){ 2, 3, 3 }, network, LAYERS);
	count = sizeof(out) / sizeof(float) + 2 * m.parameter_count;
	one = xcalloc(count, sizeof(float));
	other = xcalloc(count, sizeof(float));
	run_cut(&m, LAYERS, false, one);
	for (k = 1; k < 4; k++) {
		run_cut(&m, k % 2 == 1 ? CUT : LAYERS, k > 1, other);
		ok(memcmp(one, other, count * sizeof(float)) == 0,
		    k == 1     ? "two stages" :
			k == 2 ? "recomputed" :
				 "two stages, recomputed");
	}
	free(one);
	free(other);
}

/* What enters and leaves a stage. */
static void
test_check(void)
{
	struct model m;
	struct error error;

	build(&m, (struct shape){ 2, 3, 3 }, network, LAYERS);
	ok(stage_plan_check(&m, 0, CUT, &error) == 0 &&
		stage_plan_check(&m, CUT, LAYERS - CUT, &error) == 0,
	    "after a residual connection");
	ok(stage_plan_check(&m, 5, 5, &error) == -1, "inside of it");
	is_str(error.text,
	    "layer 5, add, takes the output of layer 3, which is in an earlier "
	    "stage; only the output of the layer before a stage can enter it",
	    "with a sentence");
	ok(stage_plan_check(&m, 0, 5, &error) == 0,
	    "the last layer's output may leave");
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
		test_batch_norm();
		test_dropout();
		test_rows_first();
		test_embedding();
		test_cuts();
	}
	test_fixed();
	test_check();
	return tap_done();
}
