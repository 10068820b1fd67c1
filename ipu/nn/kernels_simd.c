/*
 * The kernels of one instruction set; compiled three times, with
 * -DKERNELS_ISA=sse2, avx2 and avx512.  Everything is written with GCC's vector
 * types, so the three differ in the width of a vector and in nothing else.
 *
 * Products are computed in register tiles: `rows` x `cols` sums stay in
 * registers while the inner loop takes `cols` vectors of samples and `rows`
 * scalars (weights, broadcast).  A tile of 5 x 2 sums keeps two multipliers
 * of latency 4 busy and needs 13 of the 16 registers of AVX2.
 */
#include "ipu/nn/kernels.h"

#include <stdint.h>
#include <string.h>

#define PASTE(a, b)	a##b
#define EXPAND(a, b)	PASTE(a, b)
#define TEXT(a)		#a
#define EXPAND_TEXT(a)	TEXT(a)

#if defined(__AVX512F__)
#define LANES	16
#elif defined(__AVX2__)
#define LANES	8
#else
#define LANES	4
#endif

#define VECTOR(size)	__attribute__((vector_size(size)))
#define INLINE		static inline __attribute__((always_inline))

typedef float vec VECTOR(LANES * 4);
typedef int32_t ivec VECTOR(LANES * 4);
typedef signed char bvec VECTOR(LANES);
typedef float vec4 VECTOR(16);
/* A vector in an array of parameters, aligned to a float only. */
typedef float uvec __attribute__((vector_size(LANES * 4), aligned(4)));

enum {
	CONV_ROWS = 5,
	CONV_COLS = LANES == 16 ? 4 : 2,
	LINEAR_ROWS = 4,
	LINEAR_COLS = 3,
	TAPS = 5,		/* of a weight gradient's tile, in x */
	TAP_ROWS = 2,
	LINEAR_BLOCKS = 8	/* of input that stay in the cache */
};

INLINE vec
broadcast(float x)
{
	return x - (vec){ 0 };
}

/* The sum of the lanes, in a fixed order. */
INLINE float
lane_sum(vec v)
{
	union { vec whole; vec4 part[LANES / 4]; } u = { v };
	vec4	sum = u.part[0];
	int	i;

	for (i = 1; i < LANES / 4; i++)
		sum += u.part[i];
	return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

static int
smaller(int a, int b)
{
	return a < b ? a : b;
}

static int
larger(int a, int b)
{
	return a > b ? a : b;
}

/*
 * One tile of a convolution: `cols` neighbouring pixels of `rows` channels,
 * summed over all input channels and over a range of taps.  Backward the taps
 * run against x and y, so the steps are signed.
 */
struct conv_tile {
	const vec	*in;		/* first tap of the first pixel */
	ptrdiff_t	in_channel, in_row, in_step;
	const float	*weights;	/* of the first tap, first row */
	ptrdiff_t	w_channel, w_row, w_y;
	int		channels, taps_y, taps_x;
	const float	*bias;		/* of the first row, or NULL */
	vec		*out;
	ptrdiff_t	out_channel;
};

INLINE void
conv_tile(const int rows, const int cols, const struct conv_tile *t)
{
	vec	sum[CONV_ROWS][CONV_COLS];
	int	c, y, x, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(t->bias != NULL ? t->bias[i] : 0);
	for (c = 0; c < t->channels; c++) {
		const vec	*row = t->in + c * t->in_channel;
		const float	*w_row = t->weights + c * t->w_channel;

		for (y = 0; y < t->taps_y; y++) {
			const vec	*in = row;
			const float	*w = w_row;

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
			row += t->in_row;
			w_row += t->w_y;
		}
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			t->out[i * t->out_channel + j] = sum[i][j];
}

#define CONV_TILE(rows, cols)						\
static void								\
conv_tile_##rows##_##cols(const struct conv_tile *t)			\
{									\
	conv_tile(rows, cols, t);					\
}
#define CONV_TILES(cols)						\
	CONV_TILE(1, cols) CONV_TILE(2, cols) CONV_TILE(3, cols)	\
	CONV_TILE(4, cols) CONV_TILE(5, cols)
#define CONV_NAMES(cols)						\
	{ conv_tile_1_##cols, conv_tile_2_##cols, conv_tile_3_##cols,	\
	  conv_tile_4_##cols, conv_tile_5_##cols }

CONV_TILES(1)
CONV_TILES(2)
#if LANES == 16
CONV_TILES(3)
CONV_TILES(4)
#endif

static void (*const conv_tiles[CONV_COLS][CONV_ROWS])
    (const struct conv_tile *) = {
	CONV_NAMES(1), CONV_NAMES(2),
#if LANES == 16
	CONV_NAMES(3), CONV_NAMES(4)
#endif
};

static void
conv_forward(const struct conv_shape *s, const float *in, const float *weights,
    const float *bias, float *out)
{
	const int	area = s->out_height * s->out_width;
	const int	taps = s->kernel * s->kernel;
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
		.out_channel = area
	};
	int		y, x, row, rows, cols;

	for (y = 0; y < s->out_height; y++) {
		for (x = 0; x < s->out_width; x += cols) {
			cols = smaller(CONV_COLS, s->out_width - x);
			t.in = (const vec *)in + y * s->in_width + x;
			for (row = 0; row < s->out_channels; row += rows) {
				rows = smaller(CONV_ROWS,
				    s->out_channels - row);
				t.weights = weights + row * t.w_row;
				t.bias = bias + row;
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
	int	y, x;

	for (y = 0; y < rows; y++) {
		*to++ = broadcast(0);
		for (x = 0; x < width; x++)
			*to++ = *from++;
		*to++ = broadcast(0);
	}
}

/*
 * gradient_in[c][y][x] = sum over o, ky, kx of
 *	weights[o][c][ky][kx] * gradient_out[o][y - ky][x - kx]
 *
 * ky runs over the taps that fall inside; kx over those that fall inside for
 * any pixel of the tile, and the guard columns are zero where they do not for
 * another.
 */
static void
conv_backward_data(const struct conv_shape *s, const float *gradient_out,
    const float *weights, float *gradient_in, float *scratch)
{
	const int	width = s->out_width + 2 * CONV_GUARD;
	const int	area = s->in_height * s->in_width;
	const int	taps = s->kernel * s->kernel;
	struct conv_tile t = {
		.in_channel = s->out_height * width,
		.in_row = -width,
		.in_step = -1,
		.w_channel = s->in_channels * taps,
		.w_row = taps,
		.w_y = s->kernel,
		.channels = s->out_channels,
		.out_channel = area
	};
	int		y, x, row, rows, cols, ky, kx;

	copy_guarded((const vec *)gradient_out,
	    s->out_channels * s->out_height, s->out_width, (vec *)scratch);
	for (y = 0; y < s->in_height; y++) {
		ky = larger(0, y - s->out_height + 1);
		t.taps_y = smaller(s->kernel - 1, y) - ky + 1;
		for (x = 0; x < s->in_width; x += cols) {
			cols = smaller(1 + CONV_GUARD, s->in_width - x);
			kx = larger(0, x - s->out_width + 1);
			t.taps_x = smaller(s->kernel - 1, x + cols - 1) -
			    kx + 1;
			t.in = (const vec *)scratch + (y - ky) * width +
			    CONV_GUARD + x - kx;
			for (row = 0; row < s->in_channels; row += rows) {
				rows = smaller(CONV_ROWS,
				    s->in_channels - row);
				t.weights = weights + row * t.w_row +
				    ky * s->kernel + kx;
				t.out = (vec *)gradient_in + row * area +
				    y * s->in_width + x;
				conv_tiles[cols - 1][rows - 1](&t);
			}
		}
	}
}

/*
 * The gradients of `taps` neighbouring weights of `rows` filters: sums over
 * all pixels, lane by lane, then over the lanes.
 */
INLINE void
tap_tile(const int rows, const int taps, const struct conv_shape *s,
    const vec *in, const vec *gradient_out, float *gradient)
{
	const int	area = s->out_height * s->out_width;
	const int	w_row = s->in_channels * s->kernel * s->kernel;
	vec		sum[TAP_ROWS][TAPS];
	int		y, x, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < taps; j++)
			sum[i][j] = broadcast(0);
	for (y = 0; y < s->out_height; y++) {
		for (x = 0; x < s->out_width; x++) {
#pragma GCC unroll 8
			for (i = 0; i < rows; i++) {
				vec	g = gradient_out[i * area + x];

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

#define TAP_TILE(rows, taps)						\
static void								\
tap_tile_##rows##_##taps(const struct conv_shape *s, const vec *in,	\
    const vec *gradient_out, float *gradient)				\
{									\
	tap_tile(rows, taps, s, in, gradient_out, gradient);		\
}
#define TAP_TILES(rows)							\
	TAP_TILE(rows, 1) TAP_TILE(rows, 2) TAP_TILE(rows, 3)		\
	TAP_TILE(rows, 4) TAP_TILE(rows, 5)
#define TAP_NAMES(rows)							\
	{ tap_tile_##rows##_1, tap_tile_##rows##_2, tap_tile_##rows##_3,\
	  tap_tile_##rows##_4, tap_tile_##rows##_5 }

TAP_TILES(1)
TAP_TILES(2)

static void (*const tap_tiles[TAP_ROWS][TAPS])(const struct conv_shape *,
    const vec *, const vec *, float *) = { TAP_NAMES(1), TAP_NAMES(2) };

static void
conv_backward_weights(const struct conv_shape *s, const float *in,
    const float *gradient_out, float *gradient_weights, float *gradient_bias)
{
	const int	area = s->out_height * s->out_width;
	const int	taps = s->kernel * s->kernel;
	const vec	*g, *channel;
	vec		sum;
	int		o, c, ky, kx, rows, n, i;

	for (o = 0; o < s->out_channels; o += rows) {
		rows = smaller(TAP_ROWS, s->out_channels - o);
		g = (const vec *)gradient_out + o * area;
		for (c = 0; c < s->in_channels; c++) {
			channel = (const vec *)in +
			    c * s->in_height * s->in_width;
			for (ky = 0; ky < s->kernel; ky++) {
				for (kx = 0; kx < s->kernel; kx += n) {
					n = smaller(TAPS, s->kernel - kx);
					tap_tiles[rows - 1][n - 1](s, channel +
					    ky * s->in_width + kx, g,
					    gradient_weights +
					    (o * s->in_channels + c) * taps +
					    ky * s->kernel + kx);
				}
			}
		}
	}
	for (o = 0; o < s->out_channels; o++) {
		sum = broadcast(0);
		g = (const vec *)gradient_out + o * area;
		for (i = 0; i < area; i++)
			sum += g[i];
		gradient_bias[o] += lane_sum(sum);
	}
}

static void
pool_forward(int channels, int in_height, int in_width, const float *in,
    float *out, signed char *choice)
{
	const int	offset[4] = { 0, 1, in_width, in_width + 1 };
	vec		*to = (vec *)out;
	bvec		*which = (bvec *)choice;
	int		c, y, x, i;

	for (c = 0; c < channels; c++) {
		const vec *plane = (const vec *)in + c * in_height * in_width;

		for (y = 0; y < in_height / 2; y++) {
			for (x = 0; x < in_width / 2; x++) {
				const vec *p = plane + 2 * y * in_width + 2 * x;
				ivec	best = (ivec)p[0], index = { 0 };

				/* Equal ones: the first wins, as in PyTorch. */
				for (i = 1; i < 4; i++) {
					vec	v = p[offset[i]];
					ivec	won = v > (vec)best;

					best = ((ivec)v & won) | (best & ~won);
					index = (won & i) | (index & ~won);
				}
				*to++ = (vec)best;
				*which++ = __builtin_convertvector(index, bvec);
			}
		}
	}
}

static void
pool_backward(int channels, int in_height, int in_width,
    const float *gradient_out, const signed char *choice, float *gradient_in)
{
	const int	offset[4] = { 0, 1, in_width, in_width + 1 };
	const ivec	*from = (const ivec *)gradient_out;
	const bvec	*which = (const bvec *)choice;
	int		c, y, x, i;

	/* The last row or column of an odd plane takes part in nothing. */
	if (in_height % 2 != 0 || in_width % 2 != 0)
		memset(gradient_in, 0, (size_t)channels * (size_t)in_height *
		    (size_t)in_width * sizeof(vec));
	for (c = 0; c < channels; c++) {
		ivec	*plane = (ivec *)gradient_in + c * in_height * in_width;

		for (y = 0; y < in_height / 2; y++) {
			for (x = 0; x < in_width / 2; x++) {
				ivec	*p = plane + 2 * y * in_width + 2 * x;
				ivec	index = __builtin_convertvector(
				    *which++, ivec);
				ivec	g = *from++;

				for (i = 0; i < 4; i++)
					p[offset[i]] = g & (index == i);
			}
		}
	}
}

static void
relu_forward(size_t elements, const float *in, float *out, signed char *mask)
{
	const vec	*from = (const vec *)in;
	ivec		*to = (ivec *)out;
	bvec		*passed = (bvec *)mask;
	size_t		i;

	for (i = 0; i < elements; i++) {
		ivec	positive = from[i] > broadcast(0);

		to[i] = (ivec)from[i] & positive;
		passed[i] = __builtin_convertvector(positive, bvec);
	}
}

static void
relu_backward(size_t elements, const float *gradient_out,
    const signed char *mask, float *gradient_in)
{
	const ivec	*from = (const ivec *)gradient_out;
	const bvec	*passed = (const bvec *)mask;
	ivec		*to = (ivec *)gradient_in;
	size_t		i;

	for (i = 0; i < elements; i++)
		to[i] = from[i] & __builtin_convertvector(passed[i], ivec);
}

/*
 * A tile of a product: out[i][j] = bias[i] + sum over k of
 *	a[i * a_row + k * a_step] * b[j * b_col + k]
 */
struct product_tile {
	const float	*a;
	ptrdiff_t	a_row, a_step;
	const vec	*b;
	ptrdiff_t	b_col;
	int		steps;
	const float	*bias;		/* or NULL */
	vec		*out;
	ptrdiff_t	out_col;
};

INLINE void
product_tile(const int rows, const int cols, const struct product_tile *t)
{
	const float	*a = t->a;
	const vec	*b = t->b;
	vec		sum[LINEAR_ROWS][LINEAR_COLS];
	int		i, j, k;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(t->bias != NULL ? t->bias[i] : 0);
	for (k = 0; k < t->steps; k++) {
#pragma GCC unroll 8
		for (i = 0; i < rows; i++) {
			vec	w = broadcast(a[i * t->a_row]);

#pragma GCC unroll 8
			for (j = 0; j < cols; j++)
				sum[i][j] += w * b[j * t->b_col];
		}
		a += t->a_step;
		b++;
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			t->out[j * t->out_col + i] = sum[i][j];
}

#define PRODUCT_TILE(rows, cols)					\
static void								\
product_tile_##rows##_##cols(const struct product_tile *t)		\
{									\
	product_tile(rows, cols, t);					\
}
#define PRODUCT_TILES(cols)						\
	PRODUCT_TILE(1, cols) PRODUCT_TILE(2, cols)			\
	PRODUCT_TILE(3, cols) PRODUCT_TILE(4, cols)
#define PRODUCT_NAMES(cols)						\
	{ product_tile_1_##cols, product_tile_2_##cols,			\
	  product_tile_3_##cols, product_tile_4_##cols }

PRODUCT_TILES(1)
PRODUCT_TILES(2)
PRODUCT_TILES(3)

static void (*const product_tiles[LINEAR_COLS][LINEAR_ROWS])
    (const struct product_tile *) = {
	PRODUCT_NAMES(1), PRODUCT_NAMES(2), PRODUCT_NAMES(3)
};

/* All tiles of a product whose columns are blocks of samples. */
static void
product(struct product_tile t, int rows_total, int blocks)
{
	const struct product_tile first = t;
	int	block, end, col, cols, row, rows;

	for (block = 0; block < blocks; block = end) {
		end = smaller(block + LINEAR_BLOCKS, blocks);
		for (row = 0; row < rows_total; row += rows) {
			rows = smaller(LINEAR_ROWS, rows_total - row);
			t.a = first.a + row * t.a_row;
			t.bias = first.bias != NULL ? first.bias + row : NULL;
			for (col = block; col < end; col += cols) {
				cols = smaller(LINEAR_COLS, end - col);
				t.b = first.b + col * t.b_col;
				t.out = first.out + col * t.out_col + row;
				product_tiles[cols - 1][rows - 1](&t);
			}
		}
	}
}

static void
linear_forward(const struct linear_shape *s, const float *in,
    const float *weights, const float *bias, float *out)
{
	product((struct product_tile){
		.a = weights, .a_row = s->in, .a_step = 1,
		.b = (const vec *)in, .b_col = s->in, .steps = s->in,
		.bias = bias, .out = (vec *)out, .out_col = s->out
	}, s->out, s->blocks);
}

static void
linear_backward_data(const struct linear_shape *s, const float *gradient_out,
    const float *weights, float *gradient_in)
{
	product((struct product_tile){
		.a = weights, .a_row = 1, .a_step = s->in,
		.b = (const vec *)gradient_out, .b_col = s->out,
		.steps = s->out, .out = (vec *)gradient_in, .out_col = s->in
	}, s->in, s->blocks);
}

/* [block][element][lane] to [sample][element]. */
static void
transpose(const float *from, int blocks, int elements, float *to)
{
	int	b, i, lane;

	for (b = 0; b < blocks; b++) {
		for (i = 0; i < elements; i++)
			for (lane = 0; lane < LANES; lane++)
				to[lane * elements + i] = *from++;
		to += LANES * elements;
	}
}

/*
 * `rows` x `cols` vectors of a weight gradient:
 *	gradient[o][i] += sum over samples of gradient_out[o] * in[i]
 * with `in` as [sample][element], so that a vector holds neighbouring i.
 */
INLINE void
outer_tile(const int rows, const int cols, const struct linear_shape *s,
    const float *in, const float *gradient_out, float *gradient)
{
	vec	sum[LINEAR_ROWS][LINEAR_COLS];
	int	block, lane, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(0);
	for (block = 0; block < s->blocks; block++) {
		for (lane = 0; lane < LANES; lane++) {
#pragma GCC unroll 8
			for (i = 0; i < rows; i++) {
				vec g = broadcast(
				    gradient_out[i * LANES + lane]);

#pragma GCC unroll 8
				for (j = 0; j < cols; j++)
					sum[i][j] += g *
					    *(const uvec *)(in + j * LANES);
			}
			in += s->in;
		}
		gradient_out += s->out * LANES;
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			*(uvec *)(gradient + i * s->in + j * LANES) +=
			    sum[i][j];
}

#define OUTER_TILE(rows, cols)						\
static void								\
outer_tile_##rows##_##cols(const struct linear_shape *s,		\
    const float *in, const float *gradient_out, float *gradient)	\
{									\
	outer_tile(rows, cols, s, in, gradient_out, gradient);		\
}
#define OUTER_TILES(cols)						\
	OUTER_TILE(1, cols) OUTER_TILE(2, cols)				\
	OUTER_TILE(3, cols) OUTER_TILE(4, cols)
#define OUTER_NAMES(cols)						\
	{ outer_tile_1_##cols, outer_tile_2_##cols,			\
	  outer_tile_3_##cols, outer_tile_4_##cols }

OUTER_TILES(1)
OUTER_TILES(2)
OUTER_TILES(3)

static void (*const outer_tiles[LINEAR_COLS][LINEAR_ROWS])
    (const struct linear_shape *, const float *, const float *, float *) = {
	OUTER_NAMES(1), OUTER_NAMES(2), OUTER_NAMES(3)
};

/* The columns that do not fill a vector. */
static void
outer_rest(const struct linear_shape *s, int first, const float *in,
    const float *gradient_out, float *gradient)
{
	const int	samples = s->blocks * LANES;
	int		i, o, n;

	for (o = 0; o < s->out; o++) {
		for (i = first; i < s->in; i++) {
			float	sum = 0;

			for (n = 0; n < samples; n++)
				sum += in[n * s->in + i] * gradient_out[
				    (n / LANES * s->out + o) * LANES +
				    n % LANES];
			gradient[o * s->in + i] += sum;
		}
	}
}

static void
linear_backward_weights(const struct linear_shape *s, const float *in,
    const float *gradient_out, float *gradient_weights, float *gradient_bias,
    float *scratch)
{
	const int	vectors = s->in / LANES;
	int		o, rows, col, cols, block;
	vec		sum;

	transpose(in, s->blocks, s->in, scratch);
	for (col = 0; col < vectors; col += cols) {
		cols = smaller(LINEAR_COLS, vectors - col);
		for (o = 0; o < s->out; o += rows) {
			rows = smaller(LINEAR_ROWS, s->out - o);
			outer_tiles[cols - 1][rows - 1](s,
			    scratch + col * LANES, gradient_out + o * LANES,
			    gradient_weights + o * s->in + col * LANES);
		}
	}
	if (vectors * LANES < s->in)
		outer_rest(s, vectors * LANES, scratch, gradient_out,
		    gradient_weights);
	for (o = 0; o < s->out; o++) {
		sum = broadcast(0);
		for (block = 0; block < s->blocks; block++)
			sum += ((const vec *)gradient_out)[block * s->out + o];
		gradient_bias[o] += lane_sum(sum);
	}
}

extern const struct kernels EXPAND(kernels_, KERNELS_ISA);

const struct kernels EXPAND(kernels_, KERNELS_ISA) = {
	.name = EXPAND_TEXT(KERNELS_ISA),
	.lanes = LANES,
	.conv_forward = conv_forward,
	.conv_backward_data = conv_backward_data,
	.conv_backward_weights = conv_backward_weights,
	.pool_forward = pool_forward,
	.pool_backward = pool_backward,
	.relu_forward = relu_forward,
	.relu_backward = relu_backward,
	.linear_forward = linear_forward,
	.linear_backward_data = linear_backward_data,
	.linear_backward_weights = linear_backward_weights
};
