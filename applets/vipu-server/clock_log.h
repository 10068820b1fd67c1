/*
 * What happens in a pod by itself, in lines of the log, as each change that is
 * asked for has one.
 */
#ifndef APPLETS_VIPU_SERVER_CLOCK_LOG_H
#define APPLETS_VIPU_SERVER_CLOCK_LOG_H

#include <stdint.h>

#include "core/state/state.h"

/*
 * A line for each partition that went between both looks, or that is in another
 * state: "remove partition p: its time is over".  now_ms is CLOCK_REALTIME.
 */
void	clock_log_changes(const struct snapshot *before,
	    const struct snapshot *after, int64_t now_ms);

#endif
