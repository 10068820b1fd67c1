/*
 * The cost of an operation on a tile processor: arithmetic, compute sets,
 * exchanged bytes, code.  One table by class serves both models of the device
 * (memory.h and cycles.h), for our own layers and for outlines.  Numbers
 * without a source are marked as estimates, here and in ipubox-device(7).
 */
#ifndef IPU_ENGINE_MODEL_OPERATION_COST_H
#define IPU_ENGINE_MODEL_OPERATION_COST_H

#include "ipu/engine/model/cycles.h"

enum operation_phase {
	OPERATION_FORWARD,
	OPERATION_BACKWARD_DATA,    /* gradient of its input */
	OPERATION_BACKWARD_WEIGHTS, /* gradients of weights and biases */
	OPERATION_PHASES
};

struct operation_cost {
	double flops;
	double efficiency; /* share of the chip's peak rate */
	int compute_sets;
	size_t exchange_bytes; /* from tile to tile */
	size_t code_bytes;     /* vertices on each tile */
	int code_class;	       /* class that owns the vertices */
};

/* Return the cost of that arithmetic and those exchanged bytes in that phase.
   If the class does nothing in it, all is 0 except the efficiency. */
struct operation_cost operation_cost(enum operation_class, enum operation_phase,
    double flops, size_t bytes);

/* Return the cost of updating that many parameters, of `states` states each. */
struct operation_cost operation_cost_update(int states, size_t parameters);

/* Return the cost of an outline's operation on that IPU.  If the operands of a
   product exceed the IPU's available memory proportion, the product is computed
   in parts, each with its own compute sets. */
struct operation_cost operation_cost_outline(const struct outline *, int ipu,
    const struct outline_operation *, enum operation_phase);

/* Return the bytes of the operands in one part of a product, and set *parts to
   the number of parts.  0, with one part: the operation has no proportion, or
   is not a product. */
size_t operation_cost_operands(const struct outline *, int ipu,
    const struct outline_operation *, int *parts);

/* Return the cost of one of our layers for a micro-batch of that size. */
struct operation_cost operation_cost_layer(const struct layer *,
    enum operation_phase, int micro_batch);
/* Return the cost of softmax and cross-entropy, with `gradient` including the
   gradient of their input. */
struct operation_cost operation_cost_loss(int classes, int micro_batch,
    bool gradient);

/* Fill in the cycles and bytes of a stage's parts; missing parts are 0. */
void cycles_stage_init(struct cycles_stage *, const struct engine_config *,
    const struct cycles_target *, int stage);

#endif
