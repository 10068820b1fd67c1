/*
 * Picture of report.html: the bytes on each tile of an IPU.
 */
#ifndef IPU_ENGINE_PROFILE_CHART_TILES_H
#define IPU_ENGINE_PROFILE_CHART_TILES_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/*
 * An IPU's tiles from left to right, bytes upwards; the axis ends at the first
 * tick above the fullest tile.  The limit is a line where it comes that far.
 */
void	chart_tiles(FILE *, const struct profile_data *, int ipu);

#endif
