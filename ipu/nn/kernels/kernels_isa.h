/*
 * The kernels of one instruction set, which kernels_simd.c puts into a table.
 * The functions are those of kernels.h with the set's name appended.
 */
#ifndef IPU_NN_KERNELS_KERNELS_ISA_H
#define IPU_NN_KERNELS_KERNELS_ISA_H

#include "ipu/nn/kernels/simd.h"

void FOR_ISA(conv_forward)(const struct conv_shape *, const float *,
    const float *, const float *, float *);
void FOR_ISA(conv_backward_data)(const struct conv_shape *, const float *,
    const float *, float *, float *);
void FOR_ISA(conv_backward_weights)(const struct conv_shape *, const float *,
    const float *, float *, float *);
/* These three are the table's convolutions, for any stride and padding.  They
   call the three above, which need stride 1 and no padding. */
void FOR_ISA(conv_general_forward)(const struct conv_shape *, const float *,
    const float *, const float *, float *);
void FOR_ISA(conv_general_backward_data)(const struct conv_shape *,
    const float *, const float *, float *, float *);
void FOR_ISA(conv_weights_backward)(const struct conv_shape *, const float *,
    const float *, float *, float *);
/* For the table's pools, which do windows of 2 x 2 with stride 2 themselves. */
void FOR_ISA(pool_forward)(const struct pool_shape *, const float *, float *,
    signed char *);
void FOR_ISA(pool_backward)(const struct pool_shape *, const float *,
    const signed char *, float *);
void FOR_ISA(conv_pool_forward)(const struct conv_shape *, const float *,
    const float *, const float *, float *, signed char *);
void FOR_ISA(conv_pool_backward)(const struct conv_shape *, int, const float *,
    const float *, const signed char *, const float *, float *, float *,
    float *, float *);
void FOR_ISA(linear_forward)(const struct linear_shape *, const float *,
    const float *, const float *, float *);
void FOR_ISA(linear_backward_data)(const struct linear_shape *, const float *,
    const float *, float *);
void FOR_ISA(linear_backward_weights)(const struct linear_shape *,
    const float *, const float *, float *, float *, float *);
void FOR_ISA(move_add)(size_t, const float *, const float *, float *);

/* Define an operation by NAME_forward() and NAME_backward(). */
#define OPERATION(name) \
	const struct kernel_operation FOR_ISA(kernels_##name) = { \
		name##_forward, name##_backward \
	};

/* The operations, and their table by kind (operations_simd.c). */
extern const struct kernel_operation FOR_ISA(kernels_add),
    FOR_ISA(kernels_scale), FOR_ISA(kernels_concat), FOR_ISA(kernels_slice),
    FOR_ISA(kernels_permute), FOR_ISA(kernels_leaky_relu),
    FOR_ISA(kernels_gelu), FOR_ISA(kernels_tanh), FOR_ISA(kernels_sigmoid),
    FOR_ISA(kernels_softmax), FOR_ISA(kernels_log_softmax),
    FOR_ISA(kernels_avgpool2d), FOR_ISA(kernels_mean),
    FOR_ISA(kernels_batch_norm), FOR_ISA(kernels_layer_norm),
    FOR_ISA(kernels_dropout), FOR_ISA(kernels_embedding),
    FOR_ISA(kernels_add_parameter), FOR_ISA(kernels_add_constant),
    FOR_ISA(kernels_matmul), FOR_ISA(kernels_multiply), FOR_ISA(kernels_silu),
    FOR_ISA(kernels_elu), FOR_ISA(kernels_relu6), FOR_ISA(kernels_softplus),
    FOR_ISA(kernels_exp);
extern const struct kernel_operation *const FOR_ISA(operations)[LAYER_KINDS];

/* The windows of a shape along the height and along the width. */
#define SIDE_Y(shape) \
	((struct window_side){ (shape)->kernel, (shape)->stride, \
	    (shape)->padding, 1 })
#define SIDE_X(shape) ((shape)->x.kernel > 0 ? (shape)->x : SIDE_Y(shape))

/* The same of a convolution. */
INLINE struct window_side
conv_y(const struct conv_shape *s)
{
	return (struct window_side){ s->kernel, s->stride, s->padding,
		larger(1, s->dilation) };
}

INLINE struct window_side
conv_x(const struct conv_shape *s)
{
	return s->x.kernel > 0 ? s->x : conv_y(s);
}

/* Whether a convolution is square with stride 1, padding 0 and dilation 1,
   which conv_simd.c requires. */
INLINE bool
conv_is_plain(const struct conv_shape *s)
{
	return s->x.kernel == 0 && s->stride == 1 && s->padding == 0 &&
	    s->dilation <= 1;
}

#endif
