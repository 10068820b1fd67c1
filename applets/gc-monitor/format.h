/*
 * The forms of gc-monitor's answer for machines.
 */
#ifndef APPLETS_GC_MONITOR_FORMAT_H
#define APPLETS_GC_MONITOR_FORMAT_H

#include <stdbool.h>

#include "applets/gc-monitor/section.h"

/*
 * All sections on stdout, as one JSON object with a card for each machine; as
 * CSV, a line for each IPU, below a line of names with `headers`, with what
 * the sensors say behind it with `sensors`.
 */
void	format_json(const struct here *, const struct section *, int count);
void	format_csv(const struct here *, const struct section *, int count,
	    bool sensors, bool headers);

#endif
