/*
 * A convolution of stride 1 without padding, the maximum of 2 x 2 and relu as
 * one, which is what stands at the head of most small networks: the
 * convolution's output never reaches memory, and backward leaves out the
 * zeroes that the other two make of its gradient.
 *
 * An odd last row or column of the convolution's output takes part in nothing.
 */
#ifndef IPU_NN_KERNELS_CONV_POOL_H
#define IPU_NN_KERNELS_CONV_POOL_H

#include <stddef.h>

#include "ipu/nn/kernels/kernels.h"

/* A mark: which pixel of the window won, y * 2 + x, or that relu ended it. */
enum { MARK_NOTHING = -1 };

/*
 * Where things stand in backward's scratch, in floats, each aligned to
 * KERNEL_ALIGNMENT; see conv_pool_backward_simd.c.
 */
struct conv_pool_layout {
	int	plane;		/* floats of one sample's input */
	int	line;		/* of a row of it */
	int	patch_stride;	/* of a row of a patch, rounded up to lanes */
	int	window_stride;	/* of a row below a window, likewise */
	size_t	samples, sums, weights, gradient, bias, values, places, counts;
	size_t	floats;		/* of all */
};

/* Where they stand for that shape; conv_pool_backward() needs l.floats. */
struct conv_pool_layout	conv_pool_layout(const struct conv_shape *, int lanes);

#endif
