/*
 * Sums and products of two tensors.  Along an axis the second one may have a
 * size of 1: its element there belongs to all of the first one's.
 */
#include <string.h>

#include "ipu/nn/kernels/kernels_isa.h"

/* Visit the elements of one block: set `to`, or in backward the gradient of the
   first input, and add to that of the second one. */
INLINE void
block(const struct kernel_call *c, const bool product, const bool back,
    const vec *one, const vec *other, const vec *g, vec *to, vec *second)
{
	int x, y, z, i = 0;

	for (x = 0; x < c->sizes[0]; x++) {
		for (y = 0; y < c->sizes[1]; y++) {
			const int at = x * c->steps[0] + y * c->steps[1];

			for (z = 0; z < c->sizes[2]; z++, i++) {
				const int k = at + z * c->steps[2];

				if (!back)
					to[i] = product ? one[i] * other[k] :
							  one[i] + other[k];
				else if (to != NULL)
					to[i] = product ? g[i] * other[k] :
							  g[i];
				if (back && second != NULL)
					second[k] += product ? g[i] * one[i] :
							       g[i];
			}
		}
	}
}

INLINE void
forward(const struct kernel_call *c, const bool product)
{
	const ptrdiff_t n = c->out_elements, m = c->in_elements[1];
	int b;

	for (b = 0; b < c->blocks; b++)
		block(c, product, false, (const vec *)c->in[0] + b * n,
		    (const vec *)c->in[1] + b * m, NULL, (vec *)c->out + b * n,
		    NULL);
}

INLINE void
backward(const struct kernel_call *c, const bool product)
{
	const ptrdiff_t n = c->out_elements, m = c->in_elements[1];
	vec *first = (vec *)c->gradient_in[0];
	vec *second = (vec *)c->gradient_in[1];
	int b;

	if (second != NULL)
		memset(second, 0, (size_t)(c->blocks * m) * sizeof(vec));
	for (b = 0; b < c->blocks; b++)
		block(c, product, true, (const vec *)c->in[0] + b * n,
		    (const vec *)c->in[1] + b * m,
		    (const vec *)c->gradient_out + b * n,
		    first == NULL ? NULL : first + b * n,
		    second == NULL ? NULL : second + b * m);
}

static void
add_forward(const struct kernel_call *c)
{
	if (c->in_elements[1] == c->out_elements)
		FOR_ISA(move_add)
	((size_t)c->blocks * (size_t)c->out_elements, c->in[0], c->in[1],
	    c->out);
	else forward(c, false);
}

static void
add_backward(const struct kernel_call *c)
{
	int i;

	if (c->in_elements[1] != c->out_elements) {
		backward(c, false);
		return;
	}
	for (i = 0; i < 2; i++)
		if (c->gradient_in[i] != NULL)
			memcpy(c->gradient_in[i], c->gradient_out,
			    (size_t)c->blocks * (size_t)c->out_elements *
				sizeof(vec));
}

static void
multiply_forward(const struct kernel_call *c)
{
	forward(c, true);
}

static void
multiply_backward(const struct kernel_call *c)
{
	backward(c, true);
}

const struct kernel_operation FOR_ISA(kernels_add) = { add_forward,
	add_backward };
const struct kernel_operation FOR_ISA(kernels_multiply) = { multiply_forward,
	multiply_backward };
