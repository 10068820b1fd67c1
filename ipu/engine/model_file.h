/*
 * Models as data: an INI file with the layers in their blocks, the stages and
 * their IPUs, and the settings of training and testing.  ipubox-model(5)
 * describes it; config/models/ has the built-in examples.
 */
#ifndef IPU_ENGINE_MODEL_FILE_H
#define IPU_ENGINE_MODEL_FILE_H

#include "ipu/engine/engine_config.h"
#include "ipu/engine/stages.h"

enum {
	MODEL_PATH_SIZE = 1024,
	MODEL_COUNT_MAX = 1000000 /* samples, iterations, epochs */
};

/* Words of the enums, in order, ended by NULL. */
extern const char *const model_file_strategy_words[];
extern const char *const model_file_output_mode_words[];
extern const char *const model_file_auto_stage_words[];

struct model_file {
	char name[BLOCK_NAME_SIZE]; /* of the model */
	struct model model;
	struct loss loss;
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
	/* 0: training's, times gradient_accumulation. */
	int test_device_iterations;

	char data_directory[MODEL_PATH_SIZE];
	float mean, deviation; /* of pixels scaled to 0 to 1 */
};

/* Read a file.  Refuses with "FILE:LINE: text": what ini.h and stages.h refuse,
   a layer that does not fit the previous one, an output that is not the number
   of classes.  After an error *f is undefined.  A copy of *f must point its
   stages.model to its own model. */
int model_file_read(struct model_file *f, const char *path, struct error *);
/* Do the same with a text; `origin` stands for FILE. */
int model_file_parse(struct model_file *f, const char *origin, const char *text,
    size_t size, struct error *);

/* Do the same, but accept any loss and any shape of the output: the targets do
   not come from a data set. */
int model_file_parse_free(struct model_file *f, const char *origin,
    const char *text, size_t size, struct error *);

/* Do the same with a built-in model ("mnist").  Refuses an unknown name with a
   list of all. */
int model_file_builtin(struct model_file *, const char *name, struct error *);
/* Return the text of a built-in model; NULL: unknown name. */
const char *model_file_builtin_text(const char *name);

/* Return the number of micro-batches in a call of the test. */
int model_file_test_count(const struct model_file *);

/* Choices that are not in a model file. */
struct run_choices {
	/* Do as the tutorial's script: with a sharded strategy, one micro-batch
	   takes the samples of a whole accumulation. */
	bool script;
	bool auto_round; /* round the number of IPUs up to a power of two */
};

struct run_plan {
	struct engine_config training, inference;
	int ipus; /* to reserve per replica */
};

/*
 * Plan both engines of a run from a model file, which must outlive the plan.
 * Members that it does not have come from `base`.  Inference has one replica
 * and returns all results.  Refuses, in PopTorch's words, a schedule, a number
 * of IPUs or an output mode; *plan is then not valid.
 */
int run_plan_init(struct run_plan *, const struct model_file *,
    const struct engine_config *base, const struct run_choices *,
    struct error *);

/* Return the engine of that kind. */
const struct engine_config *run_plan_engine(const struct run_plan *,
    bool training);

#endif
