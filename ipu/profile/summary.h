/*
 * summary.json: the figures of a profile under stable names, which
 * ipubox-profile(7) lists.
 */
#ifndef IPU_PROFILE_SUMMARY_H
#define IPU_PROFILE_SUMMARY_H

#include <stdio.h>

#include "ipu/profile/profile_data.h"

/* One JSON object.  Write errors are the stream's: the caller looks. */
void	summary_print(FILE *, const struct profile_data *);

#endif
