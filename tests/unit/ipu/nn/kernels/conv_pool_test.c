/*
 * Convolution, maximum and relu as one, of every instruction set, against
 * plain loops in double precision that walk the windows one by one.
 * Tolerance as in kernels_test.c: 2e-6 of the sum of the absolute products.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/kernels/kernels.h"
#include "ipu/nn/nn.h"

enum { BLOCKS = 2 };

static const double tolerance = 2e-6;
static struct rng rng;
static int lanes;

/* A sum and the sum of what was added, each without its sign. */
struct sum {
	double value, size;
};

/* A layer, what it works on, and what must come out. */
struct bench {
	struct conv_shape shape;
	int height, width;	 /* windows */
	size_t in, out, weights; /* floats */
	float *x, *w, *bias, *y, *g, *dx, *dw, *db;
	signed char *marks;
	float *scratch;
	struct sum *want_dx, *want_dw, *want_db;
};

static float *
random_floats(size_t count)
{
	float *f = xaligned(KERNEL_ALIGNMENT, count * sizeof(float));
	size_t i;

	for (i = 0; i < count; i++)
		f[i] = rng_uniform(&rng, -1, 1);
	return f;
}

static void
add(struct sum *s, double x)
{
	s->value += x;
	s->size += fabs(x);
}

static bool
near(float got, const struct sum *wanted)
{
	return fabs((double)got - wanted->value) <=
	    tolerance * (wanted->size + 1);
}

static bool
all_near(const float *got, const struct sum *wanted, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!near(got[i], &wanted[i]))
			return false;
	return true;
}

static void
bench_start(struct bench *b, int in, int out, int height, int width, int kernel)
{
	const struct conv_shape s = { in, out, height, width, kernel,
		height - kernel + 1, width - kernel + 1, 1, 0, 1, { 0 } };

	*b = (struct bench){ .shape = s };
	b->height = s.out_height / 2;
	b->width = s.out_width / 2;
	b->in = (size_t)(in * height * width * BLOCKS * lanes);
	b->out = (size_t)(out * b->height * b->width * BLOCKS * lanes);
	b->weights = (size_t)(out * in * kernel * kernel);
	b->x = random_floats(b->in);
	b->w = random_floats(b->weights);
	b->bias = random_floats((size_t)out);
	b->y = random_floats(b->out);
	b->g = random_floats(b->out);
	b->dx = random_floats(b->in);
	b->dw = random_floats(b->weights);
	b->db = random_floats((size_t)out);
	b->marks = xaligned(KERNEL_ALIGNMENT, b->out);
	b->scratch = random_floats(conv_pool_layout(&s, lanes).floats);
	b->want_dx = xcalloc(b->in, sizeof(struct sum));
	b->want_dw = xcalloc(b->weights, sizeof(struct sum));
	b->want_db = xcalloc((size_t)out, sizeof(struct sum));
}

static void
bench_end(struct bench *b)
{
	free(b->x);
	free(b->w);
	free(b->bias);
	free(b->y);
	free(b->g);
	free(b->dx);
	free(b->dw);
	free(b->db);
	free(b->marks);
	free(b->scratch);
	free(b->want_dx);
	free(b->want_dw);
	free(b->want_db);
}

static int
input_at(const struct bench *b, int block, int c, int y, int x, int lane)
{
	const struct conv_shape *s = &b->shape;

	return (((block * s->in_channels + c) * s->in_height + y) *
		       s->in_width +
		   x) *
	    lanes +
	    lane;
}

static int
weight_at(const struct bench *b, int o, int c, int ky, int kx)
{
	const struct conv_shape *s = &b->shape;

	return ((o * s->in_channels + c) * s->kernel + ky) * s->kernel + kx;
}

/* The convolution's output at a pixel. */
static struct sum
pixel(const struct bench *b, int block, int o, int y, int x, int lane)
{
	const struct conv_shape *s = &b->shape;
	struct sum sum = { 0, 0 };
	int c, i, k = s->kernel;

	if (b->bias != NULL)
		add(&sum, (double)b->bias[o]);
	for (c = 0; c < s->in_channels; c++)
		for (i = 0; i < k * k; i++)
			add(&sum,
			    (double)b->w[weight_at(b, o, c, i / k, i % k)] *
				(double)b->x[input_at(b, block, c, y + i / k,
				    x + i % k, lane)]);
	return sum;
}

/* What one window's gradient gives to its patch and to its filter. */
static void
give_back(struct bench *b, int block, int o, int y, int x, int lane, double g)
{
	const int k = b->shape.kernel;
	int c, i, in, w;

	for (c = 0; c < b->shape.in_channels; c++) {
		for (i = 0; i < k * k; i++) {
			in = input_at(b, block, c, y + i / k, x + i % k, lane);
			w = weight_at(b, o, c, i / k, i % k);
			add(&b->want_dx[in], g * (double)b->w[w]);
			add(&b->want_dw[w], g * (double)b->x[in]);
		}
	}
	add(&b->want_db[o], g);
}

/* One window: forward checked, its gradient given back. */
static bool
window_is_right(struct bench *b, int block, int o, int y, int x, int lane)
{
	const int at =
	    (((block * b->shape.out_channels + o) * b->height + y) * b->width +
		x) *
		lanes +
	    lane;
	const int mark = b->marks[at];
	struct sum s, best = { 0, 0 }, won = { 0, 0 };
	int i;

	for (i = 0; i < 4; i++) {
		s = pixel(b, block, o, 2 * y + i / 2, 2 * x + i % 2, lane);
		if (s.value > best.value)
			best = s;
		if (i == mark)
			won = s;
	}
	if (mark != MARK_NOTHING)
		give_back(b, block, o, 2 * y + mark / 2, 2 * x + mark % 2, lane,
		    (double)b->g[at]);
	/* Two that are almost equal may win in either way. */
	return mark >= MARK_NOTHING && mark < 4 && near(b->y[at], &best) &&
	    near(b->y[at], &won) && (mark == MARK_NOTHING) == (b->y[at] <= 0);
}

static bool
forward_is_right(struct bench *b)
{
	const int count = b->shape.out_channels * b->height * b->width;
	const int area = b->height * b->width;
	bool good = true;
	int block, i, lane;

	for (block = 0; block < BLOCKS; block++)
		for (i = 0; i < count; i++)
			for (lane = 0; lane < lanes; lane++)
				good = window_is_right(b, block, i / area,
					   i / b->width % b->height,
					   i % b->width, lane) &&
				    good;
	return good;
}

static void
forward(const struct bench *b, const struct kernels *k)
{
	const ptrdiff_t in = (ptrdiff_t)b->in / BLOCKS;
	const ptrdiff_t out = (ptrdiff_t)b->out / BLOCKS;
	int i;

	for (i = 0; i < BLOCKS; i++)
		k->conv_pool_forward(&b->shape, b->x + i * in, b->w, b->bias,
		    b->y + i * out, b->marks + i * out);
}

static void
test_shape(const struct kernels *k, int in, int out, int height, int width,
    int kernel, bool bias)
{
	struct bench b;
	char *name = xasprintf("%s conv %d->%d of %dx%d, kernel %d%s", k->name,
	    in, out, height, width, kernel, bias ? "" : ", no bias");
	size_t i;

	bench_start(&b, in, out, height, width, kernel);
	if (!bias) {
		free(b.bias);
		b.bias = NULL;
	}
	for (i = 0; i < b.weights; i++)
		add(&b.want_dw[i], (double)b.dw[i]);
	for (i = 0; i < (size_t)out; i++)
		add(&b.want_db[i], (double)b.db[i]);
	for (i = 0; i < b.out; i += 7)
		b.g[i] = 0;
	forward(&b, k);
	ok(forward_is_right(&b), name);
	k->conv_pool_backward(&b.shape, BLOCKS, b.x, b.g, b.marks, b.w, b.dw,
	    bias ? b.db : NULL, b.dx, b.scratch);
	ok(all_near(b.dx, b.want_dx, b.in), name);
	ok(all_near(b.dw, b.want_dw, b.weights), name);
	ok(!bias || all_near(b.db, b.want_db, (size_t)out), name);
	bench_end(&b);
	free(name);
}

/* Without a gradient of the input the others come out the same. */
static void
test_no_gradient_in(const struct kernels *k)
{
	struct bench b;
	float *dw, *db;

	bench_start(&b, 3, 4, 8, 8, 3);
	dw = random_floats(b.weights);
	db = random_floats(4);
	memcpy(dw, b.dw, b.weights * sizeof(float));
	memcpy(db, b.db, 4 * sizeof(float));
	forward(&b, k);
	k->conv_pool_backward(&b.shape, BLOCKS, b.x, b.g, b.marks, b.w, b.dw,
	    b.db, b.dx, b.scratch);
	k->conv_pool_backward(&b.shape, BLOCKS, b.x, b.g, b.marks, b.w, dw, db,
	    NULL, b.scratch);
	ok(memcmp(dw, b.dw, b.weights * sizeof(float)) == 0, k->name);
	ok(memcmp(db, b.db, 4 * sizeof(float)) == 0, k->name);
	free(dw);
	free(db);
	bench_end(&b);
}

/* Equal pixels: the first wins; zero does not pass. */
static void
test_ties(const struct kernels *k)
{
	struct bench b;
	size_t i;

	bench_start(&b, 1, 1, 4, 4, 1);
	for (i = 0; i < b.in; i++)
		b.x[i] = 0.5f;
	b.w[0] = 1;
	b.bias[0] = 0;
	forward(&b, k);
	for (i = 0; i < b.out && b.marks[i] == 0 && b.y[i] == 0.5f; i++)
		;
	ok(i == b.out, k->name);
	b.bias[0] = -0.5f;
	forward(&b, k);
	for (i = 0; i < b.out && b.marks[i] == MARK_NOTHING && b.y[i] == 0; i++)
		;
	ok(i == b.out, k->name);
	bench_end(&b);
}

static void
test_table(const struct kernels *k)
{
	lanes = k->lanes;
	/* The tutorial's two, then shapes that leave rests everywhere. */
	test_shape(k, 1, 10, 28, 28, 5, true);
	test_shape(k, 10, 20, 12, 12, 5, true);
	test_shape(k, 3, 7, 9, 8, 3, true);
	test_shape(k, 2, 1, 8, 9, 7, false);
	test_shape(k, 13, 4, 5, 6, 3, true);
	test_shape(k, 24, 2, 9, 6, 5, true);
	test_shape(k, 4, 6, 2, 2, 1, false);
	test_no_gradient_in(k);
	test_ties(k);
}

int
main(void)
{
	static const char *const names[] = { "sse2", "avx2", "avx512" };
	size_t i;

	rng_init(&rng, 1, 0);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kernels *k = kernels_by_name(names[i]);

		if (k == NULL)
			tap_skip(names[i], "this machine does not have it");
		else
			test_table(k);
	}
	return tap_done();
}
