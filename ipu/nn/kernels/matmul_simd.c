/*
 * Products of two matrices in each channel of each sample, by tiles of 4 x 3
 * sums that stay in registers.
 */
#include "ipu/nn/kernels/kernels_isa.h"

enum { MATMUL_ROWS = 4, MATMUL_COLS = 3 };

/* out[i][j] = factor x sum over k of a[i][k] b[k][j]; the steps are in
   vectors. */
struct matrices {
	const vec *a, *b;
	vec *out;
	int a_row, a_term, b_col, b_term, out_row, out_col;
	int rows, cols, terms;
	float factor;
};

INLINE void
matmul_tile(const int rows, const int cols, const struct matrices *m, int row,
    int col)
{
	const vec *a = m->a + row * m->a_row, *b = m->b + col * m->b_col;
	vec *out = m->out + row * m->out_row + col * m->out_col;
	vec sum[MATMUL_ROWS][MATMUL_COLS];
	int i, j, k;

#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			sum[i][j] = broadcast(0);
	for (k = 0; k < m->terms; k++) {
#pragma GCC unroll 8
		for (i = 0; i < rows; i++)
#pragma GCC unroll 8
			for (j = 0; j < cols; j++)
				sum[i][j] += a[i * m->a_row] * b[j * m->b_col];
		a += m->a_term;
		b += m->b_term;
	}
#pragma GCC unroll 8
	for (i = 0; i < rows; i++)
#pragma GCC unroll 8
		for (j = 0; j < cols; j++)
			out[i * m->out_row + j * m->out_col] = sum[i][j] *
			    m->factor;
}

static void
multiply(const struct matrices *m)
{
	int row, col;

	for (row = 0; row + MATMUL_ROWS <= m->rows; row += MATMUL_ROWS) {
		for (col = 0; col + MATMUL_COLS <= m->cols; col += MATMUL_COLS)
			matmul_tile(MATMUL_ROWS, MATMUL_COLS, m, row, col);
		for (; col < m->cols; col++)
			matmul_tile(MATMUL_ROWS, 1, m, row, col);
	}
	for (; row < m->rows; row++) {
		for (col = 0; col + MATMUL_COLS <= m->cols; col += MATMUL_COLS)
			matmul_tile(1, MATMUL_COLS, m, row, col);
		for (; col < m->cols; col++)
			matmul_tile(1, 1, m, row, col);
	}
}

/* Return the product of a call's first matrices.  The second factor is [term]
   [column], or transposed [column][term]. */
static struct matrices
product_of(const struct kernel_call *c)
{
	const int cols = c->sizes[1], terms = c->sizes[2];

	return (struct matrices){ .a = (const vec *)c->in[0],
		.b = (const vec *)c->in[1],
		.out = (vec *)c->out,
		.a_row = terms,
		.a_term = 1,
		.b_col = c->variant ? terms : 1,
		.b_term = c->variant ? 1 : cols,
		.out_row = cols,
		.out_col = 1,
		.rows = c->sizes[0],
		.cols = cols,
		.terms = terms,
		.factor = c->value };
}

static void
matmul_forward(const struct kernel_call *c)
{
	struct matrices m = product_of(c);
	int n;

	for (n = 0; n < c->blocks * c->axis[0].outer; n++) {
		multiply(&m);
		m.a += m.rows * m.terms;
		m.b += m.terms * m.cols;
		m.out += m.rows * m.cols;
	}
}

/* The gradient of the first factor is g b^T, and that of the second a^T g. */
static void
matmul_backward(const struct kernel_call *c)
{
	const struct matrices p = product_of(c);
	struct matrices a = { .b = p.b,
		.out = (vec *)c->gradient_in[0],
		.a_row = p.cols,
		.a_term = 1,
		.b_col = p.b_term,
		.b_term = p.b_col,
		.out_row = p.terms,
		.out_col = 1,
		.rows = p.rows,
		.cols = p.terms,
		.terms = p.cols,
		.factor = p.factor };
	struct matrices b = { .a = p.a,
		.out = (vec *)c->gradient_in[1],
		.a_row = 1,
		.a_term = p.terms,
		.b_col = 1,
		.b_term = p.cols,
		.out_row = p.b_term,
		.out_col = p.b_col,
		.rows = p.terms,
		.cols = p.cols,
		.terms = p.rows,
		.factor = p.factor };
	int n;

	a.a = b.b = (const vec *)c->gradient_out;
	for (n = 0; n < c->blocks * c->axis[0].outer; n++) {
		if (c->gradient_in[0] != NULL) {
			multiply(&a);
			a.out += p.rows * p.terms;
		}
		if (c->gradient_in[1] != NULL) {
			multiply(&b);
			b.out += p.terms * p.cols;
		}
		a.a = b.b = a.a + p.rows * p.cols;
		a.b += p.terms * p.cols;
		b.a += p.rows * p.terms;
	}
}

OPERATION(matmul)
