/*
 * The table of operations; their files define them.
 */
#include "ipu/nn/kernels/kernels_isa.h"

const struct kernel_operation *const FOR_ISA(operations)[LAYER_KINDS] = {
	[LAYER_ADD] = &FOR_ISA(kernels_add),
	[LAYER_SCALE] = &FOR_ISA(kernels_scale),
	[LAYER_CONCAT] = &FOR_ISA(kernels_concat),
	[LAYER_SLICE] = &FOR_ISA(kernels_slice),
	[LAYER_PERMUTE] = &FOR_ISA(kernels_permute),
	[LAYER_LEAKY_RELU] = &FOR_ISA(kernels_leaky_relu),
	[LAYER_GELU] = &FOR_ISA(kernels_gelu),
	[LAYER_TANH] = &FOR_ISA(kernels_tanh),
	[LAYER_SIGMOID] = &FOR_ISA(kernels_sigmoid),
	[LAYER_SOFTMAX] = &FOR_ISA(kernels_softmax),
	[LAYER_LOG_SOFTMAX] = &FOR_ISA(kernels_log_softmax),
	[LAYER_AVGPOOL2D] = &FOR_ISA(kernels_avgpool2d),
	[LAYER_MEAN] = &FOR_ISA(kernels_mean),
	[LAYER_BATCH_NORM] = &FOR_ISA(kernels_batch_norm),
	[LAYER_LAYER_NORM] = &FOR_ISA(kernels_layer_norm),
	[LAYER_DROPOUT] = &FOR_ISA(kernels_dropout),
	[LAYER_EMBEDDING] = &FOR_ISA(kernels_embedding),
	[LAYER_ADD_PARAMETER] = &FOR_ISA(kernels_add_parameter),
	[LAYER_ADD_CONSTANT] = &FOR_ISA(kernels_add_constant),
	[LAYER_MATMUL] = &FOR_ISA(kernels_matmul),
	[LAYER_MULTIPLY] = &FOR_ISA(kernels_multiply),
	[LAYER_SILU] = &FOR_ISA(kernels_silu),
	[LAYER_ELU] = &FOR_ISA(kernels_elu),
	[LAYER_RELU6] = &FOR_ISA(kernels_relu6),
	[LAYER_SOFTPLUS] = &FOR_ISA(kernels_softplus),
	[LAYER_EXP] = &FOR_ISA(kernels_exp),
};
