/*
 * Convolutions of any stride, padding and dilation over samples in lanes;
 * conv_simd.c has square ones of stride 1 without the other two.
 *
 * Copies nothing and multiplies no zeroes: taps on padding are left out.  The
 * pixels along an axis form spans with the same taps, for example with a kernel
 * of 3, stride 1 and padding 1
 *
 *	pixel	0   1 2 ... n-2   n-1
 *	taps	1 2   0 1 2       0 1
 *
 * and a pair of neighbours in a span, along x or along y, is a tile.  In
 * backward with a stride, pixels a stride apart are neighbours: they were read
 * through the same taps, every stride-th one.
 */
#include <stdbool.h>

#include "ipu/nn/kernels/kernels_isa.h"

enum {
	ROWS = 6, /* channels of a tile */
	PIXELS = 2
};

/* The map from computed pixels to the pixels that they read, in x or y. */
struct axis {
	struct window_side window;
	int size, read_size;
	bool backward;
	int step, read_step; /* between neighbours, and what they read */
	int tap_step, tap_read_step; /* the same between the taps of a pixel */
};

/* Neighbours with the same taps. */
struct span {
	int first, count;
	int tap, taps; /* first, and number */
	int read;      /* read for the first pixel */
};

/* Neighbours are one pixel apart; they read pixels a stride apart. */
static struct axis
forward_axis(struct window_side w, int in, int out)
{
	return (struct axis){ w, out, in, false, 1, w.stride, 1, w.dilation };
}

/* Neighbours are a stride apart and read neighbouring gradients, taps
   downwards: each tap, or with a stride those that are whole strides apart. */
static struct axis
backward_axis(struct window_side w, int in, int out)
{
	int taps = 1;

	while (taps < w.kernel && taps * w.dilation % w.stride != 0)
		taps++;
	return (struct axis){ w, in, out, true, w.stride, 1, taps,
		-(taps * w.dilation / w.stride) };
}

/*
 * Return the taps of one pixel.  Forward tap k reads pixel * stride - padding +
 * k * dilation; backward it reads (pixel + padding - k * dilation) / stride, if
 * that is whole.
 *
 * With a kernel of 3, stride 1, padding 1 and 5 pixels, forward: pixel 0 has
 * origin -1, so taps 1 and 2, which read 0 and 1; pixel 4 has origin 3, so taps
 * 0 and 1.
 */
static struct span
taps_of(const struct axis *a, int pixel)
{
	const struct window_side *w = &a->window;
	struct span s = { .first = pixel, .count = 1 };
	int k, at;

	for (k = 0; k < w->kernel; k++) {
		if (a->backward)
			at = pixel + w->padding - k * w->dilation;
		else
			at = pixel * w->stride - w->padding + k * w->dilation;
		if (at < 0 || (a->backward && at % w->stride != 0))
			continue;
		at /= a->backward ? w->stride : 1;
		if (at < a->read_size && s.taps++ == 0) {
			s.tap = k;
			s.read = at;
		}
	}
	return s;
}

/* Move to the next span, starting from an empty one; false: no more. */
static bool
next_span(const struct axis *a, struct span *s)
{
	struct span other;
	int at = s->first + s->count * a->step;

	if (at >= a->size) {
		at = s->first % a->step + 1;
		if (at >= a->step || at >= a->size)
			return false;
	}
	*s = taps_of(a, at);
	for (at += a->step; at < a->size; at += a->step) {
		other = taps_of(a, at);
		if (other.tap != s->tap || other.taps != s->taps)
			break;
		s->count++;
	}
	return true;
}

/* `rows` channels of `pixels` pixels, summed over all channels read and their
   taps.  The steps are signed. */
struct tile {
	const vec *in; /* first tap of the first pixel */
	ptrdiff_t in_channel, in_y, in_x, in_pixel;
	const float *weights; /* of the first tap, first row */
	ptrdiff_t w_channel, w_row, w_y, w_x;
	int channels, taps_y, taps_x;
	const float *bias; /* of the first row, or NULL */
	vec *out;
	ptrdiff_t out_channel, out_pixel;
};

INLINE void
add_taps(const int rows, const int pixels, const struct tile *t, const vec *in,
    const float *w, vec sum[ROWS][PIXELS])
{
	int x, i, j;

	for (x = 0; x < t->taps_x; x++) {
#pragma GCC unroll 8
		for (i = 0; i < rows; i++) {
			vec a = broadcast(w[i * t->w_row]);

#pragma GCC unroll 8
			for (j = 0; j < pixels; j++)
				sum[i][j] += a * in[j * t->in_pixel];
		}
		in += t->in_x;
		w += t->w_x;
	}
}

INLINE void
tile(const int rows, const int pixels, const struct tile *t)
{
	vec sum[ROWS][PIXELS];
	int c, y, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < pixels; j++)
			sum[i][j] = broadcast(t->bias != NULL ? t->bias[i] : 0);
	for (c = 0; c < t->channels; c++)
		for (y = 0; y < t->taps_y; y++)
			add_taps(rows, pixels, t,
			    t->in + c * t->in_channel + y * t->in_y,
			    t->weights + c * t->w_channel + y * t->w_y, sum);
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < pixels; j++)
			t->out[i * t->out_channel + j * t->out_pixel] =
			    sum[i][j];
}

#define TILE(rows, pixels) \
	static void tile_##rows##_##pixels(const struct tile *t) \
	{ \
		tile(rows, pixels, t); \
	}
#define TILES(pixels) \
	TILE(1, pixels) \
	TILE(2, pixels) \
	TILE(3, pixels) \
	TILE(4, pixels) \
	TILE(5, pixels) \
	TILE(6, pixels)
#define TILE_NAMES(pixels) \
	{ \
		tile_1_##pixels, tile_2_##pixels, tile_3_##pixels, \
		    tile_4_##pixels, tile_5_##pixels, tile_6_##pixels \
	}

TILES(1)
TILES(2)

static void (*const tiles[PIXELS][ROWS])(const struct tile *) = { TILE_NAMES(1),
	TILE_NAMES(2) };

/* A whole convolution: the common part of all its tiles. */
struct sweep {
	struct axis y, x;
	int rows; /* channels computed */
	int in_width, out_width;
	struct tile tile; /* for pixel 0, its tap 0, row 0 */
};

/* Compute the same sum with one long loop instead of three short ones. */
static void
channels_as_taps(struct tile *t)
{
	t->in_x = t->in_channel;
	t->w_x = t->w_channel;
	t->taps_x = t->channels;
	t->channels = 1;
}

/* Compute all rows of the pixels that `t` begins with. */
static void
all_rows(const struct sweep *s, struct tile *t, int pixels)
{
	const float *weights = t->weights, *bias = t->bias;
	int row, rows;

	for (row = 0; row < s->rows; row += rows) {
		rows = smaller(ROWS, s->rows - row);
		tiles[pixels - 1][rows - 1](t);
		t->weights += rows * t->w_row;
		t->out += rows * t->out_channel;
		if (bias != NULL)
			t->bias += rows;
	}
	t->weights = weights;
	t->bias = bias;
}

/* Compute pairs along x, and along y if one is left over. */
static void
region(const struct sweep *s, const struct span *y, const struct span *x)
{
	const ptrdiff_t in_down = s->y.read_step * s->in_width;
	const ptrdiff_t out_down = s->y.step * s->out_width;
	const vec *in = s->tile.in + y->read * s->in_width + x->read;
	vec *out = s->tile.out + y->first * s->out_width + x->first;
	struct tile t = s->tile;
	int i, j, n;

	t.weights += y->tap * s->x.window.kernel + x->tap;
	t.taps_y = y->taps;
	t.taps_x = x->taps;
	if (y->taps == 1 && x->taps == 1)
		channels_as_taps(&t);
	t.in_pixel = s->x.read_step;
	t.out_pixel = s->x.step;
	for (j = 0; j < y->count; j++) {
		for (i = 0; i + 1 < x->count; i += PIXELS) {
			t.in = in + j * in_down + i * s->x.read_step;
			t.out = out + j * out_down + i * s->x.step;
			all_rows(s, &t, PIXELS);
		}
	}
	if (x->count % PIXELS == 0)
		return;
	in += (x->count - 1) * s->x.read_step;
	out += (x->count - 1) * s->x.step;
	t.in_pixel = in_down;
	t.out_pixel = out_down;
	for (j = 0; j < y->count; j += n) {
		n = smaller(PIXELS, y->count - j);
		t.in = in + j * in_down;
		t.out = out + j * out_down;
		all_rows(s, &t, n);
	}
}

/* Combine every span along y with every span along x. */
static void
sweep(struct sweep *s)
{
	struct span y = { 0 }, x;

	s->tile.in_y = s->y.tap_read_step * s->in_width;
	s->tile.in_x = s->x.tap_read_step;
	s->tile.w_y = s->y.tap_step * s->x.window.kernel;
	s->tile.w_x = s->x.tap_step;
	while (next_span(&s->y, &y))
		for (x = (struct span){ 0 }; next_span(&s->x, &x);)
			region(s, &y, &x);
}

void
FOR_ISA(conv_general_forward)(const struct conv_shape *s, const float *in,
    const float *weights, const float *bias, float *out)
{
	const struct window_side y = conv_y(s), x = conv_x(s);
	const int taps = y.kernel * x.kernel;

	if (conv_is_plain(s)) {
		FOR_ISA(conv_forward)(s, in, weights, bias, out);
		return;
	}
	sweep(&(struct sweep){
	    .y = forward_axis(y, s->in_height, s->out_height),
	    .x = forward_axis(x, s->in_width, s->out_width),
	    .rows = s->out_channels,
	    .in_width = s->in_width,
	    .out_width = s->out_width,
	    .tile = {
		.in = (const vec *)in,
		.in_channel = s->in_height * s->in_width,
		.weights = weights,
		.w_channel = taps,
		.w_row = s->in_channels * taps,
		.channels = s->in_channels,
		.bias = bias,
		.out = (vec *)out,
		.out_channel = s->out_height * s->out_width,
	    } });
}

void
FOR_ISA(conv_general_backward_data)(const struct conv_shape *s,
    const float *gradient_out, const float *weights, float *gradient_in,
    float *scratch)
{
	const struct window_side y = conv_y(s), x = conv_x(s);
	const int taps = y.kernel * x.kernel;

	if (conv_is_plain(s)) {
		FOR_ISA(conv_backward_data)
		(s, gradient_out, weights, gradient_in, scratch);
		return;
	}
	sweep(&(struct sweep){
	    .y = backward_axis(y, s->in_height, s->out_height),
	    .x = backward_axis(x, s->in_width, s->out_width),
	    .rows = s->in_channels,
	    .in_width = s->out_width,
	    .out_width = s->in_width,
	    .tile = {
		.in = (const vec *)gradient_out,
		.in_channel = s->out_height * s->out_width,
		.weights = weights,
		.w_channel = s->in_channels * taps,
		.w_row = taps,
		.channels = s->out_channels,
		.out = (vec *)gradient_in,
		.out_channel = s->in_height * s->in_width,
	    } });
}
