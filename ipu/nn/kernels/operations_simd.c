/*
 * The table of operations; their files define them.
 */
#include "ipu/nn/kernels/kernels_isa.h"

const struct kernel_operation *const FOR_ISA(operations)[LAYER_KINDS] = {
	[LAYER_ADD] = &FOR_ISA(operation_add),
	[LAYER_SCALE] = &FOR_ISA(operation_scale),
	[LAYER_CONCAT] = &FOR_ISA(operation_concat),
	[LAYER_SLICE] = &FOR_ISA(operation_slice),
	[LAYER_PERMUTE] = &FOR_ISA(operation_permute),
	[LAYER_LEAKY_RELU] = &FOR_ISA(operation_leaky_relu),
	[LAYER_GELU] = &FOR_ISA(operation_gelu),
	[LAYER_TANH] = &FOR_ISA(operation_tanh),
	[LAYER_SIGMOID] = &FOR_ISA(operation_sigmoid),
	[LAYER_SOFTMAX] = &FOR_ISA(operation_softmax),
	[LAYER_LOG_SOFTMAX] = &FOR_ISA(operation_log_softmax),
};
