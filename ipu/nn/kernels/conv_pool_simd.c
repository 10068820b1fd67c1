/*
 * Forward of a convolution, a maximum of 2 x 2 and a relu as one step, over
 * samples in lanes.  A tile computes the four pixels of a window for some
 * channels and keeps the largest of each.
 */
#include "ipu/nn/kernels/kernels.h"
#include "ipu/nn/kernels/kernels_isa.h"

enum {
	/* Channels of a tile: with 3, twelve sums, their weights and a pixel
	   fill the 16 registers of AVX2. */
	WINDOW_ROWS = LANES == 16 ? 6 : 3
};

struct window_tile {
	const struct conv_shape *shape;
	const vec *in;	      /* first tap of the window */
	const float *weights; /* of the first channel */
	const float *bias;    /* of the first channel, or NULL */
	vec *out;
	bvec *marks;
	ptrdiff_t out_channel;
};

/* Add one row of taps. */
INLINE void
add_taps(const int rows, const struct conv_shape *s, const vec *in,
    const float *w, ptrdiff_t filter, vec sum[WINDOW_ROWS][4])
{
	vec a[WINDOW_ROWS], pixel;
	int x, i, j;

	for (x = 0; x < s->kernel; x++) {
#pragma GCC unroll 8
		for (i = 0; i < rows; i++)
			a[i] = broadcast(w[i * filter]);
#pragma GCC unroll 4
		for (j = 0; j < 4; j++) {
			pixel = in[j / 2 * s->in_width + j % 2];
#pragma GCC unroll 8
			for (i = 0; i < rows; i++)
				sum[i][j] += a[i] * pixel;
		}
		w++;
		in++;
		/* Keep no pixel for the next tap: no register is free. */
		__asm__("" : "+r"(in));
	}
}

/* Return the largest of four and zero, with its mark; the first of equal ones
   wins. */
INLINE vec
largest(const vec pixels[4], bvec *mark)
{
	ivec best = (ivec)pixels[0], index = { 0 }, won;
	int j;

#pragma GCC unroll 4
	for (j = 1; j < 4; j++) {
		won = pixels[j] > (vec)best;
		best = ((ivec)pixels[j] & won) | (best & ~won);
		index = (won & j) | (index & ~won);
	}
	won = (vec)best > broadcast(0);
	index = (won & index) | (~won & MARK_NOTHING);
	*mark = to_bytes(index);
	return (vec)(best & won);
}

/*
 * Compute the four pixels of a 2 x 2 window, which share all but the edge of
 * their input:
 *
 *	a b . .		pixel 0 1	each reads kernel x kernel from its
 *	c d . .		pixel 2 3	own corner a, b, c or d
 */
INLINE void
window_tile(const int rows, const struct window_tile *t, int x)
{
	const struct conv_shape *s = t->shape;
	const int kernel = s->kernel, width = s->in_width;
	const ptrdiff_t filter = s->in_channels * kernel * kernel;
	vec sum[WINDOW_ROWS][4];
	const vec *in;
	const float *w = t->weights;
	int c, y, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 4
		for (j = 0; j < 4; j++)
			sum[i][j] = broadcast(t->bias != NULL ? t->bias[i] : 0);
	for (c = 0; c < s->in_channels; c++) {
		in = t->in + (ptrdiff_t)c * s->in_height * width + 2 * x;
		for (y = 0; y < kernel; y++) {
			add_taps(rows, s, in, w, filter, sum);
			in += width;
			w += kernel;
		}
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
		t->out[i * t->out_channel + x] = largest(sum[i],
		    t->marks + i * t->out_channel + x);
}

#define WINDOW_TILE(rows) \
	static void window_tile_##rows(const struct window_tile *t) \
	{ \
		int x; \
\
		for (x = 0; x < t->shape->out_width / 2; x++) \
			window_tile(rows, t, x); \
	}

WINDOW_TILE(1)
WINDOW_TILE(2)
WINDOW_TILE(3)
#if LANES == 16
WINDOW_TILE(4)
WINDOW_TILE(5)
WINDOW_TILE(6)
#endif

static void (*const window_tiles[WINDOW_ROWS])(const struct window_tile *) = {
	window_tile_1, window_tile_2, window_tile_3,
#if LANES == 16
	window_tile_4, window_tile_5, window_tile_6
#endif
};

/* Return the next number of `left` channels, as even as possible: 10 as 3 3 2
   2. */
static int
next_rows(int left)
{
	const int tiles = (left + WINDOW_ROWS - 1) / WINDOW_ROWS;

	return (left + tiles - 1) / tiles;
}

/* The marks name the winners, so backward does not need the convolution's
   output. */
void
FOR_ISA(conv_pool_forward)(const struct conv_shape *s, const float *in,
    const float *weights, const float *bias, float *out, signed char *marks)
{
	const int height = s->out_height / 2, width = s->out_width / 2;
	const ptrdiff_t filter = s->in_channels * s->kernel * s->kernel;
	struct window_tile t = { .shape = s, .out_channel = height * width };
	ptrdiff_t at;
	int y, row, rows;

	/* The rows of input for a row of windows stay in the cache. */
	for (y = 0; y < height; y++) {
		for (row = 0; row < s->out_channels; row += rows) {
			rows = next_rows(s->out_channels - row);
			t.weights = weights + row * filter;
			t.bias = bias != NULL ? bias + row : NULL;
			t.in = (const vec *)in + 2 * y * s->in_width;
			at = row * t.out_channel + y * width;
			t.out = (vec *)out + at;
			t.marks = (bvec *)marks + at;
			window_tiles[rows - 1](&t);
		}
	}
}
