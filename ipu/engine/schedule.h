/*
 * The schedule of a pipeline, as a table: which IPU runs which stage on which
 * micro-batch in which column.  A pure function; the executor runs each IPU's
 * rows in order, and tests read closed forms off the table.
 *
 * N stages, G micro-batches, one device iteration.  N = 2, G = 3, pipelined:
 *
 *	column  0   1   2   3   4   5   6   7   8
 *	IPU 0   F0  F1   .  F2  B0   .  B1  B2   U
 *	IPU 1    .  F0  B0  F1  B1  F2  B2   .   U
 *
 * A column stands for a cycle's forward or backward half; a cycle without any
 * forward (or backward) has no such column.  In cycle c, forward stage s runs
 * micro-batch c - s, and backward of stage s micro-batch c - (2N - 2 - s).
 *
 * Source: PopART's implicit pipelining; PopTorch user guide, execution
 * strategies.
 */
#ifndef IPU_ENGINE_SCHEDULE_H
#define IPU_ENGINE_SCHEDULE_H

#include <stdbool.h>

#include "core/base/error.h"

enum {
	SCHEDULE_STAGES_MAX = 64
};

enum strategy {
	STRATEGY_PIPELINED,	/* all stages at once: grouped */
	STRATEGY_INTERLEAVED,	/* all at once, forward and backward in turn */
	STRATEGY_SHARDED,	/* one stage at a time */
	STRATEGY_ONE_IPU	/* the same, all on IPU 0 */
};

enum step_kind { STEP_FORWARD, STEP_BACKWARD, STEP_UPDATE };

struct step {
	int		column;
	int		ipu;
	int		stage;		/* -1: update of all the IPU's stages */
	int		micro_batch;	/* -1: update */
	enum step_kind	kind;
};

struct schedule_config {
	enum strategy	strategy;
	int		stages;
	bool		training;
	/*
	 * Micro-batches that go through before the pipeline is empty: gradient
	 * accumulation when training, device iterations when not.
	 */
	int		micro_batches;
	const int	*stage_ipu;	/* NULL: stage s stands on IPU s */
};

struct schedule {
	struct schedule_config	 config;
	int			 ipus;
	int			 columns;	/* without the update's */
	int			 step_count;
	struct step		*steps;		/* by column, then IPU */
};

/*
 * Refused, with PopTorch's words: a pipeline with fewer micro-batches than
 * pipeline stages, 2N - 1 in training and N in inference.
 */
int	schedule_init(struct schedule *, const struct schedule_config *,
	    struct error *);
void	schedule_release(struct schedule *);

/*
 * Micro-batches whose activations an IPU's stage must keep at a time:
 * 2 (N - 1 - stage) + 1 in a training pipeline, else 1.
 */
int	schedule_stash_depth(const struct schedule_config *, int stage);

/* The IPU a stage stands on. */
int	schedule_ipu(const struct schedule_config *, int stage);

#endif
