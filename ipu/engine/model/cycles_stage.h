/*
 * The cycles of one stage's parts, by the formulas of ipubox-device(7).
 * Private to cycles.c.
 */
#ifndef IPU_ENGINE_MODEL_CYCLES_STAGE_H
#define IPU_ENGINE_MODEL_CYCLES_STAGE_H

#include "ipu/engine/model/cycles.h"

/*
 * Fill in the cycles and bytes of that stage's parts.  The stage is one of the
 * configuration; parts that it does not have are 0.
 */
void	cycles_stage_init(struct cycles_stage *, const struct engine_config *,
	    const struct cycles_target *, int stage);

#endif
