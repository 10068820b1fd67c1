/*
 * Check-points: a training run's weights, its optimiser's state and where it
 * stands, in one file, from which the run goes on as if it had never stopped.
 *
 * The file is a header, the arrays and a SHA-256 digest of both, little-endian.
 * It is written whole or not at all (core/base/file).
 */
#ifndef IPU_NN_CHECKPOINT_H
#define IPU_NN_CHECKPOINT_H

#include <stdint.h>

#include "core/base/error.h"
#include "ipu/nn/model.h"
#include "ipu/nn/optimiser.h"

struct checkpoint {
	struct optimiser optimiser;
	uint64_t	 seed;
	long		 updates;	/* the optimiser's step number */
	int		 epochs;	/* that are complete */
	size_t		 count;		/* parameters */
	float		*parameters;
	float		*state[OPTIMISER_STATES_MAX];	/* NULL: has none */
};

int	checkpoint_save(const struct checkpoint *, const struct model *,
	    const char *path, struct error *);

/*
 * Refused, with the file's name: damaged or cut off, another format, a model of
 * other layers or shapes (the first that differs is named), another optimiser.
 * The caller gives it back with checkpoint_release().
 */
int	checkpoint_load(struct checkpoint *, const struct model *,
	    const char *path, struct error *);
void	checkpoint_release(struct checkpoint *);

#endif
