/*
 * What an engine is made from: a model, its stages and where they stand, how
 * much goes through it.  The reports work from it as well.
 */
#ifndef IPU_ENGINE_ENGINE_CONFIG_H
#define IPU_ENGINE_ENGINE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/collective/collective.h"
#include "ipu/device/device.h"
#include "ipu/engine/schedule.h"
#include "ipu/nn/nn.h"

/*
 * What of a call's results goes to the host: poptorch.OutputMode with its
 * numbers (output_mode.c has a table).  A replica's micro-batches of one call
 * are counted through all of its device iterations: m = 0 to D x G - 1.
 */
enum output_mode {
	OUTPUT_FINAL,	/* the last micro-batch */
	OUTPUT_EVERY_N, /* the Nth, 2Nth ... micro-batch */
	OUTPUT_ALL,
	OUTPUT_SUM /* the sum over all of them */
};

/*
 * Refused: a period for EVERY_N that is not positive, or longer than the
 * `total` micro-batches of a call.  Unlike PopART's it need not be a factor of
 * them: the micro-batches after the last full period are not returned.
 */
int output_mode_check(enum output_mode, int period, int total, struct error *);

/* Entries that a replica returns of `total` micro-batches. */
int output_mode_count(enum output_mode, int period, int total);

/* Whether the results go to the host when micro-batch m is done. */
bool output_mode_returned(enum output_mode, int period, int m, int total);

/* The entry that micro-batch m is returned in, or goes into: SUM has one. */
int output_mode_entry(enum output_mode, int period, int m);

/* From [block][class][lane] to [sample][class], without the lanes behind the
   last sample; with `add`, added to what is there. */
void output_mode_copy(int lanes, int classes, int samples, const float *from,
    float *to, bool add);

/*
 * Count as the tutorial's accuracy() does: how many of `count` predictions,
 * [sample][class], have the label's class.  There may be more labels than
 * predictions, as with FINAL: the last `count` of them are taken.
 */
int output_mode_correct(const float *predictions, int count, int classes,
    const uint8_t *labels, int label_count);

struct outline;

struct engine_config {
	const struct model *model;
	/* A model that another program computes, for reports, not for an
	   engine; NULL: the model is ours. */
	const struct outline *outline;
	const struct kernels *kernels;
	int stages;
	/* How many of the model's blocks each has, in order; its IPU, which
	   STRATEGY_ONE_IPU does not use. */
	int stage_blocks[SCHEDULE_STAGES_MAX];
	int stage_ipu[SCHEDULE_STAGES_MAX];
	enum strategy strategy;
	bool training;
	bool recompute; /* not at the last stage */
	enum output_mode output_mode;
	int output_return_period; /* OUTPUT_EVERY_N */
	int micro_batch;	  /* samples */
	int gradient_accumulation;
	int device_iterations;
	int local_replicas;
	int first_replica;
	struct collective *collective; /* NULL: local_replicas is 1 */
	int total_replicas;
	struct optimiser optimiser;
	bool offload_optimiser;
	float mean, deviation; /* of pixels 0 to 1 */
	bool trace;
	/* Its IPUs, replica by replica, count there and may fail; NULL: there
	   are none. */
	const struct attachment *attachment;
	int replica_ipus; /* of the attachment, per replica; 0: those that the
			     stages use */
};

/* The schedule of one device iteration (training) or call (inference).  Points
   into the engine_config. */
struct schedule_config engine_config_schedule(const struct engine_config *);

/* The layers of a stage: those of its blocks.  The model is ours. */
void engine_config_stage_layers(const struct engine_config *, int stage,
    int *first, int *count);

/* The name of a stage's block; NULL: it has none of that number. */
const char *engine_config_block(const struct engine_config *, int stage,
    int number);
/* The parameters of the model. */
size_t engine_config_parameters(const struct engine_config *);

#endif
