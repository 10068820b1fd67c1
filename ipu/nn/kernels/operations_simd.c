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
	[LAYER_AVGPOOL2D] = &FOR_ISA(operation_avgpool2d),
	[LAYER_MEAN] = &FOR_ISA(operation_mean),
	[LAYER_BATCH_NORM] = &FOR_ISA(operation_batch_norm),
	[LAYER_LAYER_NORM] = &FOR_ISA(operation_layer_norm),
	[LAYER_DROPOUT] = &FOR_ISA(operation_dropout),
	[LAYER_EMBEDDING] = &FOR_ISA(operation_embedding),
	[LAYER_ADD_PARAMETER] = &FOR_ISA(operation_add_parameter),
	[LAYER_ADD_CONSTANT] = &FOR_ISA(operation_add_constant),
	[LAYER_MATMUL] = &FOR_ISA(operation_matmul),
};
