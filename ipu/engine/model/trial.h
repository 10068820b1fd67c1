/*
 * Trials: estimates of a run with other choices.  A trial is planned by the
 * run's rules, laid out in the IPUs' memory, and timed by the modelled clock.
 */
#ifndef IPU_ENGINE_MODEL_TRIAL_H
#define IPU_ENGINE_MODEL_TRIAL_H

#include "core/base/options.h"
#include "core/state/sdk/sdk.h"
#include "ipu/engine/model/cycles.h"
#include "ipu/engine/model/memory.h"
#include "ipu/engine/model_file.h"

/* The run as requested; a trial changes a copy. */
struct trial_run {
	const struct model_file *file; /* with the command line's changes */
	struct run_choices choices;
	struct engine_config base;	     /* replicas, kernels */
	long train_samples, test_samples;    /* 0: unknown */
	int ipus_max;			     /* limit per replica; 0: the run's
						present number */
	bool poprun;			     /* poprun sets the replicas */
	const struct engine_config *resumed; /* training of a check-point, or
						NULL */
	/* Command line and the existing options. */
	const struct option_row *rows;
	int argc;
	char *const *argv;
};

/* The clock and chip of one engine. */
struct trial_device {
	struct cycles_target clock;
	struct memory_target chip;
};

struct trial {
	int ipus;	     /* to reserve per replica */
	double cycles;	     /* modelled, per sample */
	double update;	     /* part of them, in the update */
	size_t fullest_tile; /* bytes, in that engine */
};

/* Try a changed copy of the run's model file; auto_round replaces that of the
   run's choices.  Both engines must fit, and `training` says which one of them
   is timed.  -1: the program would refuse it, or lacks data or memory; *trial
   is then not valid. */
int trial_make(struct trial *, const struct trial_run *,
    const struct trial_device *, const struct model_file *, bool auto_round,
    bool training, struct error *);

/* Return the cycles per sample of one engine, whatever memory it needs: the
   modelled cycles from one weight update to the next (training), or of a call
   (inference), including the update, divided by the samples. */
double trial_cycles(const struct engine_config *, const struct cycles_target *);

/* The memory needs of both engines of a run.  With an executable cache, one
   process plans them and the others read them (memory_cache.c). */

struct memory_plan {
	const struct engine_config *training, *inference;
	struct memory_target target;
	/* Results; the caller frees each with memory_release(). */
	struct memory *training_memory, *inference_memory;
};

/* Plan both, through the cache unless it is NULL.  Fills the memories, which
   need not fit the target, and *use. */
void memory_cache_plan(const struct memory_plan *,
    const struct executable_cache *, struct executable_use *);

/* Return everything that decides a plan as a text, which the caller frees. */
char *memory_cache_key_text(const struct memory_plan *, size_t *size);

/* _write: return the plans as a cache entry's text, which the caller frees.
   _read: fill the plans from such a text.  -1: it is not of these
   configurations; nothing is to be released. */
char *memory_cache_write(const struct memory_plan *, size_t *size);
int memory_cache_read(const struct memory_plan *, const char *text, size_t size,
    struct error *);

#endif
