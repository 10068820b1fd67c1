/*
 * What an engine is made from: a model, its stages and where they stand, how
 * much goes through it.  The reports work from it as well.
 */
#ifndef IPU_ENGINE_ENGINE_CONFIG_H
#define IPU_ENGINE_ENGINE_CONFIG_H

#include <stdbool.h>

#include "core/collective/collective.h"
#include "ipu/device/attach.h"
#include "ipu/engine/output_mode.h"
#include "ipu/engine/schedule.h"
#include "ipu/nn/nn.h"

struct outline;

struct engine_config {
	const struct model	*model;
	/* A model that somebody else computes: the reports have it instead of
	   ours, and no engine is made of it.  NULL: it is ours. */
	const struct outline	*outline;
	const struct kernels	*kernels;
	int			 stages;
	int			 stage_blocks[SCHEDULE_STAGES_MAX]; /* of the
						model's, in order */
	int			 stage_ipu[SCHEDULE_STAGES_MAX]; /* where each
						   stands; not for
						   STRATEGY_ONE_IPU */
	enum strategy		 strategy;
	bool			 training;
	bool			 recompute;	/* forward again before
						   backward, but at the last
						   stage */
	enum output_mode	 output_mode;
	int			 output_return_period;	/* OUTPUT_EVERY_N */
	int			 micro_batch;		/* samples */
	int			 gradient_accumulation;
	int			 device_iterations;
	int			 local_replicas;
	int			 first_replica;
	struct collective	*collective;	/* NULL: local_replicas is 1 */
	int			 total_replicas;
	struct optimiser	 optimiser;
	bool			 offload_optimiser;
	float			 mean, deviation;	/* of pixels 0 to 1 */
	bool			 trace;
	/* Its IPUs, replica by replica, count there and may fail; NULL: there
	   are none. */
	const struct attachment	*attachment;
	int			 replica_ipus;	/* of the attachment, per
						   replica; 0: those that
						   the stages use */
};

/*
 * The schedule of one device iteration (training) or call (inference).  Points
 * into the engine_config.
 */
struct schedule_config	engine_config_schedule(const struct engine_config *);

/* The layers of a stage: those of its blocks.  The model is ours. */
void	engine_config_stage_layers(const struct engine_config *, int stage,
	    int *first, int *count);

/* The name of a stage's block; NULL: it has none of that number. */
const char	*engine_config_block(const struct engine_config *, int stage,
		    int number);
/* The parameters of the model. */
size_t	engine_config_parameters(const struct engine_config *);

#endif
