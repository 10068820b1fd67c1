/*
 * Pictures of report.html: device iterations to scale by one of the clocks,
 * and what the colours mean.
 */
#ifndef IPU_ENGINE_PROFILE_CHART_H
#define IPU_ENGINE_PROFILE_CHART_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/* 1, 2 or 5 times a power of ten, so that about `ticks` of them make length. */
double	chart_tick_step(double length, int ticks);

/* An axis of times below rows; places in pixels. */
struct chart_axis {
	double	length_ns;
	int	ticks;		/* about */
	int	left, right;	/* where it begins and ends */
	int	top, bottom;	/* of the rows */
};

/* Round times of one unit; the last label ends where the axis does. */
void	chart_axis(FILE *, const struct chart_axis *);

/* One row per IPU, what it did in the colours of the kinds, and an axis. */
void	chart_iteration(FILE *, const struct profile_data *,
	    enum profile_clock);

/*
 * All device iterations of a call, and all columns, on a longer axis; nothing
 * where chart_iteration() has shown all.
 */
void	chart_call(FILE *, const struct profile_data *, enum profile_clock);

/* The colours of what an IPU of this run does, and what they mean. */
void	chart_legend(FILE *, const struct profile_data *);

#endif
