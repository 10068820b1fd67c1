/*
 * Device memory: what a model needs on each IPU and on each of its tiles,
 * worked out before anything runs.  A pure function of the engine's
 * configuration; bytes are those of the tensors themselves, float32, without
 * the lanes that the kernels of this host leave empty.
 *
 * A model is one of ours or an outline of somebody else's (outline.h): the
 * rules are the same.
 *
 * Every tensor is spread over the tiles as poplibs' linear mapping does it:
 * grains of MEMORY_GRAIN_BYTES, at least MEMORY_TILE_BYTES_MIN on a tile,
 * starting where the tensor before ended, so that small ones do not pile up.
 * The rules, with their sources, stand in ipubox-device(7).
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_H
#define IPU_ENGINE_MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/strvec.h"
#include "ipu/engine/engine_config.h"

enum {
	MEMORY_TILES = 1472,		/* of a Mk2 IPU, Bow's as well */
	MEMORY_TILE_BYTES = 638976,	/* 624 kB */
	MEMORY_GRAIN_BYTES = 8,		/* a vector of a tile */
	MEMORY_TILE_BYTES_MIN = 128
};

enum memory_kind {
	MEMORY_WEIGHTS,
	MEMORY_GRADIENTS,	/* the accumulators */
	MEMORY_OPTIMISER,
	MEMORY_STASH,		/* activations kept for backward */
	MEMORY_ACTIVATIONS,	/* live while a stage computes */
	MEMORY_EXCHANGE,	/* buffers between IPUs */
	MEMORY_STREAMS,		/* buffers to and from the host, and for state
				   that is off-loaded */
	MEMORY_CODE,		/* an estimate */
	MEMORY_KINDS
};

/* The chip: what `gc-info` shows of it, or made smaller for a trial. */
struct memory_target {
	int	tiles;
	size_t	tile_bytes;
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
	int	 stages;		/* that stand on it */
	size_t	 kinds[MEMORY_KINDS];	/* bytes */
	size_t	 total;
	size_t	*tiles;			/* bytes on each tile, whole grains */
	int	 largest_tile;		/* the first of them */
	size_t	 streaming;		/* bytes off the chip, as the
					   optimiser's state that is off-loaded
					   */
};

struct memory {
	struct memory_target	 target;
	bool			 training;
	bool			 recompute;
	int			 ipu_count;	/* of a replica */
	struct memory_ipu	*ipus;
	int			 tensor_count;
	struct memory_tensor	*tensors;	/* by IPU, then as they were
						   placed */
	struct strvec		 notes;		/* a sentence each: what the
						   figures leave open */
};

const char	*memory_kind_name(enum memory_kind);	/* "weights" ... */

/* A Mk2 IPU, or one whose tiles share `ipu_bytes`; 0: as the chip is. */
struct memory_target	memory_target(size_t ipu_bytes);

/*
 * Lay out one replica of that configuration.  Nothing is refused here: what
 * does not fit is laid out all the same, and memory_report_check() refuses it.
 * The caller gives it back with memory_release().
 */
void	memory_init(struct memory *, const struct engine_config *,
	    const struct memory_target *);
void	memory_release(struct memory *);

/* Bytes on the IPU's fullest tile, and the first IPU whose fullest tile needs
   most: what decides whether a model fits. */
size_t	memory_largest_tile(const struct memory_ipu *);
int	memory_fullest_ipu(const struct memory *);

#endif
