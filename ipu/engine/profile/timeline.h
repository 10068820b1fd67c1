/*
 * The schedule of one device iteration as a picture, as the tutorial's figure
 * has it: one row per IPU, one box per micro-batch, forward blue, backward
 * red, what is computed again lighter, the update yellow, idle space.
 */
#ifndef IPU_ENGINE_PROFILE_TIMELINE_H
#define IPU_ENGINE_PROFILE_TIMELINE_H

#include <stdbool.h>
#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/* The style sheet of it, which a page with it needs once. */
void	timeline_style(FILE *);

/* What its colours mean, for a page: lines break where they must. */
void	timeline_legend(FILE *, const struct profile_data *);

/* The element; alone, it is a file with a title, a legend and its own style. */
void	timeline_print(FILE *, const struct profile_data *, bool alone);

#endif
