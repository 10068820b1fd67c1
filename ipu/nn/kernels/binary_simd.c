/*
 * Sums and products of two tensors.  Along an axis the second one may have a
 * size of 1: its element there belongs to all of the first one's.
 */
#include <string.h>

#include "ipu/nn/kernels/kernels_isa.h"

/* A sum or product, forward or backward. */
struct binary {
	const vec *one, *other, *gradient;
	vec *to;     /* backward: the gradient of the first input, or NULL */
	vec *second; /* added to: that of the second one, or NULL */
};

/* Compute one element: number i of the first input, k of the second one. */
INLINE void
element(const struct binary *d, const bool product, const bool back,
    ptrdiff_t i, ptrdiff_t k)
{
	if (!back)
		d->to[i] = product ? d->one[i] * d->other[k] :
				     d->one[i] + d->other[k];
	else if (d->to != NULL)
		d->to[i] = product ? d->gradient[i] * d->other[k] :
				     d->gradient[i];
	if (back && d->second != NULL)
		d->second[k] += product ? d->gradient[i] * d->one[i] :
					  d->gradient[i];
}

INLINE void
all_elements(const struct kernel_call *c, const bool product, const bool back)
{
	const struct binary d = { (const vec *)c->in[0], (const vec *)c->in[1],
		(const vec *)c->gradient_out,
		(vec *)(back ? c->gradient_in[0] : c->out),
		(vec *)c->gradient_in[1] };
	ptrdiff_t i = 0;
	int b, x, y, z;

	if (back && d.second != NULL)
		memset(d.second, 0,
		    (size_t)c->blocks * (size_t)c->in_elements[1] *
			sizeof(vec));
	for (b = 0; b < c->blocks; b++)
		for (x = 0; x < c->sizes[0]; x++)
			for (y = 0; y < c->sizes[1]; y++)
				for (z = 0; z < c->sizes[2]; z++)
					element(&d, product, back, i++,
					    (ptrdiff_t)b * c->in_elements[1] +
						x * c->steps[0] +
						y * c->steps[1] +
						z * c->steps[2]);
}

static void
add_forward(const struct kernel_call *c)
{
	if (c->in_elements[1] != c->out_elements) {
		all_elements(c, false, false);
		return;
	}
	FOR_ISA(move_add)
	((size_t)c->blocks * (size_t)c->out_elements, c->in[0], c->in[1],
	    c->out);
}

static void
add_backward(const struct kernel_call *c)
{
	int i;

	if (c->in_elements[1] != c->out_elements) {
		all_elements(c, false, true);
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
	all_elements(c, true, false);
}

static void
multiply_backward(const struct kernel_call *c)
{
	all_elements(c, true, true);
}

OPERATION(add)
OPERATION(multiply)
