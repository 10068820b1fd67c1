/*
 * report.html of an outline: what was measured on the host, and the operations
 * that take the most modelled cycles.  An engine of ours has neither.
 */
#ifndef IPU_ENGINE_PROFILE_REPORT_OUTLINE_H
#define IPU_ENGINE_PROFILE_REPORT_OUTLINE_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/* Sections of the page, each nothing where the profile is of an engine. */
void	report_outline_host(FILE *, const struct profile_data *);
void	report_outline_operations(FILE *, const struct profile_data *);

#endif
