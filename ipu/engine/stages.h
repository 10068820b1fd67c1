/*
 * Which blocks of a model make which stage, and on which IPU it stands:
 * PopTorch's rules, in its words.  Pure.
 *
 * Sources: poptorch.PipelinedExecution, poptorch.Stage, poptorch.AutoStage;
 * PopTorch's CompilerImpl::numPipelineStages() and roundUpNumIPUs().
 */
#ifndef IPU_ENGINE_STAGES_H
#define IPU_ENGINE_STAGES_H

#include <stdbool.h>

#include "core/base/error.h"
#include "ipu/engine/schedule.h"
#include "ipu/nn/nn.h"

struct stages {
	int count;
	/* As engine_config has them. */
	int blocks[SCHEDULE_STAGES_MAX];
	int ipu[SCHEDULE_STAGES_MAX];
	/* While they are made. */
	const struct model *model;
	int stage_of[MODEL_BLOCKS_MAX]; /* -1: none */
	int listed[MODEL_BLOCKS_MAX];	/* blocks, in turn */
	int listed_count;
};

/*
 * A list, stage by stage: stages_init(), then for each stage stages_begin()
 * and, for each of its blocks, stages_add(); stages_end() at last.  IPU -1
 * stands for the stage's number.
 *
 * stages_add() refuses what the model does not have, "Unknown Block 'X' list
 * of expected Blocks: [...]", and "X associated with more than one stage".
 * stages_end() refuses a block of no stage (as unknown to the list), a stage
 * without a block, and stages against the model's order.
 */
void stages_init(struct stages *, const struct model *);
int stages_begin(struct stages *, int ipu, struct error *);
int stages_add(struct stages *, const char *block, struct error *);
int stages_end(struct stages *, struct error *);

/* The same from text, "B1,B2/B3,B4": stages by slashes, blocks by commas.
   "B1/B2@0" puts a stage on another IPU than that of its number. */
int stages_parse(struct stages *, const struct model *, const char *list,
    struct error *);

enum auto_stage {
	AUTO_STAGE_SAME_AS_IPU,	  /* by the blocks' IPUs; a block that names
				     none stays on the last one */
	AUTO_STAGE_AUTO_INCREMENT /* each block a stage, on the next IPU */
};

/* Refused: SAME_AS_IPU where the first block names no IPU. */
int stages_auto(struct stages *, const struct model *, enum auto_stage,
    struct error *);

/* How many IPUs must be reserved where `used` are: a power of two, at most 64.
   Another number is rounded up with `auto_round`, else refused. */
int stages_reserve(int used, bool auto_round, int *ipus, struct error *);
/* The same for one replica of these stages. */
int stages_ipus(const struct stages *, bool auto_round, int *ipus,
    struct error *);

#endif
