/*
 * Softmax and its logarithm along an axis.
 */
#include "ipu/nn/kernels/kernels_isa.h"
#include "ipu/nn/kernels/simd_math.h"

/* One line of the tensor: `count` vectors, `step` apart. */
static void
line_forward(bool log, int count, int step, const vec *in, vec *out)
{
	vec highest = in[0], sum = broadcast(0);
	int i;

	for (i = 1; i < count; i++)
		highest = at_least(highest, in[i * step]);
	for (i = 0; i < count; i++) {
		const vec e = vec_exp(in[i * step] - highest);

		sum += e;
		if (!log)
			out[i * step] = e;
	}
	if (log) {
		const vec all = highest + vec_log(sum);

		for (i = 0; i < count; i++)
			out[i * step] = in[i * step] - all;
		return;
	}
	for (i = 0; i < count; i++)
		out[i * step] /= sum;
}

/* For softmax, g_in = y (g - sum of g y); for its logarithm, g_in = g - e^y sum
   of g. */
static void
line_backward(bool log, int count, int step, const vec *out, const vec *g,
    vec *to)
{
	vec sum = broadcast(0);
	int i;

	for (i = 0; i < count; i++)
		sum += log ? g[i * step] : g[i * step] * out[i * step];
	for (i = 0; i < count; i++)
		to[i * step] = log ?
		    g[i * step] - vec_exp(out[i * step]) * sum :
		    out[i * step] * (g[i * step] - sum);
}

INLINE void
all_lines(const bool log, const bool back, const struct kernel_call *c)
{
	const struct kernel_axis *a = &c->axis[0];
	int n, i, at;

	if (back && c->gradient_in[0] == NULL)
		return;
	for (n = 0; n < c->blocks * a->outer; n++) {
		for (i = 0; i < a->inner; i++) {
			at = n * a->count * a->inner + i;
			if (back)
				line_backward(log, a->count, a->inner,
				    (const vec *)c->out + at,
				    (const vec *)c->gradient_out + at,
				    (vec *)c->gradient_in[0] + at);
			else
				line_forward(log, a->count, a->inner,
				    (const vec *)c->in[0] + at,
				    (vec *)c->out + at);
		}
	}
}

static void
softmax_forward(const struct kernel_call *c)
{
	all_lines(false, false, c);
}

static void
softmax_backward(const struct kernel_call *c)
{
	all_lines(false, true, c);
}

static void
log_softmax_forward(const struct kernel_call *c)
{
	all_lines(true, false, c);
}

static void
log_softmax_backward(const struct kernel_call *c)
{
	all_lines(true, true, c);
}

const struct kernel_operation FOR_ISA(kernels_softmax) = { softmax_forward,
	softmax_backward };
const struct kernel_operation FOR_ISA(kernels_log_softmax) = {
	log_softmax_forward, log_softmax_backward
};
