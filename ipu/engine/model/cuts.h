/*
 * Where to cut a model: the runs of blocks whose stages let the modelled clock
 * run fastest.
 */
#ifndef IPU_ENGINE_MODEL_CUTS_H
#define IPU_ENGINE_MODEL_CUTS_H

#include "ipu/engine/engine_config.h"
#include "ipu/engine/model/cycles.h"

/*
 * The best cut of an engine's model into `stages` (at most its blocks), stage s
 * on IPU s, with all else as it is: blocks of each stage into stage_blocks[].
 * With more than 500 cuts not all are tried: the search begins with the one
 * whose slowest stage is the fastest and moves boundary after boundary for as
 * long as that helps, so that the result is good rather than the best of all.
 */
void	cuts_find(const struct engine_config *, const struct cycles_target *,
	    int stages, int stage_blocks[SCHEDULE_STAGES_MAX]);

#endif
