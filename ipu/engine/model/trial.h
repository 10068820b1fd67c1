/*
 * Trials: what a run would come to if it were asked for in another way.  A
 * trial is planned by the rules of the run itself and refused where that would
 * be, laid out in the IPUs' memory, and timed by the modelled clock.
 */
#ifndef IPU_ENGINE_MODEL_TRIAL_H
#define IPU_ENGINE_MODEL_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/options.h"
#include "ipu/engine/model/cycles.h"
#include "ipu/engine/model/memory.h"
#include "ipu/engine/run_plan.h"

/* The run as it was asked for; who makes trials of it changes a copy. */
struct trial_run {
	const struct model_file	*file;	/* as the command line changed it */
	struct run_choices	 choices;
	struct engine_config	 base;	/* replicas, kernels */
	long			 train_samples, test_samples; /* 0: not known */
	int			 ipus_max;	/* that a replica may have; 0:
						   those that it has */
	bool			 poprun;	/* which says how many */
	const struct engine_config *resumed;	/* it goes on from a
						   check-point, whose training
						   takes its samples so; or
						   NULL */
	/* Its command line and the options that there are. */
	const struct option_row	*rows;
	int			 argc;
	char *const		*argv;
};

/* What a trial is made of besides the run: one engine's clock and chip. */
struct trial_device {
	struct cycles_target	clock;
	struct memory_target	chip;
};

struct trial {
	int	ipus;		/* to reserve for a replica */
	double	cycles;		/* modelled, of a sample */
	double	update;		/* of these, in the weight update */
	size_t	fullest_tile;	/* bytes, of that engine */
};

/*
 * Try a copy of the run's model file, changed, on the engine for training or
 * for inference.  -1: the program would refuse it, as it stands or for want of
 * data or memory, in either engine.
 */
int	trial_make(struct trial *, const struct trial_run *,
	    const struct trial_device *, const struct model_file *,
	    bool auto_round, bool training, struct error *);

/*
 * Cycles of a sample of one engine as it stands, whatever memory it needs: all
 * that an engine does between two weight updates (training) or in a call
 * (inference), the update included, over its samples.
 */
double	trial_cycles(const struct engine_config *,
	    const struct cycles_target *);

#endif
