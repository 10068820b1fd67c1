/*
 * schedule.txt: the schedule as a grid of characters, headed by what its
 * closed forms say.
 */
#ifndef IPU_PROFILE_SCHEDULE_TEXT_H
#define IPU_PROFILE_SCHEDULE_TEXT_H

#include <stdio.h>

#include "ipu/profile/profile_data.h"

/*
 * Print the closed forms with their numbers, a line for each IPU, and the
 * grid of schedule_view_print().  Write errors are the stream's.
 */
void	schedule_text(FILE *, const struct profile_data *);

#endif
