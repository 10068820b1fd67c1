/*
 * Batch and layer normalisation: y = (x - mean) / deviation x weight + bias.
 *
 * Source of backward: Ioffe and Szegedy, Batch normalization, 2015, with the
 * terms put together as in PyTorch.
 */
#include <math.h>

#include "ipu/nn/kernels/kernels_isa.h"

static double
lanes_sum(vec v)
{
	double sum = 0;
	int i;

	for (i = 0; i < LANES; i++)
		sum += (double)v[i];
	return sum;
}

/* Return all bits in lanes of a block that have a sample. */
static ivec
filled(const struct kernel_call *c, int block)
{
	ivec mask = { 0 };
	int i;

	for (i = 0; i < LANES; i++)
		mask[i] = block * LANES + i < c->samples ? -1 : 0;
	return mask;
}

/* Return a channel's plane in a block of a tensor. */
static ptrdiff_t
plane_at(const struct kernel_call *c, int block, int channel)
{
	const struct kernel_axis *a = &c->axis[0];

	return (ptrdiff_t)(block * a->count + channel) * a->inner;
}

/* Return a channel's two sums of a block of all parts. */
static double *
sums_at(const struct kernel_call *c, int block, int channel)
{
	return c->sums + 2 * ((ptrdiff_t)block * c->axis[0].count + channel);
}

/* Return the number of values of a channel in a block. */
static double
values_of(const struct kernel_call *c, int block)
{
	return (double)smaller(LANES, c->samples - block * LANES) *
	    c->axis[0].inner;
}

/* Wait until the sums of all parts are there. */
static void
meet(const struct kernel_call *c)
{
	if (c->meet != NULL)
		c->meet(c->team);
}

/* Sum a channel in a block, and the squares of the distances from the block's
   mean, which the cache still has.  Empty lanes do not count. */
static void
block_statistics(const struct kernel_call *c, int block, int channel)
{
	const int plane = c->axis[0].inner;
	const vec *x = (const vec *)c->in[0] + plane_at(c, block, channel);
	const ivec mask = filled(c, block);
	double *sums = sums_at(c, c->part * c->blocks + block, channel);
	vec sum = broadcast(0), square = broadcast(0);
	float mean;
	int i;

	for (i = 0; i < plane; i++)
		sum += x[i];
	sums[0] = lanes_sum((vec)((ivec)sum & mask));
	mean = (float)(sums[0] / values_of(c, block));
	for (i = 0; i < plane; i++)
		square += (x[i] - mean) * (x[i] - mean);
	sums[1] = lanes_sum((vec)((ivec)square & mask));
}

/*
 * Compute mean and variance of a channel over the blocks of all parts, in their
 * order.  The squares are taken from another mean, so each block's have too
 * little by its number of values times the square of the means' distance.
 * Source: Chan, Golub, LeVeque, Updating formulae, 1979.
 */
static void
channel_statistics(const struct kernel_call *c, int channel, double *mean,
    double *variance)
{
	const int blocks = c->parts * c->blocks;
	double count = 0, sum = 0, square = 0, values, own;
	int b;

	for (b = 0; b < blocks; b++) {
		count += values_of(c, b % c->blocks);
		sum += sums_at(c, b, channel)[0];
	}
	*mean = sum / count;
	for (b = 0; b < blocks; b++) {
		values = values_of(c, b % c->blocks);
		own = (double)(float)(sums_at(c, b, channel)[0] / values);
		square += sums_at(c, b, channel)[1] +
		    values * (own - *mean) * (own - *mean);
	}
	*variance = square / count;
}

/* Renew the running mean and the running variance, which is that of a
   sample. */
static void
renew_running(const struct kernel_call *c, int channel, double mean,
    double variance)
{
	const double count = (double)c->samples * c->parts * c->axis[0].inner;
	float *m = c->buffers + channel, *v = m + c->axis[0].count;

	*m = c->momentum * (float)mean + (1 - c->momentum) * *m;
	*v = c->momentum * (float)(variance * count / (count - 1)) +
	    (1 - c->momentum) * *v;
}

/* Scale and shift the planes of a channel, and cut them off at 0 if a relu
   follows. */
static void
scale_channel(const struct kernel_call *c, int channel, float factor,
    float shift)
{
	int b, i;

	for (b = 0; b < c->blocks; b++) {
		const ptrdiff_t at = plane_at(c, b, channel);
		const vec *x = (const vec *)c->in[0] + at;
		vec *y = (vec *)c->out + at;

		for (i = 0; c->relu == NULL && i < c->axis[0].inner; i++)
			y[i] = x[i] * factor + shift;
		for (i = 0; c->relu != NULL && i < c->axis[0].inner; i++) {
			const vec value = x[i] * factor + shift;
			const ivec positive = value > broadcast(0);

			y[i] = (vec)((ivec)value & positive);
			((bvec *)c->relu)[at + i] = to_bytes(positive);
		}
	}
}

static void
batch_norm_forward(const struct kernel_call *c)
{
	const int channels = c->axis[0].count;
	double mean, variance;
	int n, b;

	for (n = 0; c->training && n < channels; n++)
		for (b = 0; b < c->blocks; b++)
			block_statistics(c, b, n);
	if (c->training)
		meet(c);
	for (n = 0; n < channels; n++) {
		mean = (double)c->buffers[n];
		variance = (double)c->buffers[channels + n];
		if (c->training) {
			channel_statistics(c, n, &mean, &variance);
			if (!c->again)
				renew_running(c, n, mean, variance);
			c->saved[2 * n] = (float)mean;
			c->saved[2 * n + 1] =
			    (float)(1 / sqrt(variance + (double)c->value));
		}
		const float factor =
		    (float)(1 / sqrt(variance + (double)c->value)) *
		    (c->weights != NULL ? c->weights[n] : 1);
		const float shift = (c->biases != NULL ? c->biases[n] : 0) -
		    (float)mean * factor;

		scale_channel(c, n, factor, shift);
	}
}

/* Return an element of the gradient, which a relu may have cut off. */
INLINE vec
gradient_at(const struct kernel_call *c, ptrdiff_t at)
{
	const vec g = ((const vec *)c->gradient_out)[at];

	if (c->relu == NULL)
		return g;
	return (vec)((ivec)g &
	    __builtin_convertvector(((const bvec *)c->relu)[at], ivec));
}

/* Sum a channel's gradient in a block, and its product with what x exceeds the
   mean by. */
static void
block_sums(const struct kernel_call *c, int block, int channel)
{
	const float mean = c->saved[2 * channel];
	const ptrdiff_t at = plane_at(c, block, channel);
	const vec *x = (const vec *)c->in[0] + at;
	double *sums = sums_at(c, c->part * c->blocks + block, channel);
	vec all = broadcast(0), by = broadcast(0);
	int i;

	for (i = 0; i < c->axis[0].inner; i++) {
		const vec g = gradient_at(c, at + i);

		all += g;
		by += g * (x[i] - mean);
	}
	sums[0] = lanes_sum(all);
	sums[1] = lanes_sum(by);
}

/* The first part alone adds the weights' gradients, which are those of all
   parts. */
static void
batch_norm_backward(const struct kernel_call *c)
{
	const double count = (double)c->samples * c->parts * c->axis[0].inner;
	double sum, product;
	int n, b, i;

	for (n = 0; n < c->axis[0].count; n++)
		for (b = 0; b < c->blocks; b++)
			block_sums(c, b, n);
	meet(c);
	for (n = 0; n < c->axis[0].count; n++) {
		const float mean = c->saved[2 * n], root = c->saved[2 * n + 1];
		const float factor = root *
		    (c->weights != NULL ? c->weights[n] : 1);

		for (sum = product = b = 0; b < c->parts * c->blocks; b++) {
			sum += sums_at(c, b, n)[0];
			product += sums_at(c, b, n)[1];
		}
		if (c->gradient_weights != NULL && c->part == 0) {
			c->gradient_weights[n] += (float)product * root;
			c->gradient_biases[n] += (float)sum;
		}
		const float even = (float)(sum / count);
		const float slope = (float)(product / count) * root * root;

		for (b = 0; c->gradient_in[0] != NULL && b < c->blocks; b++) {
			const ptrdiff_t at = plane_at(c, b, n);
			const vec *x = (const vec *)c->in[0] + at;
			vec *to = (vec *)c->gradient_in[0] + at;
			const ivec mask = filled(c, b);

			for (i = 0; i < c->axis[0].inner; i++)
				to[i] = (vec)(mask &
				    (ivec)((gradient_at(c, at + i) - even -
					       (x[i] - mean) * slope) *
					factor));
		}
	}
}

static void
layer_norm_forward(const struct kernel_call *c)
{
	const int count = c->axis[0].count;
	const vec *x = (const vec *)c->in[0];
	vec *y = (vec *)c->out, *saved = (vec *)c->saved, mean, square, root;
	int n, i, k;

	for (n = 0; n < c->blocks * c->axis[0].outer; n++) {
		mean = square = broadcast(0);
		for (i = 0; i < count; i++)
			mean += x[i];
		mean /= (float)count;
		for (i = 0; i < count; i++)
			square += (x[i] - mean) * (x[i] - mean);
		square = square / (float)count + c->value;
		for (k = 0; k < LANES; k++)
			root[k] = 1 / sqrtf(square[k]);
		for (i = 0; i < count; i++) {
			y[i] = (x[i] - mean) * root;
			if (c->weights != NULL)
				y[i] = y[i] * c->weights[i] + c->biases[i];
		}
		*saved++ = mean;
		*saved++ = root;
		x += count;
		y += count;
	}
}

/* Give one line back, and add to the gradients of weights and biases, which
   stand in the scratch, a vector each. */
static void
line_back(const struct kernel_call *c, const vec *x, const vec *g,
    const vec *saved, vec *to)
{
	const int count = c->axis[0].count;
	const vec mean = saved[0], root = saved[1];
	vec *weights = (vec *)c->scratch, *biases = weights + count;
	vec sum = broadcast(0), product = broadcast(0), scaled, d;
	int i;

	for (i = 0; i < count; i++) {
		d = (x[i] - mean) * root;
		scaled = g[i];
		if (c->weights != NULL) {
			weights[i] += g[i] * d;
			biases[i] += g[i];
			scaled *= c->weights[i];
		}
		sum += scaled;
		product += scaled * d;
	}
	for (i = 0; to != NULL && i < count; i++) {
		d = (x[i] - mean) * root;
		scaled = c->weights != NULL ? g[i] * c->weights[i] : g[i];
		to[i] = (scaled - (sum + d * product) / (float)count) * root;
	}
}

static void
layer_norm_backward(const struct kernel_call *c)
{
	const int count = c->axis[0].count;
	vec *sums = (vec *)c->scratch, *to = (vec *)c->gradient_in[0];
	int n, i;

	for (i = 0; i < 2 * count; i++)
		sums[i] = broadcast(0);
	for (n = 0; n < c->blocks * c->axis[0].outer; n++)
		line_back(c, (const vec *)c->in[0] + n * count,
		    (const vec *)c->gradient_out + n * count,
		    (const vec *)c->saved + 2 * n,
		    to == NULL ? NULL : to + n * count);
	for (i = 0; c->gradient_weights != NULL && i < count; i++) {
		c->gradient_weights[i] += lane_sum(sums[i]);
		c->gradient_biases[i] += lane_sum(sums[count + i]);
	}
}

const struct kernel_operation
    FOR_ISA(kernels_batch_norm) = { batch_norm_forward, batch_norm_backward };
const struct kernel_operation
    FOR_ISA(kernels_layer_norm) = { layer_norm_forward, layer_norm_backward };
