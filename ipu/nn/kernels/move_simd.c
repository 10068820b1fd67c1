/*
 * Operations that move tensors: concatenation, slices and permutations; and the
 * sum of two.
 */
#include <string.h>

#include "ipu/nn/kernels/kernels_isa.h"

void
FOR_ISA(move_add)(size_t elements, const float *a, const float *b, float *out)
{
	const vec *x = (const vec *)a, *y = (const vec *)b;
	vec *to = (vec *)out;
	size_t i;

	for (i = 0; i < elements; i++)
		to[i] = x[i] + y[i];
}

/* Copy `count` runs of `run` vectors, which are some vectors apart at both
   ends. */
static void
copy_runs(int count, int run, const vec *from, int from_step, vec *to,
    int to_step)
{
	int i;

	for (i = 0; i < count; i++, from += from_step, to += to_step)
		memcpy(to, from, (size_t)run * sizeof(vec));
}

/* Return the vectors of an input for each outer place. */
static int
run_of(const struct kernel_call *c, int input)
{
	return c->axis[input].count * c->axis[input].inner;
}

/*
 * Each outer place of the output has those of the inputs in turn, for example
 * of two inputs with an outer size of 2
 *
 *	a a b | a a b
 */
static void
concat_forward(const struct kernel_call *c)
{
	const int step = c->out_elements / c->axis[0].outer;
	vec *to = (vec *)c->out;
	int i;

	for (i = 0; i < c->input_count; i++) {
		copy_runs(c->blocks * c->axis[i].outer, run_of(c, i),
		    (const vec *)c->in[i], run_of(c, i), to, step);
		to += run_of(c, i);
	}
}

static void
concat_backward(const struct kernel_call *c)
{
	const int step = c->out_elements / c->axis[0].outer;
	const vec *from = (const vec *)c->gradient_out;
	int i;

	for (i = 0; i < c->input_count; i++) {
		if (c->gradient_in[i] != NULL)
			copy_runs(c->blocks * c->axis[i].outer, run_of(c, i),
			    from, step, (vec *)c->gradient_in[i], run_of(c, i));
		from += run_of(c, i);
	}
}

static void
slice_forward(const struct kernel_call *c)
{
	const int run = c->length * c->axis[0].inner;

	copy_runs(c->blocks * c->axis[0].outer, run,
	    (const vec *)c->in[0] + c->start * c->axis[0].inner, run_of(c, 0),
	    (vec *)c->out, run);
}

static void
slice_backward(const struct kernel_call *c)
{
	const int run = c->length * c->axis[0].inner;

	if (c->gradient_in[0] == NULL)
		return;
	memset(c->gradient_in[0], 0,
	    (size_t)c->blocks * (size_t)c->in_elements[0] * sizeof(vec));
	copy_runs(c->blocks * c->axis[0].outer, run,
	    (const vec *)c->gradient_out, run,
	    (vec *)c->gradient_in[0] + c->start * c->axis[0].inner,
	    run_of(c, 0));
}

/* Visit the elements of one block in the output's order. */
static void
permute_block(const struct kernel_call *c, bool back, const vec *from, vec *to)
{
	int x, y, z;

	for (x = 0; x < c->sizes[0]; x++) {
		for (y = 0; y < c->sizes[1]; y++) {
			const int at = x * c->steps[0] + y * c->steps[1];

			for (z = 0; z < c->sizes[2]; z++) {
				if (back)
					to[at + z * c->steps[2]] = *from++;
				else
					*to++ = from[at + z * c->steps[2]];
			}
		}
	}
}

static void
permute_forward(const struct kernel_call *c)
{
	int b;

	for (b = 0; b < c->blocks; b++)
		permute_block(c, false,
		    (const vec *)c->in[0] + b * c->out_elements,
		    (vec *)c->out + b * c->out_elements);
}

static void
permute_backward(const struct kernel_call *c)
{
	int b;

	if (c->gradient_in[0] == NULL)
		return;
	for (b = 0; b < c->blocks; b++)
		permute_block(c, true,
		    (const vec *)c->gradient_out + b * c->out_elements,
		    (vec *)c->gradient_in[0] + b * c->out_elements);
}

OPERATION(concat)
OPERATION(slice)
OPERATION(permute)
