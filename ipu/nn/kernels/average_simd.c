/*
 * Averages over windows, and the mean along an axis.
 */
#include <string.h>

#include "ipu/nn/kernels/kernels_isa.h"

/* Return the first and the end of a window's places inside the input. */
static void
inside(struct window_side s, int place, int size, int *first, int *end)
{
	const int origin = place * s.stride - s.padding;

	*first = larger(0, origin);
	*end = smaller(size, origin + s.kernel);
}

/* The part of a window inside the input. */
struct inner_window {
	int top, bottom, left, right;
};

static struct inner_window
window_at(const struct pool_shape *s, int y, int x)
{
	struct inner_window w;

	inside(SIDE_Y(s), y, s->in_height, &w.top, &w.bottom);
	inside(SIDE_X(s), x, s->in_width, &w.left, &w.right);
	return w;
}

/* Padding counts, as in PyTorch. */
static float
share_of(const struct pool_shape *s)
{
	return 1 / (float)(s->kernel * SIDE_X(s).kernel);
}

static void
plane_forward(const struct pool_shape *s, const vec *in, vec *out)
{
	struct inner_window w;
	vec sum;
	int y, x, i, j;

	for (y = 0; y < s->out_height; y++) {
		for (x = 0; x < s->out_width; x++) {
			w = window_at(s, y, x);
			sum = broadcast(0);
			for (i = w.top; i < w.bottom; i++)
				for (j = w.left; j < w.right; j++)
					sum += in[i * s->in_width + j];
			*out++ = sum * share_of(s);
		}
	}
}

static void
plane_backward(const struct pool_shape *s, const vec *gradient, vec *to)
{
	struct inner_window w;
	int y, x, i, j;

	memset(to, 0, (size_t)s->in_height * (size_t)s->in_width * sizeof(vec));
	for (y = 0; y < s->out_height; y++) {
		for (x = 0; x < s->out_width; x++) {
			const vec g = *gradient++ * share_of(s);

			w = window_at(s, y, x);
			for (i = w.top; i < w.bottom; i++)
				for (j = w.left; j < w.right; j++)
					to[i * s->in_width + j] += g;
		}
	}
}

static void
avgpool2d_forward(const struct kernel_call *c)
{
	const struct pool_shape *s = &c->window;
	int n;

	for (n = 0; n < c->blocks * s->channels; n++)
		plane_forward(s,
		    (const vec *)c->in[0] + n * s->in_height * s->in_width,
		    (vec *)c->out + n * s->out_height * s->out_width);
}

static void
avgpool2d_backward(const struct kernel_call *c)
{
	const struct pool_shape *s = &c->window;
	int n;

	if (c->gradient_in[0] == NULL)
		return;
	for (n = 0; n < c->blocks * s->channels; n++)
		plane_backward(s,
		    (const vec *)c->gradient_out +
			n * s->out_height * s->out_width,
		    (vec *)c->gradient_in[0] + n * s->in_height * s->in_width);
}

static void
mean_forward(const struct kernel_call *c)
{
	const struct kernel_axis *a = &c->axis[0];
	const vec *in = (const vec *)c->in[0];
	vec *out = (vec *)c->out, sum;
	int n, i, k;

	for (n = 0; n < c->blocks * a->outer; n++) {
		for (i = 0; i < a->inner; i++) {
			sum = broadcast(0);
			for (k = 0; k < a->count; k++)
				sum += in[k * a->inner + i];
			*out++ = sum / (float)a->count;
		}
		in += a->count * a->inner;
	}
}

static void
mean_backward(const struct kernel_call *c)
{
	const struct kernel_axis *a = &c->axis[0];
	const vec *from = (const vec *)c->gradient_out;
	vec *to = (vec *)c->gradient_in[0];
	int n, i, k;

	for (n = 0; to != NULL && n < c->blocks * a->outer; n++) {
		for (k = 0; k < a->count; k++)
			for (i = 0; i < a->inner; i++)
				*to++ = from[i] / (float)a->count;
		from += a->inner;
	}
}

OPERATION(avgpool2d)
OPERATION(mean)
