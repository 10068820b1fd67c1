/*
 * The parameters of an engine: a model, its stages and their IPUs, and the
 * sizes of batches and calls.  Reports use them too.
 */
#ifndef IPU_ENGINE_ENGINE_CONFIG_H
#define IPU_ENGINE_ENGINE_CONFIG_H

#include "core/collective/collective.h"
#include "ipu/device/device.h"
#include "ipu/engine/schedule.h"
#include "ipu/nn/nn.h"

/* The results of a call that go to the host: poptorch.OutputMode with its
   numbers (output_mode.c has a table).  The micro-batches of a replica in one
   call are counted over all device iterations: m = 0 to D x G - 1. */
enum output_mode {
	OUTPUT_FINAL,	/* the last micro-batch */
	OUTPUT_EVERY_N, /* the Nth, 2Nth ... micro-batch */
	OUTPUT_ALL,
	OUTPUT_SUM /* sum over all micro-batches */
};

/*
 * Refuse, in PopART's words, a period for EVERY_N that is not positive, or
 * exceeds the `total` micro-batches of a call.  Unlike PopART's it need not be
 * a factor of them: micro-batches after the last full period are not returned.
 */
int output_mode_check(enum output_mode, int period, int total, struct error *);

/* Return a replica's number of entries for `total` micro-batches. */
int output_mode_count(enum output_mode, int period, int total);

/* Whether results go to the host after micro-batch m. */
bool output_mode_returned(enum output_mode, int period, int m, int total);

/* Return the entry that gets micro-batch m, with EVERY_N one that is returned;
   FINAL and SUM have only entry 0. */
int output_mode_entry(enum output_mode, int period, int m);

/* Copy outputs from [block][class][lane] to [sample][class], without the lanes
   after the last sample; with `add`, add them to the old values. */
void output_mode_copy(int lanes, int classes, int samples, const float *from,
    float *to, bool add);

/* Count predictions, [sample][class], that have the label's class, as the
   tutorial's accuracy() does.  There may be more labels than predictions, as
   with FINAL, but not fewer: the last `count` labels are used. */
int output_mode_correct(const float *predictions, int count, int classes,
    const uint8_t *labels, int label_count);

struct outline;

struct engine_config {
	const struct model *model;
	/* Model of another program, only for reports; NULL: our own model. */
	const struct outline *outline;
	const struct kernels *kernels;
	int stages;
	/* Number of blocks, and IPU, of each stage; STRATEGY_ONE_IPU ignores
	   the IPU. */
	int stage_blocks[SCHEDULE_STAGES_MAX];
	int stage_ipu[SCHEDULE_STAGES_MAX];
	enum strategy strategy;
	bool training;
	bool recompute; /* in training, in all stages but the last */
	enum output_mode output_mode;
	int output_return_period; /* OUTPUT_EVERY_N */
	int micro_batch;	  /* number of samples */
	int gradient_accumulation;
	int device_iterations;
	int local_replicas;
	int first_replica; /* number of the first local one in the job */
	struct collective *collective; /* NULL: nothing is summed */
	int total_replicas;
	struct optimiser optimiser;
	struct loss loss;
	/* Seed of the dropouts; each replica of the job adds its number. */
	uint64_t seed;
	bool offload_optimiser;
	float mean, deviation; /* of the pixels, scaled to 0 to 1, for
				  normalising the input */
	bool trace;	       /* record traces for engine_trace() */
	/* The attached device, with the IPUs of each local replica in turn.
	   They count the work and may fail.  NULL: none. */
	const struct attachment *attachment;
	/* Attached IPUs per replica; 0: as many as the schedule uses. */
	int replica_ipus;
};

/* Return the schedule of a device iteration (training) or a call (inference).
   It points to stage_ipu[] of the configuration. */
struct schedule_config engine_config_schedule(const struct engine_config *);

/* Find the layers of a stage of our own model. */
void engine_config_stage_layers(const struct engine_config *, int stage,
    int *first, int *count);

/* Return the name of a stage's block; NULL: no such block. */
const char *engine_config_block(const struct engine_config *, int stage,
    int number);
/* Return the number of parameters of the model. */
size_t engine_config_parameters(const struct engine_config *);

#endif
