/*
 * Device memory: what a model needs on each IPU and on each of its tiles,
 * worked out before anything runs.  A pure function of the engine's
 * configuration; bytes are those of the tensors themselves, float32, without
 * the lanes that the kernels of this host leave empty.
 *
 * Every tensor is spread over the tiles as poplibs' linear mapping does it:
 * grains of MEMORY_GRAIN_BYTES, at least MEMORY_TILE_BYTES_MIN on a tile,
 * starting where the tensor before ended, so that small ones do not pile up.
 * The rules, with their sources, stand in ipubox-profile(7).
 */
#ifndef IPU_ENGINE_MEMORY_H
#define IPU_ENGINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/error.h"
#include "ipu/engine/engine.h"

enum memory_kind {
	MEMORY_WEIGHTS,
	MEMORY_GRADIENTS,	/* the accumulators */
	MEMORY_OPTIMISER,
	MEMORY_STASH,		/* activations kept for backward */
	MEMORY_ACTIVATIONS,	/* live while a layer computes */
	MEMORY_EXCHANGE,	/* buffers between IPUs */
	MEMORY_STREAMS,		/* buffers to and from the host */
	MEMORY_CODE,		/* an estimate */
	MEMORY_KINDS
};

/* The chip: what `gc-info` shows of it, or made smaller for a trial. */
struct memory_target {
	int	tiles;		/* 1,472 */
	size_t	tile_bytes;	/* 638,976 */
};

struct memory_tensor {
	char		 name[64];	/* "B2/conv2d/weights" */
	int		 ipu;
	enum memory_kind kind;
	size_t		 bytes;		/* all copies together */
	int		 copies;	/* of a stash */
	int		 first_tile, tile_count;
};

struct memory_ipu {
	size_t	 kinds[MEMORY_KINDS];	/* bytes */
	size_t	 total;
	size_t	*tiles;			/* bytes on each tile */
	int	 largest_tile;
	size_t	 streaming;		/* bytes off the chip: the optimiser's
					   state, when it is off-loaded */
};

struct memory {
	struct memory_target	 target;
	int			 ipu_count;	/* of a replica */
	struct memory_ipu	*ipus;
	int			 tensor_count;
	struct memory_tensor	*tensors;
};

const char	*memory_kind_name(enum memory_kind);	/* "weights" ... */

void	memory_init(struct memory *, const struct engine_config *,
	    const struct memory_target *);
void	memory_release(struct memory *);

/*
 * Refused, in Poplar's words, with the IPU, its fullest tile and its largest
 * tensors: what does not fit.
 */
int	memory_check(const struct memory *, struct error *);

/* The report per IPU, as a table for people and as one JSON object. */
void	memory_print(const struct memory *, FILE *);
void	memory_json(const struct memory *, FILE *);

#endif
