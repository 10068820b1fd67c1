/*
 * Every instruction set's kernels against plain loops in double precision.
 * Tolerance: 2e-6 of the sum of the absolute products, some 16 roundings of
 * a float; what a sum of a thousand products may lose in any order.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/kernels/kernels.h"
#include "ipu/nn/nn.h"

enum { GROUPS = 3 }; /* blocks of lanes in the linear tests */

static const double tolerance = 2e-6;
static struct rng rng;
static int lanes;

static float *
random_floats(size_t count)
{
	float *f = xaligned(KERNEL_ALIGNMENT, count * sizeof(float));
	size_t i;

	for (i = 0; i < count; i++)
		f[i] = rng_uniform(&rng, -1, 1);
	return f;
}

/* A sum and the sum of what was added, each without its sign. */
struct sum {
	double value, size;
};

static void
add(struct sum *s, double x)
{
	s->value += x;
	s->size += fabs(x);
}

static bool
near(float got, struct sum wanted)
{
	return fabs((double)got - wanted.value) <=
	    tolerance * (wanted.size + 1);
}

static int
at(int width, int height, int channel, int y, int x, int lane)
{
	return ((channel * height + y) * width + x) * lanes + lane;
}

/* One output: the taps in order. */
static struct sum
forward_sum(const struct conv_shape *s, const float *in, const float *w,
    float bias, int o, int y, int x, int lane)
{
	struct sum sum = { 0, 0 };
	const int k = s->kernel;
	int c, i;

	add(&sum, (double)bias);
	for (c = 0; c < s->in_channels; c++)
		for (i = 0; i < k * k; i++)
			add(&sum,
			    (double)w[(o * s->in_channels + c) * k * k + i] *
				(double)in[at(s->in_width, s->in_height, c,
				    y + i / k, x + i % k, lane)]);
	return sum;
}

static bool
forward_is_right(const struct conv_shape *s, const float *in, const float *w,
    const float *bias, const float *out, int o, int lane)
{
	int y, x;

	for (y = 0; y < s->out_height; y++)
		for (x = 0; x < s->out_width; x++)
			if (!near(out[at(s->out_width, s->out_height, o, y, x,
				      lane)],
				forward_sum(s, in, w, bias[o], o, y, x, lane)))
				return false;
	return true;
}

/* The gradient of one input: from every output that it went into. */
static struct sum
data_sum(const struct conv_shape *s, const float *g, const float *w, int c,
    int y, int x, int lane)
{
	struct sum sum = { 0, 0 };
	const int k = s->kernel;
	int o, i, oy, ox;

	for (o = 0; o < s->out_channels; o++) {
		for (i = 0; i < k * k; i++) {
			oy = y - i / k;
			ox = x - i % k;
			if (oy < 0 || ox < 0 || oy >= s->out_height ||
			    ox >= s->out_width)
				continue;
			add(&sum,
			    (double)w[(o * s->in_channels + c) * k * k + i] *
				(double)g[at(s->out_width, s->out_height, o, oy,
				    ox, lane)]);
		}
	}
	return sum;
}

static bool
data_is_right(const struct conv_shape *s, const float *g, const float *w,
    const float *result, int c, int lane)
{
	int y, x;

	for (y = 0; y < s->in_height; y++)
		for (x = 0; x < s->in_width; x++)
			if (!near(result[at(s->in_width, s->in_height, c, y, x,
				      lane)],
				data_sum(s, g, w, c, y, x, lane)))
				return false;
	return true;
}

/* One weight's gradient, added to `before`. */
static bool
weight_is_right(const struct conv_shape *s, const float *in, const float *g,
    int o, int c, int ky, int kx, float before, float got)
{
	struct sum sum = { 0, 0 };
	int y, x, lane;

	add(&sum, (double)before);
	for (y = 0; y < s->out_height; y++)
		for (x = 0; x < s->out_width; x++)
			for (lane = 0; lane < lanes; lane++)
				add(&sum,
				    (double)g[at(s->out_width, s->out_height, o,
					y, x, lane)] *
					(double)in[at(s->in_width, s->in_height,
					    c, y + ky, x + kx, lane)]);
	return near(got, sum);
}

static bool
weights_are_right(const struct conv_shape *s, const float *in, const float *g,
    const float *before, const float *got)
{
	const int k = s->kernel;
	int i;

	for (i = 0; i < s->out_channels * s->in_channels * k * k; i++)
		if (!weight_is_right(s, in, g, i / (s->in_channels * k * k),
			i / (k * k) % s->in_channels, i / k % k, i % k,
			before[i], got[i]))
			return false;
	return true;
}

static bool
bias_is_right(const struct conv_shape *s, const float *g, const float *got)
{
	int o, i, area = s->out_height * s->out_width;

	for (o = 0; o < s->out_channels; o++) {
		struct sum sum = { 0, 0 };

		for (i = 0; i < area * lanes; i++)
			add(&sum, (double)g[o * area * lanes + i]);
		if (!near(got[o], sum))
			return false;
	}
	return true;
}

static void
test_conv(const struct kernels *k, int in, int out, int height, int width,
    int kernel)
{
	struct conv_shape s = { in, out, height, width, kernel,
		height - kernel + 1, width - kernel + 1, 1, 0, 1, { 0 } };
	size_t in_floats = (size_t)(in * height * width * lanes);
	size_t out_floats = (size_t)(out * s.out_height * s.out_width * lanes);
	size_t weights = (size_t)(in * out * kernel * kernel);
	float *x = random_floats(in_floats), *w = random_floats(weights);
	float *bias = random_floats((size_t)out);
	float *y = random_floats(out_floats), *g = random_floats(out_floats);
	float *dx = random_floats(in_floats), *dw = random_floats(weights);
	float *db = xcalloc((size_t)out, sizeof(float));
	float *before = xcalloc(weights, sizeof(float));
	float *scratch = random_floats(kernels_conv_scratch(&s, lanes));
	char *name;
	bool forward = true, data = true;
	int i, lane;

	memcpy(before, dw, weights * sizeof(float));
	k->conv_forward(&s, x, w, bias, y);
	k->conv_backward_data(&s, g, w, dx, scratch);
	k->conv_backward_weights(&s, x, g, dw, db);
	for (lane = 0; lane < lanes; lane += 3) {
		for (i = 0; i < out; i++)
			forward = forward &&
			    forward_is_right(&s, x, w, bias, y, i, lane);
		for (i = 0; i < in; i++)
			data = data && data_is_right(&s, g, w, dx, i, lane);
	}
	name = xasprintf("%s conv %d->%d of %dx%d, kernel %d", k->name, in, out,
	    height, width, kernel);
	ok(forward, name);
	ok(data, name);
	ok(weights_are_right(&s, x, g, before, dw), name);
	ok(bias_is_right(&s, g, db), name);
	free(x);
	free(w);
	free(bias);
	free(y);
	free(g);
	free(dx);
	free(dw);
	free(db);
	free(before);
	free(scratch);
	free(name);
}

static bool
linear_is_right(const struct linear_shape *s, const float *x, const float *w,
    const float *bias, const float *y)
{
	int b, o, i, lane;

	for (b = 0; b < s->blocks; b++) {
		for (o = 0; o < s->out; o++) {
			for (lane = 0; lane < lanes; lane++) {
				struct sum sum = { 0, 0 };

				add(&sum, (double)bias[o]);
				for (i = 0; i < s->in; i++)
					add(&sum,
					    (double)w[o * s->in + i] *
						(double)
						    x[(b * s->in + i) * lanes +
							lane]);
				if (!near(y[(b * s->out + o) * lanes + lane],
					sum))
					return false;
			}
		}
	}
	return true;
}

static bool
linear_data_is_right(const struct linear_shape *s, const float *g,
    const float *w, const float *dx)
{
	int b, o, i, lane;

	for (b = 0; b < s->blocks; b++) {
		for (i = 0; i < s->in; i++) {
			for (lane = 0; lane < lanes; lane++) {
				struct sum sum = { 0, 0 };

				for (o = 0; o < s->out; o++)
					add(&sum,
					    (double)w[o * s->in + i] *
						(double)
						    g[(b * s->out + o) * lanes +
							lane]);
				if (!near(dx[(b * s->in + i) * lanes + lane],
					sum))
					return false;
			}
		}
	}
	return true;
}

static bool
linear_weights_are_right(const struct linear_shape *s, const float *x,
    const float *g, const float *before, const float *dw, const float *db)
{
	int b, o, i, lane;

	for (o = 0; o < s->out; o++) {
		struct sum bias = { 0, 0 };

		for (i = 0; i < s->in; i++) {
			struct sum sum = { 0, 0 };

			add(&sum, (double)before[o * s->in + i]);
			for (b = 0; b < s->blocks; b++)
				for (lane = 0; lane < lanes; lane++)
					add(&sum,
					    (double)g[(b * s->out + o) * lanes +
						lane] *
						(double)
						    x[(b * s->in + i) * lanes +
							lane]);
			if (!near(dw[o * s->in + i], sum))
				return false;
		}
		for (b = 0; b < s->blocks; b++)
			for (lane = 0; lane < lanes; lane++)
				add(&bias,
				    (double)g[(b * s->out + o) * lanes + lane]);
		if (!near(db[o], bias))
			return false;
	}
	return true;
}

static void
test_linear(const struct kernels *k, int in, int out, int blocks)
{
	struct linear_shape s = { in, out, blocks };
	size_t in_floats = (size_t)(in * blocks * lanes);
	size_t out_floats = (size_t)(out * blocks * lanes);
	size_t weights = (size_t)(in * out);
	float *x = random_floats(in_floats), *w = random_floats(weights);
	float *bias = random_floats((size_t)out);
	float *y = random_floats(out_floats), *g = random_floats(out_floats);
	float *dx = random_floats(in_floats), *dw = random_floats(weights);
	float *db = xcalloc((size_t)out, sizeof(float));
	float *before = xcalloc(weights, sizeof(float));
	float *scratch = random_floats(kernels_linear_scratch(&s, lanes));
	char *name;

	memcpy(before, dw, weights * sizeof(float));
	k->linear_forward(&s, x, w, bias, y);
	k->linear_backward_data(&s, g, w, dx);
	k->linear_backward_weights(&s, x, g, dw, db, scratch);
	name = xasprintf("%s linear %d->%d, %d blocks", k->name, in, out,
	    blocks);
	ok(linear_is_right(&s, x, w, bias, y), name);
	ok(linear_data_is_right(&s, g, w, dx), name);
	ok(linear_weights_are_right(&s, x, g, before, dw, db), name);
	free(x);
	free(w);
	free(bias);
	free(y);
	free(g);
	free(dx);
	free(dw);
	free(db);
	free(before);
	free(scratch);
	free(name);
}

/* Where the largest of the four pixels under output o of a plane stands. */
static int
winner(const float *x, int height, int width, int c, int o, int lane)
{
	int i, p, best = -1, y = o / (width / 2), left = o % (width / 2);

	for (i = 0; i < 4; i++) {
		p = at(width, height, c, 2 * y + i / 2, 2 * left + i % 2, lane);
		if (best < 0 || x[p] > x[best])
			best = p;
	}
	return best;
}

static void
test_pool(const struct kernels *k, int channels, int height, int width)
{
	const int area = (height / 2) * (width / 2);
	const struct pool_shape s = { channels, height, width, 2, height / 2,
		width / 2, 2, 0, { 0 } };
	size_t in = (size_t)(channels * height * width * lanes);
	size_t out = (size_t)(channels * area * lanes);
	float *x = random_floats(in), *y = random_floats(out);
	float *g = random_floats(out), *dx = random_floats(in);
	float *wanted = xcalloc(in, sizeof(float));
	signed char *choice = xaligned(KERNEL_ALIGNMENT, out);
	bool forward = true;
	char *name;
	int i, best;

	x[0] = x[lanes] = 2; /* equal: the first wins */
	k->pool_forward(&s, x, y, choice);
	k->pool_backward(&s, g, choice, dx);
	for (i = 0; i < (int)out; i++) {
		best = winner(x, height, width, i / lanes / area,
		    i / lanes % area, i % lanes);
		forward = forward && y[i] == x[best];
		wanted[best] = g[i];
	}
	name = xasprintf("%s pool %d of %dx%d", k->name, channels, height,
	    width);
	ok(forward, name);
	ok(memcmp(dx, wanted, in * sizeof(float)) == 0, name);
	free(x);
	free(y);
	free(g);
	free(dx);
	free(wanted);
	free(choice);
	free(name);
}

static void
test_relu(const struct kernels *k)
{
	enum { ELEMENTS = 13 };
	size_t count = (size_t)(ELEMENTS * lanes), i;
	float *x = random_floats(count), *g = random_floats(count);
	float *y = random_floats(count), *dx = random_floats(count);
	signed char *mask = xaligned(KERNEL_ALIGNMENT, count);
	bool good = true;

	x[1] = 0; /* not above zero: does not pass */
	k->relu_forward(ELEMENTS, x, y, mask);
	k->relu_backward(ELEMENTS, g, mask, dx);
	for (i = 0; i < count; i++)
		good = good && y[i] == (x[i] > 0 ? x[i] : 0) &&
		    dx[i] == (x[i] > 0 ? g[i] : 0);
	ok(good, k->name);
	free(x);
	free(g);
	free(y);
	free(dx);
	free(mask);
}

static void
test_table(const struct kernels *k)
{
	lanes = k->lanes;
	/* The tutorial's two, then shapes that leave rests everywhere. */
	test_conv(k, 1, 10, 28, 28, 5);
	test_conv(k, 10, 20, 12, 12, 5);
	test_conv(k, 3, 7, 9, 8, 3);
	test_conv(k, 2, 1, 7, 7, 7);
	test_conv(k, 4, 6, 1, 1, 1);
	test_linear(k, 320, 256, GROUPS);
	test_linear(k, 256, 10, 1);
	test_linear(k, 37, 5, 10);
	test_pool(k, 10, 24, 24);
	test_pool(k, 2, 5, 7);
	test_relu(k);
}

int
main(void)
{
	static const char *const names[] = { "sse2", "avx2", "avx512" };
	struct error error = { .text = "" };
	size_t i;

	rng_init(&rng, 1, 0);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kernels *k = kernels_by_name(names[i]);

		if (k == NULL)
			tap_skip(names[i], "this machine does not have it");
		else
			test_table(k);
	}
	ok(kernels_by_name("neon") == NULL, "an unknown name");
	(void)setenv("IPUBOX_KERNELS", "sse2", 1);
	is_str(kernels_choose(&error)->name, "sse2", "the variable forces one");
	(void)setenv("IPUBOX_KERNELS", "mmx", 1);
	ok(kernels_choose(&error) == NULL, "the variable names none");
	is_str(error.text,
	    "IPUBOX_KERNELS=mmx: not known, or not for this machine (sse2, "
	    "avx2, avx512)",
	    "and the reason says so");
	return tap_done();
}
