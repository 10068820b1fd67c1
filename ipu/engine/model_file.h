/*
 * Models as data: an INI file holds the layers in their blocks, the stages and
 * their IPUs, and how the model is trained and tested.  ipubox-model(5)
 * describes it; config/models/ has examples, which travel in the program.
 */
#ifndef IPU_ENGINE_MODEL_FILE_H
#define IPU_ENGINE_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "ipu/engine/engine_config.h"
#include "ipu/engine/stages.h"
#include "ipu/nn/nn.h"

enum {
	MODEL_PATH_SIZE = 1024,
	MODEL_COUNT_MAX = 1000000 /* of samples, iterations, epochs */
};

/* The words of a file, in the order of the enums; each ends with NULL. */
extern const char *const model_file_strategy_words[];
extern const char *const model_file_output_mode_words[];
extern const char *const model_file_auto_stage_words[];

struct model_file {
	char name[BLOCK_NAME_SIZE];
	struct model model;
	struct stages stages;

	enum strategy strategy;
	bool recompute;
	int epochs;
	int batch_size;
	int gradient_accumulation;
	int device_iterations;
	enum output_mode output_mode;
	int output_return_period;
	bool offload_optimiser;
	struct optimiser optimiser;
	int test_batch_size;
	int test_device_iterations; /* 0: training's, times accumulation */

	char data_directory[MODEL_PATH_SIZE];
	float mean, deviation; /* of pixels 0 to 1 */
};

/*
 * Read a file.  Refused with "FILE:LINE: text": what ini.h refuses, a layer
 * that does not fit the one before, what stages.h refuses of stages, a model
 * whose output is not the number of classes.  At an error *f is undefined.
 */
int model_file_read(struct model_file *f, const char *path, struct error *);
/* The same of a text; `origin` names it. */
int model_file_parse(struct model_file *f, const char *origin, const char *text,
    size_t size, struct error *);

/* One that travels in the program ("mnist"); refused: no such name. */
int model_file_builtin(struct model_file *, const char *name, struct error *);
/* Its text; NULL: no such name. */
const char *model_file_builtin_text(const char *name);

/* Micro-batches in a call of the test: those that it says, or training's. */
int model_file_test_count(const struct model_file *);

/* What no model file says.  `script`, as the tutorial's script: when sharded it
   does not set gradient accumulation, and a call's samples make one batch. */
struct run_choices {
	bool script;
	bool auto_round; /* reserve the next power of two of IPUs */
};

struct run_plan {
	struct engine_config training, inference;
	int ipus; /* to reserve for a replica */
};

/*
 * Plan both engines of a run from a model file, which must last as long.  All
 * else, as replicas and kernels, is that of `base`; the inference has one
 * replica and returns all results.  Refused, in PopTorch's words: a schedule, a
 * number of IPUs or an output mode.
 */
int run_plan_init(struct run_plan *, const struct model_file *,
    const struct engine_config *base, const struct run_choices *,
    struct error *);

/* The engine of that kind. */
const struct engine_config *run_plan_engine(const struct run_plan *,
    bool training);

#endif
