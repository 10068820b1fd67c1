/*
 * What a layer, the loss and the update of weights ask of a tile processor:
 * arithmetic, compute sets, bytes over the on-chip exchange, code.  Both models
 * of the device, memory.h and cycles.h, work from this one table.  Numbers
 * without a source are estimates and say so, here and in ipubox-device(7).
 */
#ifndef IPU_ENGINE_MODEL_LAYER_COST_H
#define IPU_ENGINE_MODEL_LAYER_COST_H

#include <stddef.h>

#include "ipu/nn/model.h"
#include "ipu/nn/optimiser.h"

enum layer_phase {
	LAYER_FORWARD,
	LAYER_BACKWARD_DATA,	/* the gradient of its input */
	LAYER_BACKWARD_WEIGHTS	/* those of weights and biases */
};

struct layer_cost {
	double	flops;
	double	efficiency;	/* of the rate that the chip is sold with */
	int	compute_sets;
	size_t	exchange_bytes;	/* from tile to tile */
	size_t	code_bytes;	/* of its vertices, on each tile */
};

/* All zero where the layer has nothing to do in that phase. */
struct layer_cost	layer_cost(const struct layer *, enum layer_phase,
			    int micro_batch);
/* Softmax and cross-entropy; with `gradient`, that of their input too. */
struct layer_cost	layer_cost_loss(int classes, int micro_batch,
	    bool gradient);
/* One update of that many parameters, the state on the chip. */
struct layer_cost	layer_cost_update(const struct optimiser *,
			    size_t parameters);

#endif
