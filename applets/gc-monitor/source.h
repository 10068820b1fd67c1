/*
 * The looks that gc-monitor prints, each at its time.  A look is one at the pod
 * or one of a recording, and may be recorded again.
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
	struct recording *replay; /* file of which all looks are taken; NULL:
				     one look is, or the pod is looked at */
	struct recording *record; /* file that receives the looks, or NULL */
	bool begun;		  /* the first look was taken */
	int64_t next_ms;	  /* time of the next look, CLOCK_MONOTONIC */
};

/* Open the files of the request, which must live as long as the source.  -1: a
   file cannot be opened; then nothing is to be closed. */
int source_open(struct source *, const struct source_request *, struct error *);
void source_close(struct source *);

/*
 * Wait until the next look is due, and open it; the caller closes it.  The
 * first look is due at once, and each other one an interval later.  Without an
 * interval that is a second or, in a replay, the time that the recorder waited.
 * Returns 1, 0 after the last look of a recording, or -1.
 */
int source_look(struct source *, struct device_look *, struct error *);

#endif
