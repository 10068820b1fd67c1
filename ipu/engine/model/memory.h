/*
 * Device memory: what a model of ours or an outline needs on each IPU and on
 * each of its tiles, worked out before anything runs.  A pure function of the
 * engine's configuration; bytes are those of the tensors themselves, float32,
 * without the lanes that the kernels of this host leave empty.
 *
 * The rules, with their sources, stand in ipubox-device(7).
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_H
#define IPU_ENGINE_MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yyjson.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/base/table.h"
#include "ipu/device/device.h"
#include "ipu/engine/engine_config.h"

enum {
	MEMORY_GRAIN_BYTES = 8, /* a vector of a tile */
	MEMORY_TILE_BYTES_MIN = 128
};

enum memory_kind {
	MEMORY_WEIGHTS,
	MEMORY_GRADIENTS, /* the accumulators */
	MEMORY_OPTIMISER,
	MEMORY_STASH,	    /* activations kept for backward */
	MEMORY_ACTIVATIONS, /* live while a stage computes */
	MEMORY_EXCHANGE,    /* buffers between IPUs */
	MEMORY_STREAMS,	    /* buffers to and from the host, and for state that
			       is off-loaded */
	MEMORY_CODE,	    /* an estimate */
	MEMORY_KINDS
};

/* The chip: what `gc-info` shows of it, or made smaller for a trial. */
struct memory_target {
	int tiles;
	size_t tile_bytes;
};

struct memory_tensor {
	char name[64]; /* "B2/conv2d/weights" */
	int ipu;
	enum memory_kind kind;
	size_t bytes; /* all copies together */
	int copies;   /* of a stash */
	int first_tile, tile_count;
};

struct memory_ipu {
	int stages;		    /* that stand on it */
	size_t kinds[MEMORY_KINDS]; /* bytes */
	size_t total;
	size_t *tiles;	  /* bytes on each tile, whole grains */
	int largest_tile; /* the first of them */
	size_t streaming; /* bytes off the chip */
};

struct memory {
	struct memory_target target;
	bool training;
	bool recompute;
	int ipu_count; /* of a replica */
	struct memory_ipu *ipus;
	int tensor_count;
	struct memory_tensor *tensors; /* by IPU, then as they were placed */
	struct strvec notes;	       /* a sentence each: what the figures
					  leave open */
};

const char *memory_kind_name(enum memory_kind); /* "weights" ... */

/* A Mk2 IPU, or one whose tiles share `ipu_bytes`; 0: as the chip is. */
struct memory_target memory_target(size_t ipu_bytes);

/*
 * Lay out one replica of that configuration.  Nothing is refused here: what
 * does not fit is laid out all the same, and memory_report_check() refuses it.
 * The caller gives it back with memory_release().
 */
void memory_init(struct memory *, const struct engine_config *,
    const struct memory_target *);
void memory_release(struct memory *);

/* Bytes on the IPU's fullest tile, and the first IPU whose fullest tile needs
   most: what decides whether a model fits. */
size_t memory_largest_tile(const struct memory_ipu *);
int memory_fullest_ipu(const struct memory *);

/*
 * Refused, in Poplar's words: what does not fit.  The error has lines that
 * name the IPU, its fullest tile, its three largest tensors and what would
 * help.  `profile` is where a report was written, or NULL.
 */
int memory_report_check(const struct memory *, const char *profile,
    struct error *);

/* The report: a table with one row per IPU. */
void memory_report_print(const struct memory *, FILE *,
    const struct table_screen *);
/* One JSON object, whose members ipubox-device(7) describes. */
void memory_report_json(const struct memory *, FILE *);
/* The same as part of a document; the memory must last as long as that. */
yyjson_mut_val *memory_report_object(yyjson_mut_doc *, const struct memory *);

#endif
