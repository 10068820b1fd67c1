/*
 * The gradients of a convolution's weights, for any stride, padding and
 * dilation; conv_simd.c has the square ones of stride 1 without the other two.
 *
 * One tap at a time: the pixels for which it is inside the input are a
 * rectangle.
 */
#include "ipu/nn/kernels/kernels_isa.h"

enum {
	/* Limits of a tile: filters x channels, 8 x 1 to 4 x 3, or 4 x 4 where
	   there are 32 registers. */
	FILTERS = 8,
	CHANNELS = LANES == 16 ? 4 : 3,
	SUMS = 4 * CHANNELS,
	/* Vectors that stay in a cache for all taps; 24 KiB with 8 lanes. */
	CACHED = 768
};

/* The gradients of one tap's weights of `rows` filters and `cols` channels,
   over a rectangle of pixels: a vector each, with lanes to be added up
   later. */
struct weights_tile {
	const vec *in;
	ptrdiff_t in_channel, in_row, in_pixel;
	const vec *gradient_out;
	ptrdiff_t g_channel, g_row;
	int height, width;
};

INLINE void
weights_tile(const int rows, const int cols, const struct weights_tile *t,
    vec *result)
{
	const vec *in, *g;
	vec sum[FILTERS][CHANNELS];
	int y, x, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(0);
	for (y = 0; y < t->height; y++) {
		in = t->in + y * t->in_row;
		g = t->gradient_out + y * t->g_row;
		for (x = 0; x < t->width; x++) {
#pragma GCC unroll 8
			for (i = 0; i < rows; i++) {
				const vec a = in_register(g[i * t->g_channel]);

#pragma GCC unroll 8
				for (j = 0; j < cols; j++)
					sum[i][j] += a * in[j * t->in_channel];
			}
			in += t->in_pixel;
			g++;
		}
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			*result++ = sum[i][j];
}

#define TAP_TILE(rows, cols) \
	static void weights_tile_##rows##_##cols(const struct weights_tile *t, \
	    vec *result) \
	{ \
		weights_tile(rows, cols, t, result); \
	}
#define TAP_TILES(cols) \
	TAP_TILE(1, cols) \
	TAP_TILE(2, cols) \
	TAP_TILE(3, cols) \
	TAP_TILE(4, cols)
#define TAP_NAMES(cols) \
	weights_tile_1_##cols, weights_tile_2_##cols, weights_tile_3_##cols, \
	    weights_tile_4_##cols

TAP_TILES(1)
TAP_TILE(5, 1)
TAP_TILE(6, 1)
TAP_TILE(7, 1)
TAP_TILE(8, 1)
TAP_TILES(2)
TAP_TILE(5, 2)
TAP_TILE(6, 2)
TAP_TILES(3)
#if LANES == 16
TAP_TILES(4)
#endif

static void (*const weights_tiles[CHANNELS][FILTERS])(
    const struct weights_tile *, vec *) = {
	{ TAP_NAMES(1), weights_tile_5_1, weights_tile_6_1, weights_tile_7_1,
	    weights_tile_8_1 },
	{ TAP_NAMES(2), weights_tile_5_2, weights_tile_6_2 },
	{ TAP_NAMES(3) },
#if LANES == 16
	{ TAP_NAMES(4) },
#endif
};

/* The weights of some filters and channels. */
struct weights {
	struct weights_tile tile; /* of pixel 0, its tap 0 */
	float *gradient;	  /* of tap 0 */
	ptrdiff_t w_row, w_channel;
	int rows, cols;
};

static void
add_tap(const struct weights *w, const struct weights_tile *t, int tap)
{
	vec sums[SUMS];
	int i, j;

	weights_tiles[w->cols - 1][w->rows - 1](t, sums);
	for (i = 0; i < w->rows; i++)
		for (j = 0; j < w->cols; j++)
			w->gradient[i * w->w_row + j * w->w_channel + tap] +=
			    lane_sum(sums[i * w->cols + j]);
}

/*
 * Find the outputs from *first up to *end that read tap `k` inside the input.
 *
 * Padding 1, tap 0, stride 1: output 0 would read -1, so outputs begin at 1.
 */
static void
clip(struct window_side s, int k, int in, int *first, int *end)
{
	const int before = s.padding - k * s.dilation; /* of output 0 */

	if (before > 0)
		*first = larger(*first, (before + s.stride - 1) / s.stride);
	if (in + before <= 0)
		*end = 0;
	else
		*end = smaller(*end, (in + before - 1) / s.stride + 1);
}

/* Return what output `place` reads through tap `k`. */
INLINE int
read_at(struct window_side s, int place, int k)
{
	return place * s.stride + k * s.dilation - s.padding;
}

/* Add all taps, for the rows first <= y < end. */
static void
add_rows(const struct conv_shape *s, const struct weights *w, int first,
    int end)
{
	const struct window_side high = conv_y(s), wide = conv_x(s);
	struct weights_tile t = w->tile;
	int ky, kx, y, y_end, x, x_end;

	for (ky = 0; ky < high.kernel; ky++) {
		y = first;
		y_end = end;
		clip(high, ky, s->in_height, &y, &y_end);
		for (kx = 0; y < y_end && kx < wide.kernel; kx++) {
			x = 0;
			x_end = s->out_width;
			clip(wide, kx, s->in_width, &x, &x_end);
			if (x >= x_end)
				continue;
			t.in = w->tile.in + read_at(high, y, ky) * s->in_width +
			    read_at(wide, x, kx);
			t.gradient_out = w->tile.gradient_out +
			    y * s->out_width + x;
			t.height = y_end - y;
			t.width = x_end - x;
			add_tap(w, &t, ky * wide.kernel + kx);
		}
	}
}

/* Take a few rows of pixels at a time, which stay in the cache for all taps. */
static void
add_weights(const struct conv_shape *s, const struct weights *w)
{
	const int pixels = CACHED / (w->rows + w->cols);
	const int step = larger(1, pixels / s->out_width);
	int y;

	for (y = 0; y < s->out_height; y += step)
		add_rows(s, w, y, smaller(y + step, s->out_height));
}

/* Each output of a channel adds its bias once, so the bias's gradient is their
   sum. */
static void
backward_bias(const struct conv_shape *s, const vec *g, float *gradient)
{
	const int area = s->out_height * s->out_width;
	vec sum;
	int o, i;

	for (o = 0; o < s->out_channels; o++) {
		sum = broadcast(0);
		for (i = 0; i < area; i++)
			sum += *g++;
		gradient[o] += lane_sum(sum);
	}
}

void
FOR_ISA(conv_weights_backward)(const struct conv_shape *s, const float *in,
    const float *gradient_out, float *gradient_weights, float *gradient_bias)
{
	static const int most_rows[4] = { FILTERS, 6, 4, 4 };
	const int taps = s->kernel * conv_x(s).kernel;
	struct weights	w = {
		.tile = {
			.in_channel = s->in_height * s->in_width,
			.in_row = s->stride * s->in_width,
			.in_pixel = conv_x(s).stride,
			.g_channel = s->out_height * s->out_width,
			.g_row = s->out_width,
		},
		.w_row = s->in_channels * taps,
		.w_channel = taps,
	};
	int c, o;

	if (conv_is_plain(s)) {
		FOR_ISA(conv_backward_weights)
		(s, in, gradient_out, gradient_weights, gradient_bias);
		return;
	}
	for (c = 0; c < s->in_channels; c += w.cols) {
		w.cols = smaller(CHANNELS, s->in_channels - c);
		w.tile.in = (const vec *)in + c * w.tile.in_channel;
		for (o = 0; o < s->out_channels; o += w.rows) {
			w.rows = smaller(most_rows[w.cols - 1],
			    s->out_channels - o);
			w.tile.gradient_out = (const vec *)gradient_out +
			    o * w.tile.g_channel;
			w.gradient = gradient_weights + o * w.w_row + c * taps;
			add_weights(s, &w);
		}
	}
	if (gradient_bias != NULL)
		backward_bias(s, (const vec *)gradient_out, gradient_bias);
}
