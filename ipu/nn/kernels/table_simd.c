/*
 * Operations with a table beside their input: the rows of an embedding, a
 * tensor that is added, the marks of a dropout.
 */
#include <math.h>
#include <string.h>

#include "ipu/nn/kernels/kernels_isa.h"

/* Return the row that a number of the input selects, or -1. */
static int
row_of(const struct kernel_call *c, float number)
{
	return number >= 0 && number < (float)c->sizes[0] ? (int)number : -1;
}

/* A number that selects no row gives NaN, which no loss hides. */
static void
embedding_forward(const struct kernel_call *c)
{
	const int size = c->sizes[1];
	float *to = c->out;
	int n, lane, i, row;

	for (n = 0; n < c->blocks * c->in_elements[0]; n++) {
		for (lane = 0; lane < LANES; lane++) {
			row = row_of(c, c->in[0][n * LANES + lane]);
			for (i = 0; i < size; i++)
				to[i * LANES + lane] = row == -1 ?
				    NAN :
				    c->weights[row * size + i];
		}
		to += size * LANES;
	}
}

static void
embedding_backward(const struct kernel_call *c)
{
	const int size = c->sizes[1];
	const float *from = c->gradient_out;
	int n, lane, i, row, sample;

	if (c->gradient_in[0] != NULL)
		memset(c->gradient_in[0], 0,
		    (size_t)c->blocks * (size_t)c->in_elements[0] *
			sizeof(vec));
	for (n = 0; n < c->blocks * c->in_elements[0]; n++) {
		for (lane = 0; lane < LANES; lane++) {
			sample = n / c->in_elements[0] * LANES + lane;
			row = row_of(c, c->in[0][n * LANES + lane]);
			if (row == -1 || sample >= c->samples ||
			    (c->variant && row == c->start))
				continue;
			for (i = 0; i < size; i++)
				c->gradient_weights[row * size + i] +=
				    from[i * LANES + lane];
		}
		from += size * LANES;
	}
}

/* Add a table of c->sizes[0] numbers, again and again. */
static void
add_table(const struct kernel_call *c, const float *table)
{
	const int n = c->blocks * c->out_elements, count = c->sizes[0];
	const vec *x = (const vec *)c->in[0];
	vec *to = (vec *)c->out;
	int i, k;

	for (i = 0; i < n; i += count)
		for (k = 0; k < count; k++)
			to[i + k] = x[i + k] + table[k];
}

static void
add_parameter_forward(const struct kernel_call *c)
{
	add_table(c, c->weights);
}

static void
add_constant_forward(const struct kernel_call *c)
{
	add_table(c, c->buffers);
}

static void
add_constant_backward(const struct kernel_call *c)
{
	if (c->gradient_in[0] != NULL)
		memcpy(c->gradient_in[0], c->gradient_out,
		    (size_t)c->blocks * (size_t)c->out_elements * sizeof(vec));
}

static void
add_parameter_backward(const struct kernel_call *c)
{
	const int n = c->blocks * c->out_elements, count = c->sizes[0];
	const vec *g = (const vec *)c->gradient_out;
	vec sum;
	int i, k;

	add_constant_backward(c);
	for (k = 0; k < count; k++) {
		sum = broadcast(0);
		for (i = k; i < n; i += count)
			sum += g[i];
		c->gradient_weights[k] += lane_sum(sum);
	}
}

/* Keep what is marked, and scale it so that the expected sum stays. */
static void
keep_marked(const struct kernel_call *c, const float *in, float *out)
{
	const int n = c->blocks * c->out_elements;
	const float scale = 1 / (1 - c->value);
	const bvec *marks = (const bvec *)c->marks;
	const vec *from = (const vec *)in;
	vec *to = (vec *)out;
	int i;

	for (i = 0; i < n; i++)
		to[i] = (vec)((ivec)(from[i] * scale) &
		    __builtin_convertvector(marks[i], ivec));
}

static void
dropout_forward(const struct kernel_call *c)
{
	if (c->training && c->value > 0)
		keep_marked(c, c->in[0], c->out);
	else
		memcpy(c->out, c->in[0],
		    (size_t)c->blocks * (size_t)c->out_elements * sizeof(vec));
}

static void
dropout_backward(const struct kernel_call *c)
{
	if (c->gradient_in[0] == NULL)
		return;
	if (c->value > 0)
		keep_marked(c, c->gradient_out, c->gradient_in[0]);
	else
		add_constant_backward(c);
}

const struct kernel_operation FOR_ISA(kernels_embedding) = { embedding_forward,
	embedding_backward };
const struct kernel_operation FOR_ISA(kernels_add_parameter) = {
	add_parameter_forward, add_parameter_backward
};
const struct kernel_operation FOR_ISA(kernels_add_constant) = {
	add_constant_forward, add_constant_backward
};
const struct kernel_operation FOR_ISA(kernels_dropout) = { dropout_forward,
	dropout_backward };
