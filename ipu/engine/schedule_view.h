/*
 * What one reads off a schedule: closed forms, how busy the IPUs are, and the
 * table as text.  Pure functions.
 */
#ifndef IPU_ENGINE_SCHEDULE_VIEW_H
#define IPU_ENGINE_SCHEDULE_VIEW_H

#include <stdio.h>

#include "ipu/engine/schedule.h"

/*
 * Closed forms, for stages that take equally long and have one IPU each: what
 * the table comes to.  A cycle of the pipeline has a forward and a backward
 * column; elsewhere it is a column.
 */
struct schedule_forms {
	int	cycles;		/* pipelined: G + 2N - 2, inference G + N - 1 */
	int	columns;
	double	utilisation;	/* G / (G + N - 1); sharded 1 / N */
	double	bubble;		/* 1 - utilisation */
	double	speed_up;	/* over sharded: N G / (G + N - 1) */
};

/* Of N stages and G micro-batches alone: no table is made. */
struct schedule_forms	schedule_view_forms(const struct schedule_config *);

/*
 * The share of the columns in which an IPU is busy, counted on the table, for
 * any placement of stages; IPU -1: the mean of all that have a stage.
 */
double	schedule_view_utilisation(const struct schedule *, int ipu);

/*
 * The table as text, one row per IPU, micro-batches from 1:
 *
 *	col   1   2   3   4   5   6   7   8
 *	IPU0 F1  F2   .  F3  B1   .  B2  B3
 *	IPU1  .  F1  B1  F2  B2  F3  B3   .
 *
 * Where an IPU has several stages the stage is named too, from 0: F3.1 is
 * micro-batch 3 in stage 1.
 */
void	schedule_view_print(const struct schedule *, FILE *);

/*
 * The same for a screen of so many columns, if not 0: as many parts below each
 * other as it takes.
 */
void	schedule_view_show(const struct schedule *, FILE *, int columns);

#endif
