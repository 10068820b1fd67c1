/*
 * Backward of a convolution, a maximum of 2 x 2 and a relu as one step.
 *
 * After the maximum, three of four gradients of the convolution's output are
 * zero; the fourth is too where relu let nothing pass.  So this code has no
 * loop over pixels, but lists of the remaining gradients, in an order that
 * depends on the micro-batch alone.
 *
 * The place of a patch differs between samples, so the input is transposed to
 * one sample at a time, channels innermost: a row of a patch is then kernel x
 * channels neighbouring floats.
 *
 *	gradient_weights[o] += g * patch	a list for each channel o
 *	gradient_in patch += g * weights[o]	a list for each window
 *
 * The work goes by strips, each one row of windows in all lanes, and within a
 * strip by rows of taps, so that its input stays in the first-level cache.
 */
#include <string.h>

#include "ipu/nn/kernels/kernels.h"
#include "ipu/nn/kernels/kernels_isa.h"

#if LANES > 4
#include <immintrin.h>
#endif

/* Alternate the lanes of two vectors' lower or upper halves: a0 b0 a1 b1 ... */
#if LANES == 16
#define LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif LANES == 8
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#endif
#define INTERLEAVE(half, a, b) __builtin_shufflevector(a, b, half)

/* Transpose a tile. */
INLINE void
transpose_tile(vec tile[LANES])
{
	vec next[LANES];
	int stage, i;

#pragma GCC unroll 4
	for (stage = 1; stage < LANES; stage *= 2) {
#pragma GCC unroll 8
		for (i = 0; i < LANES / 2; i++) {
			next[2 * i] = INTERLEAVE(LOW, tile[i],
			    tile[i + LANES / 2]);
			next[2 * i + 1] = INTERLEAVE(HIGH, tile[i],
			    tile[i + LANES / 2]);
		}
#pragma GCC unroll 16
		for (i = 0; i < LANES; i++)
			tile[i] = next[i];
	}
}

/*
 * Append the lanes that `keep` (all ones or zero) selects, in order, to
 * `values` and `places`, which have room for a whole vector.  Returns their
 * number.  GCC's vector types cannot express this, so each instruction set has
 * its own version.
 */
#if LANES == 16
INLINE int
compress(ivec keep, vec value, ivec place, float *values, int32_t *places)
{
	const __mmask16 mask = _mm512_movepi32_mask((__m512i)keep);

	_mm512_storeu_ps(values, _mm512_maskz_compress_ps(mask, (__m512)value));
	_mm512_storeu_si512(places,
	    _mm512_maskz_compress_epi32(mask, (__m512i)place));
	return __builtin_popcount(mask);
}
#elif LANES == 8
INLINE int
compress(ivec keep, vec value, ivec place, float *values, int32_t *places)
{
	const unsigned mask = (unsigned)_mm256_movemask_ps((__m256)keep);
	/* One byte per lane: the selected ones of 7 6 .. 0. */
	const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101) * 0xff;
	const uint64_t lanes = _pext_u64(0x0706050403020100, bytes);
	const __m256i index =
	    _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));

	_mm256_storeu_ps(values,
	    _mm256_permutevar8x32_ps((__m256)value, index));
	_mm256_storeu_si256((__m256i *)places,
	    _mm256_permutevar8x32_epi32((__m256i)place, index));
	return __builtin_popcount(mask);
}
#else
INLINE int
compress(ivec keep, vec value, ivec place, float *values, int32_t *places)
{
	int i, count = 0;

	for (i = 0; i < LANES; i++) {
		values[count] = value[i];
		places[count] = place[i];
		count -= keep[i];
	}
	return count;
}
#endif

enum {
	PATCH_ROWS = 5,
	PATCH_SUMS = LANES == 16 ? 28 : 14, /* of a tile, in registers */
	PATCH_VECTORS = 7,
	FILTER_VECTORS = 8
};

/* The operands of one call, and their forms in the scratch. */
struct sparse {
	const struct conv_shape *shape;
	struct conv_pool_layout layout;
	int pooled_width, pooled_area;
	int strip;	/* windows, in all lanes */
	float *samples; /* [lane][y][x][channel] */
	float *sums;	/* gradient_in in the same order */
	/* [out][1 + ky][1 + kx][channel], rows rounded up to vectors, with
	   zeroes in row 0 (which also ends the previous filter) and column
	   0. */
	float *weights;
	float *gradient; /* [out][ky][kx][channel] */
	vec *bias;	 /* [out], one per lane */
	/* Lists in sequence: gradients that are not zero, and their places. */
	float *values;
	int32_t *places;
	int32_t *counts; /* length of each list */
};

/* Set the pointers into the scratch (conv_pool.c). */
static struct sparse
lay_out(const struct conv_shape *s, float *scratch)
{
	const struct conv_pool_layout l = conv_pool_layout(s, LANES);

	return (struct sparse){ .shape = s,
		.layout = l,
		.pooled_width = s->out_width / 2,
		.pooled_area = s->out_height / 2 * (s->out_width / 2),
		.strip = s->out_width / 2 * LANES,
		.samples = scratch + l.samples,
		.sums = scratch + l.sums,
		.weights = scratch + l.weights,
		.gradient = scratch + l.gradient,
		.bias = (vec *)(scratch + l.bias),
		.values = scratch + l.values,
		.places = (int32_t *)(scratch + l.places),
		.counts = (int32_t *)(scratch + l.counts) };
}

/* Return the vector of a block with channels outermost that holds element `i`
   of a sample with channels innermost. */
INLINE int
block_vector(const struct conv_shape *s, int i)
{
	return i % s->in_channels * s->in_height * s->in_width +
	    i / s->in_channels;
}

/*
 * Transpose tiles of LANES elements of all lanes:
 *
 *	block	e0: s0 s1 .. s7		samples	s0: e0 e1 .. e7
 *		e1: s0 s1 .. s7			s1: e0 e1 .. e7
 */
static void
to_samples(const struct sparse *p, const vec *in)
{
	const int plane = p->layout.plane;
	vec tile[LANES];
	int i, n, lane;

	for (i = 0; i < plane; i += LANES) {
		/* The last tile may repeat elements, if LANES does not divide
		   the plane. */
		for (n = 0; n < LANES; n++)
			tile[n] = in[block_vector(p->shape,
			    smaller(i + n, plane - 1))];
		transpose_tile(tile);
		if (i + LANES <= plane) {
			for (lane = 0; lane < LANES; lane++)
				*(uvec *)(p->samples + lane * plane + i) =
				    tile[lane];
			continue;
		}
		for (lane = 0; lane < LANES; lane++)
			for (n = i; n < plane; n++)
				p->samples[lane * plane + n] =
				    tile[lane][n - i];
	}
}

/* Convert the sums back to [channel][y][x][lane]. */
static void
from_samples(const struct sparse *p, vec *to)
{
	const int plane = p->layout.plane;
	vec tile[LANES];
	int i, n, lane;

	for (i = 0; i < plane; i += LANES) {
		for (lane = 0; lane < LANES; lane++)
			tile[lane] =
			    *(const uvec *)(p->sums + lane * plane + i);
		transpose_tile(tile);
		for (n = i; n < smaller(i + LANES, plane); n++)
			to[block_vector(p->shape, n)] = tile[n - i];
	}
}

/*
 * Copy each filter after a row and a column of zeroes; for 2 x 2 and one
 * channel:
 *
 *	row 0	0 0 0	Where the window's upper left pixel won, the filter
 *	row 1	0 a b	is read from a.  Where a lower or right one won, it
 *	row 2	0 c d	is read from a row or column earlier: zeroes come
 *			first, and the window's corner stays the same.
 */
static void
take_weights(const struct sparse *p, const float *weights)
{
	const struct conv_shape *s = p->shape;
	const int stride = p->layout.window_stride;
	float *row;
	int o, c, ky, kx;

	memset(p->weights, 0,
	    (p->layout.gradient - p->layout.weights) * sizeof(float));
	for (o = 0; o < s->out_channels; o++) {
		for (c = 0; c < s->in_channels; c++) {
			for (ky = 0; ky < s->kernel; ky++) {
				row = p->weights +
				    (o * (s->kernel + 1) + 1 + ky) * stride +
				    s->in_channels + c;
				for (kx = 0; kx < s->kernel; kx++)
					row[kx * s->in_channels] = *weights++;
			}
		}
	}
}

/* Convert from the lists' order to PyTorch's, and add. */
static void
give_gradient(const struct sparse *p, float *gradient, float *bias)
{
	const struct conv_shape *s = p->shape;
	const float *row;
	int o, c, ky, kx;

	for (o = 0; o < s->out_channels; o++) {
		for (c = 0; c < s->in_channels; c++) {
			for (ky = 0; ky < s->kernel; ky++) {
				row = p->gradient +
				    (o * s->kernel + ky) *
					p->layout.patch_stride +
				    c;
				for (kx = 0; kx < s->kernel; kx++)
					*gradient++ += row[kx * s->in_channels];
			}
		}
		if (bias != NULL)
			bias[o] += lane_sum(p->bias[o]);
	}
}

/* List the non-zero gradients of channel `o` in a strip, and the start in
   `samples` of the patch that each came from. */
static void
list_channel(const struct sparse *p, int y, int o, const vec *gradient_out,
    const bvec *marks)
{
	const struct conv_pool_layout *l = &p->layout;
	const int channels = p->shape->in_channels;
	const ptrdiff_t at = o * p->pooled_area + y * p->pooled_width;
	float *values = p->values + o * p->strip;
	int32_t *places = p->places + o * p->strip;
	ivec place = { 0 };
	int i, count = 0;

	for (i = 0; i < LANES; i++)
		place[i] = i * l->plane + 2 * y * l->line;
	for (i = 0; i < p->pooled_width; i++) {
		const ivec mark = __builtin_convertvector(marks[at + i], ivec);
		const vec g = gradient_out[at + i];
		const ivec keep = (mark >= 0) & (g != broadcast(0));
		const ivec patch = place + (((mark & 2) != 0) & l->line) +
		    (((mark & 1) != 0) & channels);

		p->bias[o] += (vec)((ivec)g & keep);
		count += compress(keep, g, patch, values + count,
		    places + count);
		place += 2 * channels;
	}
	p->counts[o] = count;
}

/* Add up `rows` x `vectors` of a filter's gradient, over a list. */
INLINE void
patch_tile(const int rows, const int vectors, const struct sparse *p, int o,
    const float *samples, float *gradient)
{
	const int line = p->layout.line, stride = p->layout.patch_stride;
	const int count = p->counts[o];
	const float *values = p->values + o * p->strip;
	const int32_t *places = p->places + o * p->strip;
	vec sum[PATCH_ROWS][PATCH_VECTORS];
	int n, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < vectors; j++)
			sum[i][j] = *(vec *)(gradient + i * stride + j * LANES);
	for (n = 0; n < count; n++) {
		const float *patch = samples + places[n];
		const vec g = broadcast(values[n]);

#pragma GCC unroll 8
		for (i = 0; i < rows; i++)
#pragma GCC unroll 8
			for (j = 0; j < vectors; j++)
				sum[i][j] += g *
				    *(const uvec *)(patch + i * line +
					j * LANES);
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < vectors; j++)
			*(vec *)(gradient + i * stride + j * LANES) = sum[i][j];
}

/* Named by rows and vectors; those that fit AVX2's registers. */
#define PATCH_TILE(rows, vectors) \
	static void patch_tile_##rows##_##vectors(const struct sparse *p, \
	    int o, const float *samples, float *gradient) \
	{ \
		patch_tile(rows, vectors, p, o, samples, gradient); \
	}
#define PATCH_TILES(rows) \
	PATCH_TILE(rows, 1) \
	PATCH_TILE(rows, 2) \
	PATCH_TILE(rows, 3) \
	PATCH_TILE(rows, 4) \
	PATCH_TILE(rows, 5) \
	PATCH_TILE(rows, 6) \
	PATCH_TILE(rows, 7)
#define PATCH_NAMES(rows) \
	{ \
		patch_tile_##rows##_1, patch_tile_##rows##_2, \
		    patch_tile_##rows##_3, patch_tile_##rows##_4, \
		    patch_tile_##rows##_5, patch_tile_##rows##_6, \
		    patch_tile_##rows##_7 \
	}

PATCH_TILES(1)
PATCH_TILES(2)
PATCH_TILES(3)
PATCH_TILES(4)
PATCH_TILES(5)

static void (*const patch_tiles[PATCH_ROWS][PATCH_VECTORS])(
    const struct sparse *, int, const float *, float *) = { PATCH_NAMES(1),
	PATCH_NAMES(2), PATCH_NAMES(3), PATCH_NAMES(4), PATCH_NAMES(5) };

/* Add up the weights' gradients: row 2y of the input and those below, for all
   channels of the output. */
static void
strip_weights(const struct sparse *p, int y, const float *gradient_out,
    const signed char *marks)
{
	const int stride = p->layout.patch_stride;
	const int kernel = p->shape->kernel;
	const int channels = p->shape->out_channels;
	int o, at, vectors, ky, rows;

	for (o = 0; o < channels; o++)
		list_channel(p, y, o, (const vec *)gradient_out,
		    (const bvec *)marks);
	for (at = 0; at < stride; at += vectors * LANES) {
		vectors = smaller(PATCH_VECTORS, (stride - at) / LANES);
		for (ky = 0; ky < kernel; ky += rows) {
			rows = smaller(smaller(PATCH_ROWS, kernel - ky),
			    PATCH_SUMS / vectors);
			for (o = 0; o < channels; o++)
				patch_tiles[rows - 1][vectors - 1](p, o,
				    p->samples + ky * p->layout.line + at,
				    p->gradient + (o * kernel + ky) * stride +
					at);
		}
	}
}

/* List the non-zero gradients of one window of one sample, and where in
   `weights` row 0 of that channel's filter begins as seen from the window.
   Returns their number. */
static int
list_window(const struct sparse *p, const float *gradient_out,
    const signed char *marks, float *values, int32_t *places)
{
	const int stride = p->layout.window_stride;
	const int channels = p->shape->in_channels;
	const int step = p->pooled_area * LANES;
	int o, mark, count = 0;
	int at = stride + channels;

	for (o = 0; o < p->shape->out_channels; o++) {
		mark = *marks;
		values[count] = *gradient_out;
		places[count] = at - (mark >> 1) * stride -
		    (mark & 1) * channels;
		count += (mark >= 0) & (*gradient_out != 0);
		at += (p->shape->kernel + 1) * stride;
		gradient_out += step;
		marks += step;
	}
	return count;
}

/* Add the listed filters to `vectors` of a row of input, for each window of a
   strip. */
INLINE void
filter_tile(const int vectors, const struct sparse *p, const float *weights,
    float *row)
{
	const int out_channels = p->shape->out_channels;
	const int step = 2 * p->shape->in_channels;
	const float *values = p->values;
	const int32_t *places = p->places;
	vec sum[FILTER_VECTORS];
	float *to;
	int window, n, j;

	for (window = 0; window < p->strip; window++) {
#pragma GCC unroll 8
		for (j = 0; j < vectors; j++)
			sum[j] = broadcast(0);
		for (n = 0; n < p->counts[window]; n++) {
			const float *filter = weights + places[n];
			const vec g = broadcast(values[n]);

#pragma GCC unroll 8
			for (j = 0; j < vectors; j++)
				sum[j] += g *
				    *(const uvec *)(filter + j * LANES);
		}
		to = row + window % LANES * p->layout.plane +
		    window / LANES * step;
#pragma GCC unroll 8
		for (j = 0; j < vectors; j++)
			*(uvec *)(to + j * LANES) += sum[j];
		values += out_channels;
		places += out_channels;
	}
}

#define FILTER_TILE(vectors) \
	static void filter_tile_##vectors(const struct sparse *p, \
	    const float *weights, float *row) \
	{ \
		filter_tile(vectors, p, weights, row); \
	}

FILTER_TILE(1)
FILTER_TILE(2)
FILTER_TILE(3)
FILTER_TILE(4)
FILTER_TILE(5)
FILTER_TILE(6)
FILTER_TILE(7)
FILTER_TILE(8)

static void (*const filter_tiles[FILTER_VECTORS])(const struct sparse *,
    const float *,
    float *) = { filter_tile_1, filter_tile_2, filter_tile_3, filter_tile_4,
	filter_tile_5, filter_tile_6, filter_tile_7, filter_tile_8 };

/* Add the contributions of the strip's windows to the rows 2y to 2y +
   kernel. */
static void
strip_data(const struct sparse *p, int y, const float *gradient_out,
    const signed char *marks)
{
	const int stride = p->layout.window_stride;
	const int out_channels = p->shape->out_channels;
	int i, at, row, vectors;

	for (i = 0; i < p->strip; i++) {
		at = y * p->strip + i;
		p->counts[i] = list_window(p, gradient_out + at, marks + at,
		    p->values + i * out_channels, p->places + i * out_channels);
	}
	for (row = 0; row <= p->shape->kernel; row++) {
		for (at = 0; at < stride; at += vectors * LANES) {
			vectors = smaller(FILTER_VECTORS,
			    (stride - at) / LANES);
			filter_tiles[vectors - 1](p,
			    p->weights + row * stride + at,
			    p->sums + (2 * y + row) * p->layout.line + at);
		}
	}
}

/* Process all strips of a block; skip the gradient of the input if it is not
   needed. */
static void
backward_block(const struct sparse *p, const float *in,
    const float *gradient_out, const signed char *marks, float *gradient_in)
{
	int y;

	to_samples(p, (const vec *)in);
	memset(p->sums, 0,
	    (p->layout.weights - p->layout.sums) * sizeof(float));
	for (y = 0; y < p->shape->out_height / 2; y++) {
		strip_weights(p, y, gradient_out, marks);
		if (gradient_in != NULL)
			strip_data(p, y, gradient_out, marks);
	}
	if (gradient_in != NULL)
		from_samples(p, (vec *)gradient_in);
}

void
FOR_ISA(conv_pool_backward)(const struct conv_shape *s, int blocks,
    const float *in, const float *gradient_out, const signed char *marks,
    const float *weights, float *gradient_weights, float *gradient_bias,
    float *gradient_in, float *scratch)
{
	const struct sparse p = lay_out(s, scratch);
	const ptrdiff_t in_block = (ptrdiff_t)p.layout.plane * LANES;
	const ptrdiff_t out_block = (ptrdiff_t)p.pooled_area * s->out_channels *
	    LANES;
	int b;

	if (gradient_in != NULL)
		take_weights(&p, weights);
	memset(p.gradient, 0,
	    (p.layout.values - p.layout.gradient) * sizeof(float));
	for (b = 0; b < blocks; b++)
		backward_block(&p, in + b * in_block,
		    gradient_out + b * out_block, marks + b * out_block,
		    gradient_in != NULL ? gradient_in + b * in_block : NULL);
	give_gradient(&p, gradient_weights, gradient_bias);
}
