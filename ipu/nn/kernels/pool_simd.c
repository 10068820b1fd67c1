/*
 * Maxima over windows of any size, stride and padding, over samples in lanes.
 * kernels_simd.c has 2 x 2 with stride 2.
 */
#include <string.h>

#include "ipu/nn/kernels/kernels_isa.h"

/* The part of a window inside the input, along one axis. */
struct window_part {
	int read;	/* its first pixel */
	int first, end; /* of the kernel */
};

/* With a kernel of 3, stride 2, padding 1: place 0 has origin -1, so it sees 1
   and 2 of the kernel, which are pixels 0 and 1. */
static struct window_part
part_of(struct window_side s, int place, int size)
{
	const int origin = place * s.stride - s.padding;
	struct window_part p = {
		.first = larger(0, -origin),
		.end = smaller(s.kernel, size - origin),
	};

	p.read = origin + p.first;
	return p;
}

/* A window, or the part of it inside the input. */
struct window {
	int first, step; /* of its marks: the first, and the distance of rows */
	int width;	 /* of the input */
};

/* Find the largest; `p` is the first of high x wide pixels; the first of equal
   ones wins. */
INLINE ivec
window_maximum(const int high, const int wide, const struct window *w,
    const vec *p, vec *value)
{
	ivec best = (ivec)p[0], mark = (ivec){ 0 } + w->first;
	int y, x;

	for (y = 0; y < high; y++) {
		for (x = 0; x < wide; x++) {
			vec v = p[x];
			ivec won = v > (vec)best;

			best = ((ivec)v & won) | (best & ~won);
			mark = (won & (w->first + y * w->step + x)) |
			    (mark & ~won);
		}
		p += w->width;
	}
	*value = (vec)best;
	return mark;
}

/* Add the gradient to the winning pixel; windows may overlap. */
INLINE void
give_back(const int high, const int wide, const struct window *w, ivec mark,
    vec gradient, vec *p)
{
	int y, x;

	for (y = 0; y < high; y++) {
		for (x = 0; x < wide; x++)
			p[x] += (vec)((ivec)gradient &
			    (mark == w->first + y * w->step + x));
		p += w->width;
	}
}

/* Handle usual sizes as constants, so that their loops are unrolled. */
static ivec
window_forward(int high, int wide, const struct window *w, const vec *p,
    vec *value)
{
	if (high == 3 && wide == 3)
		return window_maximum(3, 3, w, p, value);
	if (high == 2 && wide == 2)
		return window_maximum(2, 2, w, p, value);
	return window_maximum(high, wide, w, p, value);
}

static void
window_backward(int high, int wide, const struct window *w, ivec mark,
    vec gradient, vec *p)
{
	if (high == 3 && wide == 3)
		give_back(3, 3, w, mark, gradient, p);
	else if (high == 2 && wide == 2)
		give_back(2, 2, w, mark, gradient, p);
	else
		give_back(high, wide, w, mark, gradient, p);
}

/* Marks count through the whole window, including the part outside. */
static struct window
window_of(const struct pool_shape *s, const struct window_part *y,
    const struct window_part *x)
{
	const int kernel = SIDE_X(s).kernel;

	return (struct window){ y->first * kernel + x->first, kernel,
		s->in_width };
}

void
FOR_ISA(pool_forward)(const struct pool_shape *s, const float *in, float *out,
    signed char *choice)
{
	const vec *plane = (const vec *)in;
	vec *to = (vec *)out;
	bvec *which = (bvec *)choice;
	struct window_part py, px;
	struct window w;
	int c, y, x;

	for (c = 0; c < s->channels; c++) {
		for (y = 0; y < s->out_height; y++) {
			py = part_of(SIDE_Y(s), y, s->in_height);
			for (x = 0; x < s->out_width; x++) {
				px = part_of(SIDE_X(s), x, s->in_width);
				w = window_of(s, &py, &px);
				*which++ =
				    to_bytes(window_forward(py.end - py.first,
					px.end - px.first, &w,
					plane + py.read * s->in_width + px.read,
					to++));
			}
		}
		plane += s->in_height * s->in_width;
	}
}

void
FOR_ISA(pool_backward)(const struct pool_shape *s, const float *gradient_out,
    const signed char *choice, float *gradient_in)
{
	const vec *from = (const vec *)gradient_out;
	const bvec *which = (const bvec *)choice;
	vec *plane = (vec *)gradient_in;
	struct window_part py, px;
	struct window w;
	int c, y, x;

	memset(gradient_in, 0,
	    (size_t)s->channels * (size_t)s->in_height * (size_t)s->in_width *
		sizeof(vec));
	for (c = 0; c < s->channels; c++) {
		for (y = 0; y < s->out_height; y++) {
			py = part_of(SIDE_Y(s), y, s->in_height);
			for (x = 0; x < s->out_width; x++) {
				px = part_of(SIDE_X(s), x, s->in_width);
				w = window_of(s, &py, &px);
				window_backward(py.end - py.first,
				    px.end - px.first, &w,
				    __builtin_convertvector(*which++, ivec),
				    *from++,
				    plane + py.read * s->in_width + px.read);
			}
		}
		plane += s->in_height * s->in_width;
	}
}
