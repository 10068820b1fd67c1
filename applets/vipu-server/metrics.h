/*
 * The HTTP listener for metrics (vipu-server(8), METRICS), in the server's
 * loop.
 *
 * Every client may read.  The number, size and duration of requests are
 * limited, so that a client cannot hold up the server.  When all places are
 * taken, the address that has the most loses its oldest one, so that other
 * addresses are always served.
 */
#ifndef APPLETS_VIPU_SERVER_METRICS_H
#define APPLETS_VIPU_SERVER_METRICS_H

#include "core/base/error.h"

struct daemon;
struct metrics;

enum {
	METRICS_CONNECTIONS = 32,
	METRICS_SILENCE_S = 10 /* until a silent connection is closed */
};

/* Listen at the address of the daemon's settings.  The daemon's loop must
   exist.  NULL: the address cannot be used. */
struct metrics *metrics_start(struct daemon *, struct error *);

/* Stop listening and close all connections.  The loop must still exist.  NULL
   is fine. */
void metrics_stop(struct metrics *);

#endif
