/*
 * The live view of gc-monitor on a terminal; watch_view.h has its parts.
 */
#ifndef APPLETS_GC_MONITOR_WATCH_H
#define APPLETS_GC_MONITOR_WATCH_H

#include "applets/gc-monitor/source.h"

struct watch_request {
	struct source_request source;
	bool verbose; /* show whole command lines */
	bool colour;
};

/* Return true if stdout is a terminal that the live view can use. */
bool watch_can_run(void);

/* Show the view until the user quits.  SIGINT and SIGTERM restore the screen,
   and then end the program.  -1: the registry, a recording or the terminal
   cannot be used. */
int watch_run(const struct watch_request *, struct error *);

#endif
