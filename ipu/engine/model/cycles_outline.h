/*
 * The cycles of an outline: of a stage's parts, as cycles_stage.h has them of
 * our own layers, and of one operation.
 */
#ifndef IPU_ENGINE_MODEL_CYCLES_OUTLINE_H
#define IPU_ENGINE_MODEL_CYCLES_OUTLINE_H

#include "ipu/engine/model/cycles.h"
#include "ipu/engine/outline.h"

/* Fill in the cycles and bytes of that stage's parts. */
void	cycles_outline_init(struct cycles_stage *, const struct outline *,
	    const struct cycles_target *, int stage);

/* Cycles of an operation on an IPU: forward, and the whole of backward. */
double	cycles_outline_forward(const struct outline *,
	    const struct cycles_target *, int ipu,
	    const struct outline_operation *);
double	cycles_outline_backward(const struct outline *,
	    const struct cycles_target *, int ipu,
	    const struct outline_operation *);

#endif
