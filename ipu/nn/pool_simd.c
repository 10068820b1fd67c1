/*
 * Maxima over windows of any size, stride and padding, over samples in lanes.
 * 2 x 2 with stride 2 is in kernels_simd.c.
 */
#include <string.h>

#include "ipu/nn/simd.h"

/* The part of a window that lies inside the input, along one axis. */
struct part {
	int	read;		/* its first pixel */
	int	first, end;	/* of the kernel */
};

static struct part
part_of(const struct pool_shape *s, int place, int size)
{
	const int	origin = place * s->stride - s->padding;
	struct part	p = {
		.first = larger(0, -origin),
		.end = smaller(s->kernel, size - origin)
	};

	p.read = origin + p.first;
	return p;
}

/* `p` is the first pixel of the part; equal ones: the first wins. */
static ivec
window(const struct pool_shape *s, const struct part *y, const struct part *x,
    const vec *p, vec *most)
{
	const int	first = y->first * s->kernel + x->first;
	ivec		best = (ivec)p[0], index = (ivec){ 0 } + first;
	int		ky, kx;

	for (ky = y->first; ky < y->end; ky++) {
		for (kx = x->first; kx < x->end; kx++) {
			vec	v = p[kx - x->first];
			ivec	won = v > (vec)best;

			best = ((ivec)v & won) | (best & ~won);
			index = (won & (ky * s->kernel + kx)) |
			    (index & ~won);
		}
		p += s->in_width;
	}
	*most = (vec)best;
	return index;
}

void
FOR_ISA(maxpool_forward)(const struct pool_shape *s, const float *in,
    float *out, signed char *choice)
{
	const vec	*plane = (const vec *)in;
	vec		*to = (vec *)out;
	bvec		*which = (bvec *)choice;
	struct part	py, px;
	int		c, y, x;

	for (c = 0; c < s->channels; c++) {
		for (y = 0; y < s->out_height; y++) {
			py = part_of(s, y, s->in_height);
			for (x = 0; x < s->out_width; x++) {
				px = part_of(s, x, s->in_width);
				*which++ = __builtin_convertvector(window(s,
				    &py, &px, plane + py.read * s->in_width +
				    px.read, to++), bvec);
			}
		}
		plane += s->in_height * s->in_width;
	}
}

/* Windows may overlap: each adds to the one that won it. */
static void
give_back(const struct pool_shape *s, const struct part *y,
    const struct part *x, ivec index, vec gradient, vec *p)
{
	int	ky, kx;

	for (ky = y->first; ky < y->end; ky++) {
		for (kx = x->first; kx < x->end; kx++)
			p[kx - x->first] += (vec)((ivec)gradient &
			    (index == ky * s->kernel + kx));
		p += s->in_width;
	}
}

void
FOR_ISA(maxpool_backward)(const struct pool_shape *s,
    const float *gradient_out, const signed char *choice, float *gradient_in)
{
	const vec	*from = (const vec *)gradient_out;
	const bvec	*which = (const bvec *)choice;
	vec		*plane = (vec *)gradient_in;
	struct part	py, px;
	int		c, y, x;

	memset(gradient_in, 0, (size_t)s->channels * (size_t)s->in_height *
	    (size_t)s->in_width * sizeof(vec));
	for (c = 0; c < s->channels; c++) {
		for (y = 0; y < s->out_height; y++) {
			py = part_of(s, y, s->in_height);
			for (x = 0; x < s->out_width; x++) {
				px = part_of(s, x, s->in_width);
				give_back(s, &py, &px, __builtin_convertvector(
				    *which++, ivec), *from++, plane +
				    py.read * s->in_width + px.read);
			}
		}
		plane += s->in_height * s->in_width;
	}
}
