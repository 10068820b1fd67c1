/*
 * Models as data: an INI file holds the layers in their blocks, the stages and
 * their IPUs, and how the model is trained and tested.  ipubox-model(5)
 * describes it; config/models/ has examples, which travel in the program.
 */
#ifndef IPU_NN_MODEL_FILE_H
#define IPU_NN_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "ipu/nn/model.h"
#include "ipu/nn/optimiser.h"

enum {
	MODEL_STAGES_MAX = 64,
	MODEL_PATH_SIZE = 1024
};

/* A stage as the file has it: consecutive blocks and the IPU they stand on. */
struct model_stage {
	int	first_block;
	int	block_count;
	int	ipu;
};

struct model_file {
	char			 name[BLOCK_NAME_SIZE];
	struct model		 model;
	int			 stage_count;
	struct model_stage	 stages[MODEL_STAGES_MAX];

	char			 strategy[16];	/* "pipelined" ... */
	bool			 recompute;
	int			 epochs;
	int			 batch_size;
	int			 gradient_accumulation;
	int			 device_iterations;
	char			 output_mode[16];	/* "all" ... */
	int			 output_return_period;
	bool			 offload_optimiser;
	struct optimiser	 optimiser;
	int			 test_batch_size;
	int			 test_device_iterations;

	char			 data_folder[MODEL_PATH_SIZE];
	float			 mean, deviation;	/* of pixels 0 to 1 */
};

/*
 * Read a file.  Refused with "FILE:LINE: text": what ini.h refuses, a layer
 * that does not fit the one before, an unknown block, a block of two stages or
 * of none, a model whose output is not the number of classes.
 */
int	model_file_read(struct model_file *, const char *path, struct error *);

/* One that travels in the program ("mnist"); refused: no such name. */
int	model_file_builtin(struct model_file *, const char *name,
	    struct error *);

#endif
