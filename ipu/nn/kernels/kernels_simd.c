/*
 * Pooling and relu over samples in lanes, and the table of all kernels.
 */
#include <stdbool.h>
#include <string.h>

#include "ipu/nn/kernels/kernels.h"
#include "ipu/nn/kernels/kernels_isa.h"

#define TEXT(a) #a
#define EXPAND_TEXT(a) TEXT(a)

/* Whether the next two apply; pool_simd.c has the others. */
static bool
two_by_two(const struct pool_shape *s)
{
	return s->x.kernel == 0 && s->kernel == 2 && s->stride == 2 &&
	    s->padding == 0;
}

static void
kernels_pool_forward(const struct pool_shape *s, const float *in, float *out,
    signed char *choice)
{
	const int channels = s->channels, in_height = s->in_height;
	const int in_width = s->in_width;
	const int offset[4] = { 0, 1, in_width, in_width + 1 };
	vec *to = (vec *)out;
	bvec *which = (bvec *)choice;
	int c, y, x, i;

	if (!two_by_two(s)) {
		FOR_ISA(pool_forward)(s, in, out, choice);
		return;
	}
	for (c = 0; c < channels; c++) {
		const vec *plane = (const vec *)in + c * in_height * in_width;

		for (y = 0; y < in_height / 2; y++) {
			for (x = 0; x < in_width / 2; x++) {
				const vec *p = plane + 2 * y * in_width + 2 * x;
				ivec best = (ivec)p[0], index = { 0 };

				/* The first of equal ones wins, as in
				   PyTorch. */
				for (i = 1; i < 4; i++) {
					vec v = p[offset[i]];
					ivec won = v > (vec)best;

					best = ((ivec)v & won) | (best & ~won);
					index = (won & i) | (index & ~won);
				}
				*to++ = (vec)best;
				*which++ = to_bytes(index);
			}
		}
	}
}

static void
kernels_pool_backward(const struct pool_shape *s, const float *gradient_out,
    const signed char *choice, float *gradient_in)
{
	const int channels = s->channels, in_height = s->in_height;
	const int in_width = s->in_width;
	const int offset[4] = { 0, 1, in_width, in_width + 1 };
	const vec *from = (const vec *)gradient_out;
	const bvec *which = (const bvec *)choice;
	int c, y, x, i;

	if (!two_by_two(s)) {
		FOR_ISA(pool_backward)(s, gradient_out, choice, gradient_in);
		return;
	}
	/* The last row or column of an odd plane is ignored. */
	if (in_height % 2 != 0 || in_width % 2 != 0)
		memset(gradient_in, 0,
		    (size_t)channels * (size_t)in_height * (size_t)in_width *
			sizeof(vec));
	for (c = 0; c < channels; c++) {
		vec *plane = (vec *)gradient_in + c * in_height * in_width;

		for (y = 0; y < in_height / 2; y++) {
			for (x = 0; x < in_width / 2; x++) {
				vec *p = plane + 2 * y * in_width + 2 * x;
				ivec index = __builtin_convertvector(*which++,
				    ivec);
				ivec g = (ivec)*from++;

				for (i = 0; i < 4; i++)
					p[offset[i]] = (vec)(g & (index == i));
			}
		}
	}
}

static void
relu_forward(size_t elements, const float *in, float *out, signed char *mask)
{
	const vec *from = (const vec *)in;
	vec *to = (vec *)out;
	bvec *passed = (bvec *)mask;
	size_t i;

	for (i = 0; i < elements; i++) {
		ivec positive = from[i] > broadcast(0);

		to[i] = (vec)((ivec)from[i] & positive);
		passed[i] = to_bytes(positive);
	}
}

static void
relu_backward(size_t elements, const float *gradient_out,
    const signed char *mask, float *gradient_in)
{
	const vec *from = (const vec *)gradient_out;
	const bvec *passed = (const bvec *)mask;
	vec *to = (vec *)gradient_in;
	size_t i;

	for (i = 0; i < elements; i++)
		to[i] = (vec)((ivec)from[i] &
		    __builtin_convertvector(passed[i], ivec));
}

const struct kernels FOR_ISA(kernels) = {
	.name = EXPAND_TEXT(KERNELS_ISA),
	.lanes = LANES,
	.conv_forward = FOR_ISA(conv_general_forward),
	.conv_backward_data = FOR_ISA(conv_general_backward_data),
	.conv_backward_weights = FOR_ISA(conv_weights_backward),
	.conv_pool_forward = FOR_ISA(conv_pool_forward),
	.conv_pool_backward = FOR_ISA(conv_pool_backward),
	.pool_forward = kernels_pool_forward,
	.pool_backward = kernels_pool_backward,
	.relu_forward = relu_forward,
	.relu_backward = relu_backward,
	.linear_forward = FOR_ISA(linear_forward),
	.linear_backward_data = FOR_ISA(linear_backward_data),
	.linear_backward_weights = FOR_ISA(linear_backward_weights),
	.add = FOR_ISA(move_add),
	.operations = FOR_ISA(operations),
};
