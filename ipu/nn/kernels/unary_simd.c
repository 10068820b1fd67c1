/*
 * Operations on each element alone: a function, and its derivative from the
 * input or from the output.
 *
 * Source of the polynomials: Moshier's Cephes library for tanh, and Juffa's for
 * erf, each in two parts of the axis.
 */
#include "ipu/nn/kernels/kernels_isa.h"
#include "ipu/nn/kernels/simd_math.h"

#define HALF_ROOT_2 0.70710678118654752440f /* 1 / sqrt(2) */
#define NORMAL 0.39894228040143267794f	    /* 1 / sqrt(2 pi) */
#define ROOT_2_PI 0.79788456080286535588f   /* sqrt(2 / pi) */
#define CUBIC 0.044715f			    /* of gelu's approximation */

INLINE vec
vec_sigmoid(vec x)
{
	return broadcast(1) / (broadcast(1) + vec_exp(-x));
}

INLINE vec
vec_tanh(vec x)
{
	const vec size = magnitude(x), z = x * x;
	const vec far = broadcast(1) -
	    broadcast(2) / (vec_exp(size + size) + broadcast(1));
	vec p = broadcast(-5.70498872745e-3f);

	p = p * z + broadcast(2.06390887954e-2f);
	p = p * z + broadcast(-5.37397155531e-2f);
	p = p * z + broadcast(1.33314422036e-1f);
	p = p * z + broadcast(-3.33332819422e-1f);
	p = p * z * x + x;
	return choose(size < broadcast(0.625f), p, with_sign(far, x));
}

INLINE vec
vec_erf(vec x)
{
	const vec t = magnitude(x), z = x * x;
	vec far = t * broadcast(-1.72853470e-5f) + broadcast(3.83197126e-4f);
	vec near = broadcast(-5.96761703e-4f);

	far = far * z +
	    (t * broadcast(-3.88396438e-3f) + broadcast(2.42546219e-2f));
	far = far * t + broadcast(-1.06777877e-1f);
	far = far * t + broadcast(-6.34846687e-1f);
	far = far * t + broadcast(-1.28717512e-1f);
	far = broadcast(1) - vec_exp(far * t - t);
	near = near * z + broadcast(4.99119423e-3f);
	near = near * z + broadcast(-2.67681349e-2f);
	near = near * z + broadcast(1.12819925e-1f);
	near = near * z + broadcast(-3.76125336e-1f);
	near = near * z + broadcast(1.28379166e-1f);
	near = near * x + x;
	return choose(t > broadcast(0.927734375f), with_sign(far, x), near);
}

/*
 * Define NAME_forward() and NAME_backward().  VALUE is made of the input x, and
 * SLOPE of KEPT, which is x or the output y.
 */
#define UNARY(name, VALUE, KEPT, kept, SLOPE) \
	static void name##_forward(const struct kernel_call *c) \
	{ \
		const int n = c->blocks * c->out_elements; \
		const vec *from = (const vec *)c->in[0]; \
		vec *to = (vec *)c->out; \
		int i; \
\
		for (i = 0; i < n; i++) { \
			const vec x = from[i]; \
\
			to[i] = VALUE; \
		} \
	} \
	static void name##_backward(const struct kernel_call *c) \
	{ \
		const int n = c->blocks * c->out_elements; \
		const vec *from = (const vec *)c->gradient_out; \
		const vec *other = (const vec *)(kept); \
		vec *to = (vec *)c->gradient_in[0]; \
		int i; \
\
		for (i = 0; to != NULL && i < n; i++) { \
			const vec KEPT = other[i]; \
\
			to[i] = from[i] * (SLOPE); \
		} \
	}

/* Phi(x) + x phi(x), of the normal distribution and its density. */
INLINE vec
gelu_slope(vec x)
{
	return 0.5f * (1 + vec_erf(x * HALF_ROOT_2)) +
	    x * (NORMAL * vec_exp(-0.5f * x * x));
}

/* The argument of tanh in the approximation. */
INLINE vec
gelu_inner(vec x)
{
	return ROOT_2_PI * (x + CUBIC * (x * x * x));
}

INLINE vec
gelu_tanh_slope(vec x)
{
	const vec t = vec_tanh(gelu_inner(x));

	return 0.5f * (1 + t) +
	    0.5f * x * (1 - t * t) * ROOT_2_PI * (1 + 3 * CUBIC * (x * x));
}

UNARY(scale, x * c->value, y, c->gradient_out, (y - y) + c->value)
UNARY(leaky_relu, choose(x > broadcast(0), x, x * c->value), x, c->in[0],
    choose(x > broadcast(0), broadcast(1), broadcast(c->value)))
UNARY(gelu_erf, 0.5f * x * (1 + vec_erf(x * HALF_ROOT_2)), x, c->in[0],
    gelu_slope(x))
UNARY(gelu_tanh, 0.5f * x * (1 + vec_tanh(gelu_inner(x))), x, c->in[0],
    gelu_tanh_slope(x))
UNARY(tanh, vec_tanh(x), y, c->out, 1 - y * y)
UNARY(sigmoid, vec_sigmoid(x), y, c->out, y *(1 - y))
UNARY(silu, x *vec_sigmoid(x), x, c->in[0],
    vec_sigmoid(x) * (1 + x * (1 - vec_sigmoid(x))))
UNARY(elu, choose(x > broadcast(0), x, c->value *(vec_exp(x) - 1)), y, c->out,
    choose(y > broadcast(0), broadcast(1), y + c->value))
UNARY(relu6, at_least(-at_least(-x, broadcast(-6)), broadcast(0)), y, c->out,
    choose((y > broadcast(0)) & (y < broadcast(6)), broadcast(1), broadcast(0)))
UNARY(softplus, at_least(x, broadcast(0)) + vec_log(1 + vec_exp(-magnitude(x))),
    x, c->in[0], vec_sigmoid(x))
UNARY(exp, vec_exp(x), y, c->out, y)

static void
gelu_forward(const struct kernel_call *c)
{
	if (c->variant)
		gelu_tanh_forward(c);
	else
		gelu_erf_forward(c);
}

static void
gelu_backward(const struct kernel_call *c)
{
	if (c->variant)
		gelu_tanh_backward(c);
	else
		gelu_erf_backward(c);
}

OPERATION(scale)
OPERATION(leaky_relu)
OPERATION(gelu)
OPERATION(tanh)
OPERATION(sigmoid)
OPERATION(silu)
OPERATION(elu)
OPERATION(relu6)
OPERATION(softplus)
OPERATION(exp)
