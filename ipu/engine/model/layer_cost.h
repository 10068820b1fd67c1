/*
 * What a layer of ours, the loss and the update of weights ask of a tile
 * processor: their arithmetic, and the rest by their class in the table of
 * operation_cost.h.
 */
#ifndef IPU_ENGINE_MODEL_LAYER_COST_H
#define IPU_ENGINE_MODEL_LAYER_COST_H

#include <stddef.h>

#include "ipu/engine/model/operation_cost.h"
#include "ipu/nn/nn.h"

/* All zero where the layer has nothing to do in that phase. */
struct operation_cost	layer_cost(const struct layer *, enum operation_phase,
			    int micro_batch);
/* Softmax and cross-entropy; with `gradient`, that of their input too. */
struct operation_cost	layer_cost_loss(int classes, int micro_batch,
			    bool gradient);
/* One update of that many parameters, the state on the chip. */
struct operation_cost	layer_cost_update(const struct optimiser *,
			    size_t parameters);

#endif
