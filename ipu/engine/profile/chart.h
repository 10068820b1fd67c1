/*
 * Pictures of report.html: a device iteration to scale by one of the clocks,
 * and the bytes on each tile.
 */
#ifndef IPU_ENGINE_PROFILE_CHART_H
#define IPU_ENGINE_PROFILE_CHART_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/* One row per IPU, what it did in the colours of the kinds, and an axis. */
void	chart_iteration(FILE *, const struct profile_data *,
	    enum profile_clock);

/* An IPU's tiles, from left to right, with the limit as a line. */
void	chart_tiles(FILE *, const struct profile_data *, int ipu);

/* The colours of what an IPU of this run does, and what they mean. */
void	chart_legend(FILE *, const struct profile_data *);

#endif
