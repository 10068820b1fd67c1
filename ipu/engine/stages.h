/*
 * The blocks and the IPU of each stage of a model, by PopTorch's rules and in
 * its words.  Pure functions.
 *
 * Sources: poptorch.PipelinedExecution, poptorch.Stage, poptorch.AutoStage;
 * PopTorch's CompilerImpl::numPipelineStages() and roundUpNumIPUs().
 */
#ifndef IPU_ENGINE_STAGES_H
#define IPU_ENGINE_STAGES_H

#include "ipu/engine/schedule.h"
#include "ipu/nn/nn.h"

struct stages {
	int count;
	int blocks[SCHEDULE_STAGES_MAX]; /* number of blocks in each */
	int ipu[SCHEDULE_STAGES_MAX];
	/* Used during construction. */
	const struct model *model;
	int stage_of[MODEL_BLOCKS_MAX]; /* -1: not yet */
	int listed[MODEL_BLOCKS_MAX];	/* blocks in listed order */
	int listed_count;
};

/*
 * Build the stages: call stages_init(), then for each stage stages_begin() and,
 * for each of its blocks, stages_add(); then stages_end().  After -1 the stages
 * are not valid.  stages_begin() refuses too many stages; its `ipu` -1 means
 * the stage's number.
 *
 * stages_add() refuses a missing block, "Unknown Block 'X' list of expected
 * Blocks: [...]", and "X associated with more than one stage".  stages_end()
 * refuses a block without a stage (in the words for an unknown one), a stage
 * without a block, and stages out of the model's order.  It then merges
 * adjacent stages on one IPU.
 */
void stages_init(struct stages *, const struct model *);
int stages_begin(struct stages *, int ipu, struct error *);
int stages_add(struct stages *, const char *block, struct error *);
int stages_end(struct stages *, struct error *);

/* Check `count` stages, of blocks[i] blocks each.  Refuses them if a tensor
   other than the output of a stage's last layer would have to pass to a later
   one. */
int stages_check(const struct model *, int count, const int *blocks,
    struct error *);

/* Build the stages from text such as "B1,B2/B3,B4": slashes separate stages,
   commas blocks.  "B1/B2@0" puts the second stage on IPU 0. */
int stages_parse(struct stages *, const struct model *, const char *list,
    struct error *);

enum auto_stage {
	/* Each block on its IPU; without one, on that of the previous block. */
	AUTO_STAGE_SAME_AS_IPU,
	AUTO_STAGE_AUTO_INCREMENT /* each block on the next IPU */
};

/* Build a stage for each run of blocks on one IPU.  Refuses SAME_AS_IPU if the
   first block has no IPU. */
int stages_auto(struct stages *, const struct model *, enum auto_stage,
    struct error *);

/* Set *ipus to the IPUs to reserve for `used` ones: with `auto_round` the next
   power of two, else the same number.  Refused in PopTorch's words: more than
   64, and without `auto_round` a number that is not a power of two. */
int stages_reserve(int used, bool auto_round, int *ipus, struct error *);
/* Do the same for the stages of one replica: they use all IPUs up to their
   highest. */
int stages_ipus(const struct stages *, bool auto_round, int *ipus,
    struct error *);

#endif
