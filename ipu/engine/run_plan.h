/*
 * From a model file, as the command line has changed it, to what both engines
 * of a run are asked to do and how many IPUs they need.  Pure: whoever wants to
 * know what another choice would come to plans it too.
 */
#ifndef IPU_ENGINE_RUN_PLAN_H
#define IPU_ENGINE_RUN_PLAN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "ipu/engine/engine_config.h"
#include "ipu/engine/model_file.h"

/* What no model file says. */
struct run_choices {
	/*
	 * As the tutorial's script: when sharded it does not set gradient
	 * accumulation, and the loader's samples make one large batch.
	 */
	bool	script;
	bool	auto_round;	/* reserve the next power of two of IPUs */
};

struct run_plan {
	struct engine_config	training, inference;
	int			ipus;	/* to reserve for a replica */
};

/*
 * Replicas, kernels and all else that does not come from the file are those of
 * `base`; the inference has one replica and returns all results.  Refused, in
 * PopTorch's words and before any work is done: a schedule, a number of IPUs
 * or an output mode.  The model file must last as long as the plan.
 */
int	run_plan_init(struct run_plan *, const struct model_file *,
	    const struct engine_config *base, const struct run_choices *,
	    struct error *);

/* The engine of that kind. */
const struct engine_config	*run_plan_engine(const struct run_plan *,
				    bool training);

#endif
