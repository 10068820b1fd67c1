/*
 * Sections of report.html: device memory, and what the run was made from.
 */
#ifndef IPU_ENGINE_PROFILE_REPORT_MEMORY_H
#define IPU_ENGINE_PROFILE_REPORT_MEMORY_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/* Bytes of each IPU by kind, then a picture of its tiles. */
void	report_memory_tiles(FILE *, const struct profile_data *);

/* The target block that Poplar's programs print, and the configuration. */
void	report_memory_target(FILE *, const struct profile_data *);

#endif
