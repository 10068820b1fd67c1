/*
 * Formulas of the modelled cycles that hold whoever computes a stage: compute,
 * transfers, the update, both ends.  cycles_stage.c works out our own layers
 * with them, cycles_outline.c an outline's operations.
 */
#ifndef IPU_ENGINE_MODEL_CYCLES_PARTS_H
#define IPU_ENGINE_MODEL_CYCLES_PARTS_H

#include "ipu/engine/model/cycles.h"
#include "ipu/engine/model/operation_cost.h"

/* Cycles of an operation, and whole cycles of a transfer at that rate. */
double	cycles_parts_compute(const struct cycles_target *,
	    const struct operation_cost *);
int64_t	cycles_parts_transfer(size_t bytes, double rate);

/* Bytes that a micro-batch has at the ends of a stage, where it has them. */
struct cycles_ends {
	size_t	in, out;		/* of the stage */
	size_t	labels, results;	/* of the model's last stage */
};

/* Fill in what comes from the host, goes to it and to other stages. */
void	cycles_parts_ends(struct cycles_stage *, const struct engine_config *,
	    const struct cycles_target *, int stage,
	    const struct cycles_ends *);

/*
 * Fill in the update, in training: its arithmetic, `streamed` bytes to and from
 * streaming memory, and the sum of the gradients over the replicas.
 */
void	cycles_parts_update(struct cycles_stage *,
	    const struct engine_config *, const struct cycles_target *,
	    const struct operation_cost *, size_t streamed, size_t gradients);

#endif
