/*
 * The schedule of a pipeline as a table: which IPU runs which stage on which
 * micro-batch in which column.  A pure function.  The executor runs each IPU's
 * rows in order, and tests compare the table with closed forms.
 *
 * N stages, G micro-batches, one device iteration.  N = 2, G = 3, pipelined:
 *
 *	column  0   1   2   3   4   5   6   7   8
 *	IPU 0   F0  F1   .  F2  B0   .  B1  B2   U
 *	IPU 1    .  F0  B0  F1  B1  F2  B2   .   U
 *
 * schedule.c has the formulas and the interleaved form.  stages.c, not this
 * table, merges stages that share an IPU.
 */
#ifndef IPU_ENGINE_SCHEDULE_H
#define IPU_ENGINE_SCHEDULE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"

enum { SCHEDULE_STAGES_MAX = 64, SCHEDULE_IPUS_MAX = 64 };

enum strategy {
	STRATEGY_PIPELINED,   /* all stages in parallel ("grouped") */
	STRATEGY_INTERLEAVED, /* the same, but a stage alternates forward and
				 backward; inference: as pipelined */
	STRATEGY_SHARDED,     /* one stage at a time */
	STRATEGY_ONE_IPU      /* sharded, all on IPU 0 */
};

enum step_kind { STEP_FORWARD, STEP_BACKWARD, STEP_UPDATE };

struct step {
	int column;
	int ipu;
	int stage;	 /* -1: an update, of all the IPU's stages */
	int micro_batch; /* from 0; -1: an update */
	enum step_kind kind;
};

struct schedule_config {
	enum strategy strategy;
	int stages;
	bool training;
	/* Gradient accumulation in training, else device iterations. */
	int micro_batches;
	const int *stage_ipu; /* NULL: stage s is on IPU s; not copied */
};

struct schedule {
	struct schedule_config config;
	int ipus;    /* highest IPU with a stage, plus one */
	int columns; /* without the update's */
	int step_count;
	struct step *steps; /* by column, then IPU; updates last */
};

/* Make the table, which schedule_release() frees.  -1, in PopTorch's words and
   with nothing to free: a pipeline has fewer micro-batches than 2N - 1
   (inference: N). */
int schedule_init(struct schedule *, const struct schedule_config *,
    struct error *);
void schedule_release(struct schedule *);

/* Return the greatest number of micro-batches whose activations a stage keeps,
   with the one in progress: in training, pipelined 2 (N - 1 - stage) + 1,
   interleaved N - stage; else 1. */
int schedule_stash_depth(const struct schedule_config *, int stage);

/* Return the IPU of a stage. */
int schedule_ipu(const struct schedule_config *, int stage);

/* Return the share of columns, without the update's, in which an IPU is busy.
   IPU -1: the mean of all IPUs with a stage. */
double schedule_view_utilisation(const struct schedule *, int ipu);

/*
 * Print the table as text, one row per IPU, micro-batches from 1:
 *
 *	col   1   2   3   4   5   6   7   8
 *	IPU0 F1  F2   .  F3  B1   .  B2  B3
 *	IPU1  .  F1  B1  F2  B2  F3  B3   .
 *
 * If an IPU has several stages, the stage is added, from 0: F3.1 is micro-batch
 * 3 in stage 1.  A table wider than `columns` (0: no limit) is split into
 * parts, one below the other.
 */
void schedule_view_print(const struct schedule *, FILE *, int columns);

#endif
