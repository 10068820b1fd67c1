/*
 * What an operation asks of a tile processor: arithmetic, compute sets, bytes
 * over the on-chip exchange, code.  One table, by class, from which both models
 * of the device work, memory.h and cycles.h, for our own layers
 * as for those of an outline.  Numbers without a source are estimates and say
 * so, here and in ipubox-device(7).
 */
#ifndef IPU_ENGINE_MODEL_OPERATION_COST_H
#define IPU_ENGINE_MODEL_OPERATION_COST_H

#include <stddef.h>

#include "ipu/engine/model/cycles.h"
#include "ipu/nn/nn.h"

enum operation_phase {
	OPERATION_FORWARD,
	OPERATION_BACKWARD_DATA,    /* the gradient of its input */
	OPERATION_BACKWARD_WEIGHTS, /* those of weights and biases */
	OPERATION_PHASES
};

struct operation_cost {
	double flops;
	double efficiency; /* of the rate that the chip is sold with */
	int compute_sets;
	size_t exchange_bytes; /* from tile to tile */
	size_t code_bytes;     /* of its vertices, on each tile */
	int code_class;	       /* whose vertices these are */
};

/* Of so much arithmetic and so many bytes in that phase.  All zero, but for the
   efficiency, where the class has nothing to do in it. */
struct operation_cost operation_cost(enum operation_class, enum operation_phase,
    double flops, size_t bytes);

/* One update of that many parameters with so many states each, on the chip. */
struct operation_cost operation_cost_update(int states, size_t parameters);

/*
 * Of an outline's operation, on that IPU.  Where the IPU's available memory
 * proportion is less than the operands of a product take, the product is
 * computed in parts, each with its compute sets.
 */
struct operation_cost operation_cost_outline(const struct outline *, int ipu,
    const struct outline_operation *, enum operation_phase);

/* The bytes of a product's operands in parts, and the number of parts; 0 where
   the proportion is not said. */
size_t operation_cost_operands(const struct outline *, int ipu,
    const struct outline_operation *, int *parts);

/* Of a layer of ours; of softmax and cross-entropy, with `gradient` that of
   their input too. */
struct operation_cost operation_cost_layer(const struct layer *,
    enum operation_phase, int micro_batch);
struct operation_cost operation_cost_loss(int classes, int micro_batch,
    bool gradient);

/* Fill in the cycles and bytes of the parts of a stage of that configuration;
   parts that it does not have are 0. */
void cycles_stage_init(struct cycles_stage *, const struct engine_config *,
    const struct cycles_target *, int stage);

#endif
