/*
 * The HTTP listener for metrics (vipu-server(8), METRICS), in the server's
 * loop.
 *
 * Everybody may read; a stranger's connections, requests and times are bounded
 * so that they hinder neither the server nor, for long, another reader.
 */
#ifndef APPLETS_VIPU_SERVER_METRICS_H
#define APPLETS_VIPU_SERVER_METRICS_H

#include "core/base/error.h"

struct daemon;
struct metrics;

enum {
	METRICS_CONNECTIONS = 32,
	METRICS_ADDRESS_CONNECTIONS = 16,
	METRICS_LONG_ANSWERS = 4, /* at a time: of all machines */
	METRICS_SILENCE_S = 10,	  /* until a silent connection is closed */
	METRICS_ANSWER_MS = 60000 /* for a long answer */
};

/* Listen at the address of the daemon's settings, whose loop must exist.  NULL:
   the address cannot be used. */
struct metrics *metrics_start(struct daemon *, struct error *);

/* Stop listening and drop all connections, before the loop ends; NULL is
   fine. */
void metrics_stop(struct metrics *);

#endif
