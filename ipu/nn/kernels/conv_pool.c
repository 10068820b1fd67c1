/*
 * The layout of a fused convolution's scratch for backward;
 * conv_pool_backward_simd.c explains its parts.
 */
#include "ipu/nn/kernels/kernels.h"

static int
conv_pool_larger(int a, int b)
{
	return a > b ? a : b;
}

static int
round_up(int n, int to)
{
	return (n + to - 1) / to * to;
}

/* Reserve `count` floats at the end, and a vector after the last one. */
static size_t
conv_pool_take(struct conv_pool_layout *l, int count)
{
	const size_t at = l->floats;

	l->floats += (size_t)round_up(count + KERNEL_LANES_MAX,
	    KERNEL_LANES_MAX);
	return at;
}

/*
 * With the tutorial's first block (1 channel of 28 x 28, 10 filters of 5 x 5)
 * and 8 lanes:
 *
 *	line = 28, plane = 784		one sample, channels innermost
 *	patch_stride = 5 -> 8		a row of a 5 x 5 patch, whole vectors
 *	window_stride = 6 -> 8		the row below a 2 x 2 window of patches
 *	strip = 12 x 8 = 96		windows of one row, in all lanes
 *
 *	samples 6,272 | sums 6,272 | weights 489 | gradient 400 | bias 80 |
 *	values 960 | places 960 | counts 96
 *
 * each rounded up to a line of the cache, plus a vector: tiles read whole
 * vectors and may run past the end of the last row.
 */
struct conv_pool_layout
conv_pool_layout(const struct conv_shape *s, int lanes)
{
	struct conv_pool_layout l = { 0 };
	const int strip = s->out_width / 2 * lanes;

	l.line = s->in_width * s->in_channels;
	l.plane = s->in_height * l.line;
	l.patch_stride = round_up(s->kernel * s->in_channels, lanes);
	l.window_stride = round_up((s->kernel + 1) * s->in_channels, lanes);
	l.samples = conv_pool_take(&l, lanes * l.plane);
	l.sums = conv_pool_take(&l, lanes * l.plane);
	l.weights = conv_pool_take(&l,
	    (s->out_channels * (s->kernel + 1) + 1) * l.window_stride +
		s->in_channels);
	l.gradient = conv_pool_take(&l,
	    s->out_channels * s->kernel * l.patch_stride);
	l.bias = conv_pool_take(&l, s->out_channels * lanes);
	l.values = conv_pool_take(&l, s->out_channels * strip);
	l.places = conv_pool_take(&l, s->out_channels * strip);
	l.counts = conv_pool_take(&l, conv_pool_larger(s->out_channels, strip));
	return l;
}
