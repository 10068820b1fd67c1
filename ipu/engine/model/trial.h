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
#include "core/state/sdk/executable_cache.h"
#include "ipu/engine/model/cycles.h"
#include "ipu/engine/model/memory.h"
#include "ipu/engine/model_file.h"

/* The run as it was asked for; who makes trials of it changes a copy. */
struct trial_run {
	const struct model_file *file; /* as the command line changed it */
	struct run_choices choices;
	struct engine_config base;	     /* replicas, kernels */
	long train_samples, test_samples;    /* 0: not known */
	int ipus_max;			     /* that a replica may have; 0:
						those that it has */
	bool poprun;			     /* which says how many */
	const struct engine_config *resumed; /* it goes on from a check-point,
						whose training takes its samples
						so; or NULL */
	/* Its command line and the options that there are. */
	const struct option_row *rows;
	int argc;
	char *const *argv;
};

/* What a trial is made of besides the run: one engine's clock and chip. */
struct trial_device {
	struct cycles_target clock;
	struct memory_target chip;
};

struct trial {
	int ipus;	     /* to reserve for a replica */
	double cycles;	     /* modelled, of a sample */
	double update;	     /* of these, in the weight update */
	size_t fullest_tile; /* bytes, of that engine */
};

/*
 * Try a copy of the run's model file, changed, on the engine for training or
 * for inference.  -1: the program would refuse it, as it stands or for want of
 * data or memory, in either engine.
 */
int trial_make(struct trial *, const struct trial_run *,
    const struct trial_device *, const struct model_file *, bool auto_round,
    bool training, struct error *);

/*
 * Cycles of a sample of one engine as it stands, whatever memory it needs: all
 * that an engine does between two weight updates (training) or in a call
 * (inference), the update included, over its samples.
 */
double trial_cycles(const struct engine_config *, const struct cycles_target *);

/*
 * What both engines of a run need of the IPUs' memory, from an executable
 * cache where there is one: planned by one process, and read by the others
 * (memory_cache.c has the form).
 */

struct memory_plan {
	const struct engine_config *training, *inference;
	struct memory_target target;
	/* What is planned; memory_release() frees them. */
	struct memory *training_memory, *inference_memory;
};

/* Plan both: from the cache, or without one (NULL). */
void memory_cache_plan(const struct memory_plan *,
    const struct executable_cache *, struct executable_use *);

/* All that decides a plan, as a text that the caller frees. */
char *memory_cache_key_text(const struct memory_plan *, size_t *size);

/*
 * The text of an entry, which the caller frees, of what was planned; and a plan
 * from such a text.  -1: it is not one of these configurations, and nothing is
 * left to release.
 */
char *memory_cache_write(const struct memory_plan *, size_t *size);
int memory_cache_read(const struct memory_plan *, const char *text, size_t size,
    struct error *);

#endif
