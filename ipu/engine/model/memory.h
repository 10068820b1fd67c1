/*
 * Device memory: the bytes that one of our models or an outline needs on each
 * IPU and tile, computed before anything runs.  A pure function of the engine's
 * configuration.  The bytes are those of the float32 tensors, without the lanes
 * that this host's kernels leave empty.
 *
 * ipubox-device(7) has the rules and their sources.
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_H
#define IPU_ENGINE_MODEL_MEMORY_H

#include "core/base/strvec.h"
#include "core/base/table.h"
#include "ipu/engine/engine_config.h"

enum {
	MEMORY_GRAIN_BYTES = 8,	    /* vector of a tile */
	MEMORY_TILE_BYTES_MIN = 128 /* least part of a tensor on a tile */
};

enum memory_kind {
	MEMORY_WEIGHTS,
	MEMORY_GRADIENTS, /* accumulators */
	MEMORY_OPTIMISER,
	MEMORY_STASH,	    /* activations kept for backward */
	MEMORY_ACTIVATIONS, /* live while a stage computes */
	MEMORY_EXCHANGE,    /* buffers between IPUs */
	MEMORY_STREAMS,	    /* buffers for the host and for off-loaded state */
	MEMORY_CODE,	    /* an estimate */
	MEMORY_KINDS
};

/* The chip as `gc-info` shows it, or a smaller one for a trial. */
struct memory_target {
	int tiles;
	size_t tile_bytes;
};

struct memory_tensor {
	char name[64]; /* "B2/conv2d/weights" */
	int ipu;
	enum memory_kind kind;
	size_t bytes; /* all copies together */
	int copies;   /* of a stash: one per micro-batch in flight; else 1 */
	int first_tile, tile_count; /* tile 0 follows the last one */
};

struct memory_ipu {
	int stages;		    /* number of stages on it */
	size_t kinds[MEMORY_KINDS]; /* bytes of each kind */
	size_t total;
	size_t *tiles;	  /* bytes on each, whole grains */
	int largest_tile; /* number of the first fullest tile */
	size_t streaming; /* bytes in streaming memory; not in the total */
};

struct memory {
	struct memory_target target;
	bool training;
	bool recompute;
	int ipu_count; /* of one replica */
	struct memory_ipu *ipus;
	int tensor_count;
	struct memory_tensor *tensors; /* by IPU, then in order of placement */
	struct strvec notes; /* sentences about limits of the figures */
};

const char *memory_kind_name(enum memory_kind); /* such as "weights" */

/* Return a Mk2 IPU, or one with `ipu_bytes` (unless 0) shared evenly by its
   tiles. */
struct memory_target memory_target(size_t ipu_bytes);

/* Lay out one replica, even if it does not fit: memory_report_check() refuses
   it later.  The caller frees it with memory_release(). */
void memory_init(struct memory *, const struct engine_config *,
    const struct memory_target *);
void memory_release(struct memory *);

/* Return the bytes on the IPU's fullest tile. */
size_t memory_largest_tile(const struct memory_ipu *);
/* Return the first IPU with the fullest tile of all: it decides whether a model
   fits. */
int memory_fullest_ipu(const struct memory *);

/* Return 0, or -1 in Poplar's words if the memory does not fit.  The lines of
   the error name the IPU, its fullest tile, its three largest tensors and
   remedies.  `profile` is the path of a written report, or NULL. */
int memory_report_check(const struct memory *, const char *profile,
    struct error *);

/* Print the report: a table with a row for each IPU and one for all, then the
   notes. */
void memory_report_print(const struct memory *, FILE *,
    const struct table_screen *);
/* Print one JSON object (ipubox-device(7)). */
void memory_report_json(const struct memory *, FILE *);
/* Make the same object in a document, which must not outlive the memory. */
yyjson_mut_val *memory_report_object(yyjson_mut_doc *, const struct memory *);

#endif
