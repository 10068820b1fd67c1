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
 * schedule.c has the formulas, and the same interleaved.  Stages of the table
 * that share an IPU are not merged here, but in stages.c.
 */
#ifndef IPU_ENGINE_SCHEDULE_H
#define IPU_ENGINE_SCHEDULE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"

enum { SCHEDULE_STAGES_MAX = 64, SCHEDULE_IPUS_MAX = 64 };

enum strategy {
	STRATEGY_PIPELINED,   /* all stages at once: grouped */
	STRATEGY_INTERLEAVED, /* all at once, forward and backward in turn;
				 inference: as pipelined */
	STRATEGY_SHARDED,     /* one stage at a time */
	STRATEGY_ONE_IPU      /* the same, all on IPU 0 */
};

enum step_kind { STEP_FORWARD, STEP_BACKWARD, STEP_UPDATE };

struct step {
	int column;
	int ipu;
	int stage;	 /* -1: update of all the IPU's stages */
	int micro_batch; /* -1: update */
	enum step_kind kind;
};

struct schedule_config {
	enum strategy strategy;
	int stages;
	bool training;
	/*
	 * Micro-batches that go through before the pipeline is empty: gradient
	 * accumulation when training, device iterations when not.
	 */
	int micro_batches;
	const int *stage_ipu; /* NULL: stage s stands on IPU s; must last as
				 long as the schedule */
};

struct schedule {
	struct schedule_config config;
	int ipus;    /* the highest used, and one */
	int columns; /* without the update's */
	int step_count;
	struct step *steps; /* by column, then IPU */
};

/* Refused, with PopTorch's words: a pipeline with fewer micro-batches than
   pipeline stages, 2N - 1 in training and N in inference. */
int schedule_init(struct schedule *, const struct schedule_config *,
    struct error *);
void schedule_release(struct schedule *);

/*
 * Micro-batches whose activations a stage must keep at a time in training:
 * pipelined 2 (N - 1 - stage) + 1, interleaved N - stage; else 1.  That of the
 * last stage is the one in hand: it needs no stash.
 */
int schedule_stash_depth(const struct schedule_config *, int stage);

/* The IPU a stage stands on. */
int schedule_ipu(const struct schedule_config *, int stage);

/* The share of the columns in which an IPU is busy, counted on the table, for
   any placement of stages; IPU -1: the mean of all that have a stage. */
double schedule_view_utilisation(const struct schedule *, int ipu);

/*
 * Print the table as text, one row per IPU, micro-batches from 1:
 *
 *	col   1   2   3   4   5   6   7   8
 *	IPU0 F1  F2   .  F3  B1   .  B2  B3
 *	IPU1  .  F1  B1  F2  B2  F3  B3   .
 *
 * Where an IPU has several stages the stage is named too, from 0: F3.1 is
 * micro-batch 3 in stage 1.  For a screen of so many columns, unless 0, the
 * table is printed in as many parts as it takes, one below the other.
 */
void schedule_view_print(const struct schedule *, FILE *, int columns);

#endif
