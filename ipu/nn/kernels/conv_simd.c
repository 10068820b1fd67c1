/*
 * Convolutions over samples in lanes.
 */
#include "ipu/nn/kernels/kernels_isa.h"

enum {
	CONV_ROWS = 5,
	CONV_COLS = LANES == 16 ? 4 : 2,
	TAPS = 5, /* of a weight gradient's tile, in x */
	TAP_ROWS = 2
};

/* One tile of a convolution: `cols` neighbouring pixels of `rows` channels,
   summed over all input channels and a range of taps.  In backward the taps run
   against x and y, so the steps are signed. */
struct conv_tile {
	const vec *in; /* first tap of the first pixel */
	ptrdiff_t in_channel, in_row, in_step;
	const float *weights; /* of the first tap, first row */
	ptrdiff_t w_channel, w_row, w_y;
	int channels, taps_y, taps_x;
	const float *bias; /* of the first row, or NULL */
	vec *out;
	ptrdiff_t out_channel;
};

/* Add the taps of one row; inlined, `sum` stays in registers. */
INLINE void
add_taps(const int rows, const int cols, const struct conv_tile *t,
    const vec *in, const float *w, vec sum[CONV_ROWS][CONV_COLS])
{
	int x, i, j;

	for (x = 0; x < t->taps_x; x++) {
#pragma GCC unroll 8
		for (i = 0; i < rows; i++) {
			vec a = broadcast(w[i * t->w_row]);

#pragma GCC unroll 8
			for (j = 0; j < cols; j++)
				sum[i][j] += a * in[j];
		}
		in += t->in_step;
		w++;
	}
}

/*
 * Compute a tile.  With 2 pixels in a 3 x 3 convolution both read the same
 * weights, with inputs one vector apart:
 *
 *	input row	a b c d		pixel 0 reads a b c, pixel 1 b c d
 *
 * Three rows of taps and all channels are added before the tile is stored.
 */
INLINE void
conv_tile(const int rows, const int cols, const struct conv_tile *t)
{
	vec sum[CONV_ROWS][CONV_COLS];
	int c, y, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(t->bias != NULL ? t->bias[i] : 0);
	for (c = 0; c < t->channels; c++)
		for (y = 0; y < t->taps_y; y++)
			add_taps(rows, cols, t,
			    t->in + c * t->in_channel + y * t->in_row,
			    t->weights + c * t->w_channel + y * t->w_y, sum);
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			t->out[i * t->out_channel + j] = sum[i][j];
}

#define CONV_TILE(rows, cols) \
	static void conv_tile_##rows##_##cols(const struct conv_tile *t) \
	{ \
		conv_tile(rows, cols, t); \
	}
#define CONV_TILES(cols) \
	CONV_TILE(1, cols) \
	CONV_TILE(2, cols) \
	CONV_TILE(3, cols) \
	CONV_TILE(4, cols) \
	CONV_TILE(5, cols)
#define CONV_NAMES(cols) \
	{ \
		conv_tile_1_##cols, conv_tile_2_##cols, conv_tile_3_##cols, \
		    conv_tile_4_##cols, conv_tile_5_##cols \
	}

CONV_TILES(1)
CONV_TILES(2)
#if LANES == 16
CONV_TILES(3)
CONV_TILES(4)
#endif

static void (*const conv_tiles[CONV_COLS][CONV_ROWS])(
    const struct conv_tile *) = { CONV_NAMES(1), CONV_NAMES(2),
#if LANES == 16
	CONV_NAMES(3), CONV_NAMES(4)
#endif
};

/* Goes row by row, then pixels, then channels: the input of an output row stays
   in the cache. */
void
FOR_ISA(conv_forward)(const struct conv_shape *s, const float *in,
    const float *weights, const float *bias, float *out)
{
	const int area = s->out_height * s->out_width;
	const int taps = s->kernel * s->kernel;
	struct conv_tile t = {
		.in_channel = s->in_height * s->in_width,
		.in_row = s->in_width,
		.in_step = 1,
		.w_channel = taps,
		.w_row = s->in_channels * taps,
		.w_y = s->kernel,
		.channels = s->in_channels,
		.taps_y = s->kernel,
		.taps_x = s->kernel,
		.out_channel = area,
	};
	int y, x, row, rows, cols;

	for (y = 0; y < s->out_height; y++) {
		for (x = 0; x < s->out_width; x += cols) {
			cols = smaller(CONV_COLS, s->out_width - x);
			t.in = (const vec *)in + y * s->in_width + x;
			for (row = 0; row < s->out_channels; row += rows) {
				rows = smaller(CONV_ROWS,
				    s->out_channels - row);
				t.weights = weights + row * t.w_row;
				t.bias = bias != NULL ? bias + row : NULL;
				t.out = (vec *)out + row * area +
				    y * s->out_width + x;
				conv_tiles[cols - 1][rows - 1](&t);
			}
		}
	}
}

/* Copy with CONV_GUARD columns of zeroes on each side of each row. */
static void
copy_guarded(const vec *from, int rows, int width, vec *to)
{
	int y, x;

	for (y = 0; y < rows; y++) {
		*to++ = broadcast(0);
		for (x = 0; x < width; x++)
			*to++ = *from++;
		*to++ = broadcast(0);
	}
}

/*
 * gradient_in[c][y][x] = sum over o, ky, kx of
 *
 *	weights[o][c][ky][kx] * gradient_out[o][y - ky][x - kx]
 *
 * ky runs over the taps inside.  kx runs over the taps that are inside for any
 * pixel of the tile; for the other pixels the guard columns are zero.
 */
void
FOR_ISA(conv_backward_data)(const struct conv_shape *s,
    const float *gradient_out, const float *weights, float *gradient_in,
    float *scratch)
{
	const int width = s->out_width + 2 * CONV_GUARD;
	const int area = s->in_height * s->in_width;
	const int taps = s->kernel * s->kernel;
	struct conv_tile t = {
		.in_channel = s->out_height * width,
		.in_row = -width,
		.in_step = -1,
		.w_channel = s->in_channels * taps,
		.w_row = taps,
		.w_y = s->kernel,
		.channels = s->out_channels,
		.out_channel = area,
	};
	int y, x, row, rows, cols, ky, kx;

	copy_guarded((const vec *)gradient_out, s->out_channels * s->out_height,
	    s->out_width, (vec *)scratch);
	for (y = 0; y < s->in_height; y++) {
		ky = larger(0, y - s->out_height + 1);
		t.taps_y = smaller(s->kernel - 1, y) - ky + 1;
		for (x = 0; x < s->in_width; x += cols) {
			cols = smaller(1 + CONV_GUARD, s->in_width - x);
			kx = larger(0, x - s->out_width + 1);
			t.taps_x = smaller(s->kernel - 1, x + cols - 1) - kx +
			    1;
			t.in = (const vec *)scratch + (y - ky) * width +
			    CONV_GUARD + x - kx;
			for (row = 0; row < s->in_channels; row += rows) {
				rows = smaller(CONV_ROWS, s->in_channels - row);
				t.weights = weights + row * t.w_row +
				    ky * s->kernel + kx;
				t.out = (vec *)gradient_in + row * area +
				    y * s->in_width + x;
				conv_tiles[cols - 1][rows - 1](&t);
			}
		}
	}
}

/* Add the gradients of `taps` neighbouring weights of `rows` filters: sums over
   all pixels, lane by lane, then over the lanes. */
INLINE void
tap_tile(const int rows, const int taps, const struct conv_shape *s,
    const vec *in, const vec *gradient_out, float *gradient)
{
	const int area = s->out_height * s->out_width;
	const int w_row = s->in_channels * s->kernel * s->kernel;
	vec sum[TAP_ROWS][TAPS];
	int y, x, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < taps; j++)
			sum[i][j] = broadcast(0);
	for (y = 0; y < s->out_height; y++) {
		for (x = 0; x < s->out_width; x++) {
#pragma GCC unroll 8
			for (i = 0; i < rows; i++) {
				vec g = gradient_out[i * area + x];

#pragma GCC unroll 8
				for (j = 0; j < taps; j++)
					sum[i][j] += g * in[x + j];
			}
		}
		in += s->in_width;
		gradient_out += s->out_width;
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < taps; j++)
			gradient[i * w_row + j] += lane_sum(sum[i][j]);
}

#define TAP_TILE(rows, taps) \
	static void tap_tile_##rows##_##taps(const struct conv_shape *s, \
	    const vec *in, const vec *gradient_out, float *gradient) \
	{ \
		tap_tile(rows, taps, s, in, gradient_out, gradient); \
	}
#define TAP_TILES(rows) \
	TAP_TILE(rows, 1) \
	TAP_TILE(rows, 2) \
	TAP_TILE(rows, 3) \
	TAP_TILE(rows, 4) \
	TAP_TILE(rows, 5)
#define TAP_NAMES(rows) \
	{ \
		tap_tile_##rows##_1, tap_tile_##rows##_2, tap_tile_##rows##_3, \
		    tap_tile_##rows##_4, tap_tile_##rows##_5 \
	}

TAP_TILES(1)
TAP_TILES(2)

static void (*const tap_tiles[TAP_ROWS][TAPS])(const struct conv_shape *,
    const vec *, const vec *, float *) = { TAP_NAMES(1), TAP_NAMES(2) };

/* Sums over all pixels lane by lane first; the lanes are added only at the
   end. */
void
FOR_ISA(conv_backward_weights)(const struct conv_shape *s, const float *in,
    const float *gradient_out, float *gradient_weights, float *gradient_bias)
{
	const int area = s->out_height * s->out_width;
	const int taps = s->kernel * s->kernel;
	const vec *g, *channel;
	vec sum;
	int o, c, ky, kx, rows, n, i;

	for (o = 0; o < s->out_channels; o += rows) {
		rows = smaller(TAP_ROWS, s->out_channels - o);
		g = (const vec *)gradient_out + o * area;
		for (c = 0; c < s->in_channels; c++) {
			channel = (const vec *)in +
			    c * s->in_height * s->in_width;
			for (ky = 0; ky < s->kernel; ky++) {
				for (kx = 0; kx < s->kernel; kx += n) {
					n = smaller(TAPS, s->kernel - kx);
					tap_tiles[rows - 1][n - 1](s,
					    channel + ky * s->in_width + kx, g,
					    gradient_weights +
						(o * s->in_channels + c) *
						    taps +
						ky * s->kernel + kx);
				}
			}
		}
	}
	for (o = 0; gradient_bias != NULL && o < s->out_channels; o++) {
		sum = broadcast(0);
		g = (const vec *)gradient_out + o * area;
		for (i = 0; i < area; i++)
			sum += g[i];
		gradient_bias[o] += lane_sum(sum);
	}
}
