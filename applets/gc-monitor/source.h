/*
 * The looks that gc-monitor prints, at their times: of the pod or of a
 * recording, and recorded if the user wants.
 */
#ifndef APPLETS_GC_MONITOR_SOURCE_H
#define APPLETS_GC_MONITOR_SOURCE_H

#include "ipu/device/recording.h"

struct source_request {
	bool all_partitions;
	bool loop;	    /* more than one look */
	double interval_s;  /* -1: not given */
	const char *replay; /* FILE[@SECONDS], or NULL */
	const char *record; /* file, or NULL */
	bool commands;	    /* record whole command lines */
};

struct source {
	const struct source_request *request;
	struct recording *replay; /* all looks of a file; NULL: one, or the
				     pod */
	struct recording *record; /* or NULL */
	bool begun;		  /* a look was taken */
	int64_t next_ms;	  /* time of the next look, CLOCK_MONOTONIC */
};

/* Open the files of the request, which must live as long. */
int source_open(struct source *, const struct source_request *, struct error *);
void source_close(struct source *);

/*
 * Wait until it is time for the next look, the first at once, then open it; the
 * caller closes it.  The wait is the interval.  Without one it is a second or,
 * in a replay, as long as the recorder waited.  Returns 1, 0 after the last
 * look of a recording, or -1.
 */
int source_look(struct source *, struct device_look *, struct error *);

#endif
