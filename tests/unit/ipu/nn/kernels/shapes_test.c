/*
 * Layers of every shape, and networks of random layers cut into random
 * stages, in each instruction set against plain loops in double precision.
 *
 * With small whole numbers every sum is exact in any order, so that all
 * results are equal to the bit, and equal maxima are frequent.  With other
 * numbers the tolerance is 2e-6 of the sum of the absolute products.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"
#include "tests/unit/reference.h"

enum {
	SAMPLES = 5, /* leaves lanes empty */
	RANDOM_MODELS = 1500,
	WHOLE_MAX = 1 << 20 /* of a sum; a float has 24 bits */
};

static const double tolerance = 2e-6;
static const struct kernels *tables[3];
static int table_count;
static struct rng rng;

/* Where a model is cut: stage i is the layers cut[i] to cut[i + 1]. */
struct cuts {
	int count;
	int at[MODEL_LAYERS_MAX + 1];
	bool recompute;
};

static size_t
result_count(const struct reference *r)
{
	return (size_t)SAMPLES *
	    (size_t)(reference_elements(r, 0) +
		reference_elements(r, r->model->layer_count)) +
	    r->model->parameter_count;
}

/* Outputs, gradients of the inputs, gradients of the parameters. */
static double *
results(const struct reference *r)
{
	const int last = r->model->layer_count;
	const size_t out = (size_t)SAMPLES *
	    (size_t)reference_elements(r, last);
	const size_t in = (size_t)SAMPLES * (size_t)reference_elements(r, 0);
	double *to = xcalloc(result_count(r), sizeof(*to));

	memcpy(to, r->values[last], out * sizeof(*to));
	memcpy(to + out, r->gradients[0], in * sizeof(*to));
	memcpy(to + out + in, r->parameter_gradients,
	    r->model->parameter_count * sizeof(*to));
	return to;
}

static float *
floats(size_t count)
{
	return xaligned(KERNEL_ALIGNMENT, count * sizeof(float));
}

/* A stage with the reference's parameters. */
static struct stage *
make_stage(const struct reference *r, const struct kernels *k, int first,
    int count, bool recompute)
{
	struct stage *s = stage_new(r->model, k,
	    &(struct stage_config){ .first_layer = first,
		.layer_count = count,
		.micro_batch = SAMPLES,
		.depth = 2,
		.training = true,
		.input_gradient = true,
		.recompute = recompute });
	size_t n, i;
	float *p = stage_parameters(s, &n);

	for (i = 0; i < n; i++)
		p[i] = (float)r->parameters[stage_first_parameter(s) + i];
	return s;
}

/* The same as results(), computed by stages from the reference's input. */
static double *
compute(const struct reference *r, const struct kernels *k,
    const struct cuts *cuts)
{
	const int last = r->model->layer_count;
	struct stage *stages[MODEL_LAYERS_MAX];
	float *tensors[MODEL_LAYERS_MAX + 1];
	float *gradients[MODEL_LAYERS_MAX + 1], *other, *g;
	double *all = xcalloc(result_count(r), sizeof(*all));
	double *to = all +
	    (size_t)SAMPLES * (size_t)reference_elements(r, last);
	size_t n, j;
	int i;

	for (i = 0; i < cuts->count; i++) {
		stages[i] = make_stage(r, k, cuts->at[i],
		    cuts->at[i + 1] - cuts->at[i], cuts->recompute);
		tensors[i] = floats(stage_in_floats(stages[i]));
		gradients[i] = floats(stage_in_floats(stages[i]));
	}
	tensors[i] = floats(stage_out_floats(stages[i - 1]));
	gradients[i] = floats(stage_out_floats(stages[i - 1]));
	lanes_put(r->values[0], SAMPLES, reference_elements(r, 0), k->lanes,
	    tensors[0]);
	lanes_put(r->gradients[last], SAMPLES, reference_elements(r, last),
	    k->lanes, gradients[cuts->count]);
	for (i = 0; i < cuts->count; i++) {
		stage_forward(stages[i], 1, tensors[i], tensors[i + 1]);
		/* Another micro-batch in the other slot disturbs nothing. */
		other = floats(stage_in_floats(stages[i]));
		g = floats(stage_out_floats(stages[i]));
		stage_forward(stages[i], 0, other, g);
		free(other);
		free(g);
	}
	lanes_get(tensors[cuts->count], SAMPLES, reference_elements(r, last),
	    k->lanes, all);
	for (i = cuts->count - 1; i >= 0; i--) {
		if (cuts->recompute)
			stage_recompute(stages[i], tensors[i]);
		stage_backward(stages[i], 1, tensors[i], gradients[i + 1],
		    gradients[i]);
	}
	lanes_get(gradients[0], SAMPLES, reference_elements(r, 0), k->lanes,
	    to);
	to += (size_t)SAMPLES * (size_t)reference_elements(r, 0);
	for (i = 0; i < cuts->count; i++) {
		g = stage_gradients(stages[i], &n);
		for (j = 0; j < n; j++)
			to[stage_first_parameter(stages[i]) + j] = (double)g[j];
		stage_free(stages[i]);
	}
	for (i = 0; i <= cuts->count; i++) {
		free(tensors[i]);
		free(gradients[i]);
	}
	return all;
}

/* The first of the results that differ by more; -1: none. */
static long
differing(const double *got, const double *wanted, const double *sizes,
    size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!(fabs(got[i] - wanted[i]) <=
			(sizes == NULL ? 0 : tolerance * (sizes[i] + 1))))
			return (long)i;
	return -1;
}

static void
fill(double *to, size_t count, bool whole, int most)
{
	size_t i;

	for (i = 0; i < count; i++)
		to[i] = whole ?
		    (double)rng_below(&rng, 2 * (uint32_t)most + 1) - most :
		    (double)rng_uniform(&rng, -1, 1);
}

/* Inputs, parameters and the outputs' gradients. */
static void
fill_reference(struct reference *r, bool whole)
{
	const int last = r->model->layer_count;

	fill(r->values[0], (size_t)SAMPLES * (size_t)reference_elements(r, 0),
	    whole, 3);
	fill(r->parameters, r->model->parameter_count, whole, 1);
	fill(r->gradients[last],
	    (size_t)SAMPLES * (size_t)reference_elements(r, last), whole, 1);
}

static void
absolute(double *to, const double *from, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		to[i] = fabs(from[i]);
}

/* The sums of the absolute products, for a model of one layer. */
static double *
sizes_of(const struct reference *r)
{
	const size_t in = (size_t)reference_elements(r, 0);
	const size_t out = (size_t)reference_elements(r, 1);
	struct reference a;
	double *sizes;

	reference_init(&a, r->model, SAMPLES);
	/* A maximum adds nothing, and its gradient needs the same winners. */
	if (r->model->layers[0].spec.kind == LAYER_MAXPOOL2D)
		memcpy(a.values[0], r->values[0],
		    SAMPLES * in * sizeof(double));
	else
		absolute(a.values[0], r->values[0], SAMPLES * in);
	absolute(a.parameters, r->parameters, r->model->parameter_count);
	absolute(a.gradients[1], r->gradients[1], SAMPLES * out);
	reference_forward(&a);
	reference_backward(&a);
	sizes = results(&a);
	reference_release(&a);
	return sizes;
}

static void
start_model(struct model *m, struct shape in)
{
	model_init(m, in);
	(void)model_block(m, "B", -1, NULL);
}

/* One layer: whole numbers exactly, others within the tolerance. */
static void
test_layer(struct shape in, const struct layer_spec *spec, const char *name)
{
	const struct cuts one = { .count = 1, .at = { 0, 1 } };
	struct model m;
	struct reference r;
	double *wanted, *got, *sizes, *first = NULL;
	char *text;
	int whole, i;

	start_model(&m, in);
	ok(model_add(&m, spec, NULL) == 0, name);
	for (whole = 0; whole < 2; whole++) {
		reference_init(&r, &m, SAMPLES);
		fill_reference(&r, whole == 1);
		reference_forward(&r);
		reference_backward(&r);
		wanted = results(&r);
		sizes = whole == 1 ? NULL : sizes_of(&r);
		for (i = 0; i < table_count; i++) {
			text = xasprintf("%s %s%s", tables[i]->name, name,
			    whole == 1 ? ", exactly" : "");
			got = compute(&r, tables[i], &one);
			is_int(differing(got, wanted, sizes, result_count(&r)),
			    -1, text);
			if (i == 0)
				first = got;
			else {
				is_int(differing(got, first, sizes,
					   result_count(&r)),
				    -1, text);
				free(got);
			}
			free(text);
		}
		free(first);
		free(sizes);
		free(wanted);
		reference_release(&r);
	}
}

static void
test_convolutions(void)
{
	static const struct {
		struct shape in;
		int out, kernel, stride, padding;
		bool no_bias;
	} rows[] = {
		/* the usual ones */
		{ { 1, 28, 28 }, 13, 3, 1, 1, false },
		{ { 8, 14, 14 }, 16, 3, 1, 1, false },
		{ { 5, 14, 14 }, 7, 3, 2, 1, false },
		{ { 3, 16, 15 }, 8, 5, 1, 2, true },
		{ { 4, 9, 9 }, 6, 1, 2, 0, true },
		{ { 3, 31, 31 }, 4, 11, 4, 2, false },
		/* stride 1 without padding */
		{ { 2, 9, 8 }, 3, 3, 1, 0, true },
		{ { 2, 6, 7 }, 11, 1, 1, 0, false },
		/* padding as large as the kernel and larger */
		{ { 2, 4, 5 }, 3, 3, 1, 3, false },
		{ { 2, 4, 5 }, 3, 2, 3, 4, false },
		/* a stride larger than the kernel, than the input */
		{ { 2, 11, 13 }, 3, 2, 5, 1, false },
		{ { 1, 3, 4 }, 2, 3, 9, 0, false },
		/* even kernels, kernels larger than the input */
		{ { 3, 7, 6 }, 4, 4, 2, 1, false },
		{ { 2, 2, 3 }, 5, 6, 1, 3, false },
		{ { 1, 1, 1 }, 1, 5, 1, 2, false },
		/* one pixel, one row, one column */
		{ { 17, 1, 1 }, 19, 1, 1, 0, false },
		{ { 17, 1, 1 }, 19, 3, 2, 1, false },
		{ { 2, 1, 20 }, 3, 3, 1, 1, false },
		{ { 2, 20, 1 }, 3, 3, 2, 1, false },
	};
	struct layer_spec spec;
	char *name;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		spec = (struct layer_spec){ .kind = LAYER_CONV2D,
			.out = rows[i].out,
			.kernel = rows[i].kernel,
			.stride = rows[i].stride,
			.padding = rows[i].padding,
			.no_bias = rows[i].no_bias };
		name = xasprintf("conv2d %d x %d x %d to %d, kernel %d, stride "
				 "%d, padding %d%s",
		    rows[i].in.channels, rows[i].in.height, rows[i].in.width,
		    spec.out, spec.kernel, spec.stride, spec.padding,
		    spec.no_bias ? ", no bias" : "");
		test_layer(rows[i].in, &spec, name);
		free(name);
	}
}

static void
test_pools(void)
{
	static const struct {
		struct shape in;
		int kernel, stride, padding;
	} rows[] = {
		{ { 3, 12, 12 }, 2, 2, 0 },
		{ { 2, 5, 7 }, 2, 2, 0 },
		{ { 3, 9, 9 }, 3, 3, 0 },
		{ { 2, 14, 13 }, 3, 2, 1 }, /* overlapping */
		{ { 2, 6, 5 }, 3, 1, 1 },
		{ { 2, 5, 6 }, 2, 1, 0 },
		{ { 2, 5, 6 }, 2, 2, 1 },
		{ { 1, 7, 8 }, 2, 5, 1 },
		{ { 2, 4, 4 }, 1, 1, 0 },
		{ { 2, 7, 5 }, 1, 3, 0 },
		{ { 1, 15, 14 }, 11, 2, 5 },
		{ { 1, 3, 2 }, 4, 1, 2 },
		{ { 5, 1, 1 }, 3, 1, 1 },
	};
	struct layer_spec spec = { .kind = LAYER_MAXPOOL2D };
	char *name;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		spec.kernel = rows[i].kernel;
		spec.stride = rows[i].stride;
		spec.padding = rows[i].padding;
		name = xasprintf(
		    "maxpool2d %d x %d x %d, kernel %d, stride %d, padding %d",
		    rows[i].in.channels, rows[i].in.height, rows[i].in.width,
		    spec.kernel, spec.stride, spec.padding);
		test_layer(rows[i].in, &spec, name);
		free(name);
	}
}

/* A NaN stays where the window begins with it, and is passed over elsewhere. */
static void
test_nan(void)
{
	const struct pool_shape wide = { 1, 1, 3, 2, 2, 4, 1, 1, { 0 } };
	const struct pool_shape plain = { 1, 2, 4, 2, 1, 2, 2, 0, { 0 } };
	float *in = floats(8 * KERNEL_LANES_MAX);
	float *out = floats(8 * KERNEL_LANES_MAX);
	signed char *choice = xaligned(KERNEL_ALIGNMENT, 8 * KERNEL_LANES_MAX);
	int i, lanes;

	for (i = 0; i < table_count; i++) {
		lanes = tables[i]->lanes;
		in[0] = 1;
		in[lanes] = NAN;
		in[2 * lanes] = 2;
		tables[i]->pool_forward(&wide, in, out, choice);
		/* The windows are 1; 1 NaN; NaN 2; 2: twice. */
		ok(out[lanes] == 1 && isnan(out[2 * lanes]),
		    "NaN, overlapping windows");
		in[0] = NAN;
		in[lanes] = 1;
		in[3 * lanes] = NAN;
		tables[i]->pool_forward(&plain, in, out, choice);
		ok(isnan(out[0]) && out[lanes] == 2, "NaN, 2 x 2");
	}
	free(in);
	free(out);
	free(choice);
}

static int
between(int low, int high)
{
	return low + (int)rng_below(&rng, (uint32_t)(high - low + 1));
}

static struct layer_spec
random_layer(void)
{
	struct layer_spec s = {
		.kind = (enum layer_kind)rng_below(&rng, LAYER_LINEAR + 1),
		.no_bias = rng_below(&rng, 2) == 0,
	};

	if (s.kind == LAYER_CONV2D || s.kind == LAYER_LINEAR)
		s.out = between(1, 8);
	if (s.kind == LAYER_CONV2D || s.kind == LAYER_MAXPOOL2D) {
		s.kernel = between(1, 4);
		s.stride = between(1, 3);
		s.padding = between(0, s.kernel / 2);
		if (rng_below(&rng, 3) == 0)
			s.x = (struct window_side){ .kernel = between(1, 4),
				.stride = between(1, 3) };
		s.x.padding = between(0, s.x.kernel / 2);
		if (s.kind == LAYER_CONV2D && rng_below(&rng, 3) == 0)
			s.dilation = between(1, 3);
		if (s.kind == LAYER_CONV2D && s.x.kernel > 0)
			s.x.dilation = between(1, 3);
	}
	return s;
}

/* A linear layer is refused until the tensor is flat. */
static void
random_model(struct model *m)
{
	struct layer_spec spec;
	struct error error;
	const int wanted = between(1, 9);
	struct shape in = { between(1, 4), between(1, 9), between(1, 9) };

	start_model(m, in);
	while (m->layer_count < wanted) {
		spec = random_layer();
		(void)model_add(m, &spec, &error);
	}
}

static void
random_cuts(const struct model *m, struct cuts *c)
{
	int i;

	c->count = 0;
	c->at[0] = 0;
	for (i = 1; i <= m->layer_count; i++)
		if (i == m->layer_count || rng_below(&rng, 3) == 0)
			c->at[++c->count] = i;
	c->recompute = rng_below(&rng, 2) == 0;
}

static bool
small(const double *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (fabs(values[i]) > WHOLE_MAX)
			return false;
	return true;
}

/* Every sum of the reference is exact in a float, with room for parts. */
static bool
exact(const struct reference *r)
{
	size_t count;
	int i;

	for (i = 0; i <= r->model->layer_count; i++) {
		count = (size_t)SAMPLES * (size_t)reference_elements(r, i);
		if (!small(r->values[i], count) ||
		    !small(r->gradients[i], count))
			return false;
	}
	return small(r->parameter_gradients, r->model->parameter_count);
}

static void
describe(const struct model *m, const struct cuts *c)
{
	int i, stage = 0;

	printf("# %d x %d x %d%s:\n", m->in.channels, m->in.height, m->in.width,
	    c->recompute ? ", recomputed" : "");
	for (i = 0; i < m->layer_count; i++) {
		const struct layer_spec *s = &m->layers[i].spec;

		stage += i >= c->at[stage + 1];
		printf(
		    "# stage %d: %s out %d kernel %d %d stride %d %d padding "
		    "%d %d dilation %d %d%s\n",
		    stage, model_kind_name(s->kind), s->out, s->kernel,
		    s->x.kernel, s->stride, s->x.stride, s->padding,
		    s->x.padding, s->dilation, s->x.dilation,
		    s->no_bias ? " no bias" : "");
	}
}

static void
test_random_models(void)
{
	struct model m;
	struct reference r;
	struct cuts c;
	double *wanted, *got;
	long at;
	int n, i, wrong = 0, compared = 0;

	for (n = 0; n < RANDOM_MODELS; n++) {
		random_model(&m);
		random_cuts(&m, &c);
		reference_init(&r, &m, SAMPLES);
		fill_reference(&r, true);
		reference_forward(&r);
		reference_backward(&r);
		wanted = results(&r);
		for (i = 0; i < table_count && exact(&r); i++) {
			got = compute(&r, tables[i], &c);
			at = differing(got, wanted, NULL, result_count(&r));
			compared += i == 0;
			if (at >= 0) {
				wrong++;
				printf("# %s: result %ld\n", tables[i]->name,
				    at);
				describe(&m, &c);
			}
			free(got);
		}
		free(wanted);
		reference_release(&r);
	}
	is_int(wrong, 0, "random models: exactly the same");
	ok(compared > RANDOM_MODELS * 9 / 10, "nearly all were exact");
}

int
main(void)
{
	static const char *const names[] = { "sse2", "avx2", "avx512" };
	size_t i;

	rng_init(&rng, 7, 0);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kernels *k = kernels_by_name(names[i]);

		if (k == NULL)
			tap_skip(names[i], "this machine does not have it");
		else
			tables[table_count++] = k;
	}
	test_convolutions();
	test_pools();
	test_nan();
	test_random_models();
	return tap_done();
}
