/*
 * The picture of report.html of what a host did: its activities to scale.
 */
#ifndef IPU_ENGINE_PROFILE_CHART_HOST_H
#define IPU_ENGINE_PROFILE_CHART_HOST_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/* Up to the end of the last call that was recorded; nothing where none was. */
void	chart_host(FILE *, const struct profile_data *);

#endif
