/*
 * Linear layers over samples in lanes.
 */
#include "ipu/nn/kernels/kernels_isa.h"

enum {
	LINEAR_ROWS = 4,
	LINEAR_COLS = 3,
	LINEAR_TALL = 8,  /* rows with a single column */
	LINEAR_BLOCKS = 8 /* of input that stay in the cache */
};

/*
 * A tile of a product: out[i][j] = bias[i] + sum over k of
 *	a[i * a_row + k * a_step] * b[j * b_col + k]
 */
struct product_tile {
	const float *a;
	ptrdiff_t a_row, a_step;
	const vec *b;
	ptrdiff_t b_col;
	int steps;
	const float *bias; /* or NULL */
	vec *out;
	ptrdiff_t out_col;
};

INLINE void
product_tile(const int rows, const int cols, const struct product_tile *t)
{
	const float *a = t->a;
	const vec *b = t->b;
	vec sum[LINEAR_TALL][LINEAR_COLS];
	int i, j, k;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(t->bias != NULL ? t->bias[i] : 0);
	for (k = 0; k < t->steps; k++) {
#pragma GCC unroll 8
		for (i = 0; i < rows; i++) {
			vec w = broadcast(a[i * t->a_row]);

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

#define PRODUCT_TILE(rows, cols) \
	static void product_tile_##rows##_##cols(const struct product_tile *t) \
	{ \
		product_tile(rows, cols, t); \
	}
#define PRODUCT_TILES(cols) \
	PRODUCT_TILE(1, cols) \
	PRODUCT_TILE(2, cols) PRODUCT_TILE(3, cols) PRODUCT_TILE(4, cols)
#define PRODUCT_NAMES(cols) \
	{ \
		product_tile_1_##cols, product_tile_2_##cols, \
		    product_tile_3_##cols, product_tile_4_##cols \
	}

PRODUCT_TILES(1)
PRODUCT_TILES(2)
PRODUCT_TILES(3)
PRODUCT_TILE(8, 1)

static void (*const product_tiles[LINEAR_COLS][LINEAR_ROWS])(
    const struct product_tile *) = { PRODUCT_NAMES(1), PRODUCT_NAMES(2),
	PRODUCT_NAMES(3) };

/* Compute one block, as in inference: more rows keep two multipliers busy. */
static void
product_block(struct product_tile t, int rows_total)
{
	int row, rows;

	for (row = 0; row < rows_total; row += rows) {
		rows = rows_total - row;
		if (rows >= LINEAR_TALL) {
			rows = LINEAR_TALL;
			product_tile_8_1(&t);
		} else {
			rows = smaller(LINEAR_ROWS, rows);
			product_tiles[0][rows - 1](&t);
		}
		t.a += rows * t.a_row;
		if (t.bias != NULL)
			t.bias += rows;
		t.out += rows;
	}
}

/* Compute all tiles of a product with blocks of samples as columns. */
static void
product(struct product_tile t, int rows_total, int blocks)
{
	const struct product_tile first = t;
	int block, end, col, cols, row, rows;

	if (blocks == 1) {
		product_block(t, rows_total);
		return;
	}
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

void
FOR_ISA(linear_forward)(const struct linear_shape *s, const float *in,
    const float *weights, const float *bias, float *out)
{
	product((struct product_tile){ .a = weights,
		    .a_row = s->in,
		    .a_step = 1,
		    .b = (const vec *)in,
		    .b_col = s->in,
		    .steps = s->in,
		    .bias = bias,
		    .out = (vec *)out,
		    .out_col = s->out },
	    s->out, s->blocks);
}

void
FOR_ISA(linear_backward_data)(const struct linear_shape *s,
    const float *gradient_out, const float *weights, float *gradient_in)
{
	product((struct product_tile){ .a = weights,
		    .a_row = 1,
		    .a_step = s->in,
		    .b = (const vec *)gradient_out,
		    .b_col = s->out,
		    .steps = s->out,
		    .out = (vec *)gradient_in,
		    .out_col = s->in },
	    s->in, s->blocks);
}

/* Convert [block][element][lane] to [sample][element]. */
static void
transpose(const float *from, int blocks, int elements, float *to)
{
	int b, i, lane;

	for (b = 0; b < blocks; b++) {
		for (i = 0; i < elements; i++)
			for (lane = 0; lane < LANES; lane++)
				to[lane * elements + i] = *from++;
		to += LANES * elements;
	}
}

/*
 * Add `rows` x `cols` vectors of a weight gradient:
 *
 *	gradient[o][i] += sum over samples of gradient_out[o] * in[i]
 *
 * with `in` as [sample][element], so that a vector holds neighbouring i.
 */
INLINE void
outer_tile(const int rows, const int cols, const struct linear_shape *s,
    const float *in, const float *gradient_out, float *gradient)
{
	vec sum[LINEAR_ROWS][LINEAR_COLS];
	int block, lane, i, j;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(0);
	for (block = 0; block < s->blocks; block++) {
		for (lane = 0; lane < LANES; lane++) {
#pragma GCC unroll 8
			for (i = 0; i < rows; i++) {
				vec g =
				    broadcast(gradient_out[i * LANES + lane]);

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

#define OUTER_TILE(rows, cols) \
	static void outer_tile_##rows##_##cols(const struct linear_shape *s, \
	    const float *in, const float *gradient_out, float *gradient) \
	{ \
		outer_tile(rows, cols, s, in, gradient_out, gradient); \
	}
#define OUTER_TILES(cols) \
	OUTER_TILE(1, cols) \
	OUTER_TILE(2, cols) OUTER_TILE(3, cols) OUTER_TILE(4, cols)
#define OUTER_NAMES(cols) \
	{ \
		outer_tile_1_##cols, outer_tile_2_##cols, outer_tile_3_##cols, \
		    outer_tile_4_##cols \
	}

OUTER_TILES(1)
OUTER_TILES(2)
OUTER_TILES(3)

static void (*const outer_tiles[LINEAR_COLS][LINEAR_ROWS])(
    const struct linear_shape *, const float *, const float *,
    float *) = { OUTER_NAMES(1), OUTER_NAMES(2), OUTER_NAMES(3) };

/* Add column i of a weight gradient, for columns that do not fill a vector. */
static void
outer_column(const struct linear_shape *s, int i, const float *in,
    const float *gradient_out, float *gradient)
{
	int o, n;

	for (o = 0; o < s->out; o++) {
		float sum = 0;

		for (n = 0; n < s->blocks * LANES; n++)
			sum += in[n * s->in + i] *
			    gradient_out[(n / LANES * s->out + o) * LANES +
				n % LANES];
		gradient[o * s->in + i] += sum;
	}
}

void
FOR_ISA(linear_backward_weights)(const struct linear_shape *s, const float *in,
    const float *gradient_out, float *gradient_weights, float *gradient_bias,
    float *scratch)
{
	const int vectors = s->in / LANES;
	int o, rows, col, cols, block;
	vec sum;

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
	for (col = vectors * LANES; col < s->in; col++)
		outer_column(s, col, scratch, gradient_out, gradient_weights);
	for (o = 0; gradient_bias != NULL && o < s->out; o++) {
		sum = broadcast(0);
		for (block = 0; block < s->blocks; block++)
			sum += ((const vec *)gradient_out)[block * s->out + o];
		gradient_bias[o] += lane_sum(sum);
	}
}
