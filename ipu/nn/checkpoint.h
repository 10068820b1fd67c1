/*
 * Check-points: a training run's weights, its optimiser's state and where it
 * stands, in one file, from which the run goes on as if it had never stopped.
 *
 * The file begins with lines of text that anybody can read: what is trained,
 * in which order, and how far it is.  An empty line ends them.  Then come the
 * parameters and the optimiser's states as 32-bit floats, least significant
 * byte first, and the SHA-256 digest of all before it.  It is written whole or
 * not at all (core/base/output_file).
 */
#ifndef IPU_NN_CHECKPOINT_H
#define IPU_NN_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "ipu/nn/model.h"
#include "ipu/nn/optimiser.h"

/* What a run's result depends on. */
struct checkpoint_run {
	const struct model *model;
	struct optimiser optimiser;
	uint64_t	 seed;
	/* The order of the data. */
	bool		 generated;
	uint32_t	 samples;	/* of the training set */
	float		 mean, deviation;
	int		 micro_batch;
	int		 gradient_accumulation;
	int		 device_iterations;
	int		 replicas;	/* of the job */
};

/* How far it is. */
struct checkpoint {
	int		 epochs;	/* that are complete */
	long		 updates;	/* the optimiser's step number */
	float		*parameters;	/* as many as the model has */
	float		*state[OPTIMISER_STATES_MAX];	/* NULL: has none */
};

/* Write the file.  -1: it cannot be written; an old one there stays whole. */
int	checkpoint_save(const struct checkpoint *,
	    const struct checkpoint_run *, const char *path, struct error *);

/*
 * Refused, with the file's name: damaged or cut off, another format, and what
 * differs from the run (layers or shapes, optimiser, seed, data): the first
 * line that does.  The caller gives it back with checkpoint_release().
 */
int	checkpoint_load(struct checkpoint *, const struct checkpoint_run *,
	    const char *path, struct error *);

/* Room for the run's arrays, all zero. */
void	checkpoint_init(struct checkpoint *, const struct checkpoint_run *);
void	checkpoint_release(struct checkpoint *);

#endif
