/*
 * The events that the executor ran, by IPU.  Times are CLOCK_MONOTONIC, or of
 * an outline from its first measurement.
 */
#ifndef IPU_ENGINE_TRACE_H
#define IPU_ENGINE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "ipu/engine/schedule.h"

enum trace_kind {
	TRACE_FORWARD,
	TRACE_RECOMPUTE, /* forward again for backward */
	TRACE_BACKWARD,
	TRACE_UPDATE,
	TRACE_COLLECTIVE, /* gradients summed over the replicas */
	TRACE_SYNC,	  /* waiting for another IPU; stage -1: for all IPUs */
	TRACE_HOST_IN,	  /* micro-batch from the host */
	TRACE_HOST_OUT,	  /* results to the host */
	TRACE_EXCHANGE,	  /* a tensor passes to another IPU; takes no host
			     time */
	TRACE_KINDS
};

struct trace_event {
	enum trace_kind kind;
	int replica;	  /* within the job */
	int ipu;	  /* within the replica */
	struct step step; /* as in the schedule */
	int iteration;	  /* device iteration within the call */
	int in_flight;	  /* micro-batches in the stash, with this; update: 0 */
	int to_ipu;	  /* of TRACE_EXCHANGE; else -1 */
	size_t bytes;	  /* moved; of an update, streamed for the optimiser */
	int64_t start_ns;
	int64_t end_ns;
};

/* The events of an IPU in the last call. */
struct trace {
	struct trace_event *events; /* NULL: tracing is off */
	int count;
	int capacity;
};

/* The activities on the host of a program that computes a model itself: those
   that happen once, and the parts of its calls. */

enum host_activity_kind {
	HOST_COMPILE,
	HOST_ATTACH,
	HOST_WEIGHTS_IN, /* to the device */
	HOST_WEIGHTS_OUT,
	HOST_DETACH,
	/* Parts of a call. */
	HOST_INPUT,
	HOST_RUN,
	HOST_OUTPUT,
	HOST_ITERATION /* device iteration within the run */
};

struct host_activity {
	enum host_activity_kind kind;
	long call;	     /* from 0; -1: none */
	int iteration;	     /* from 0; -1: none */
	double from_s, to_s; /* from any common time zero */
};

/* Texts by enum host_activity_kind.  _words: as in a document ("compile"),
   ended by NULL.  _names: for display ("weights to the device"). */
extern const char *const outline_activity_words[];
extern const char *const outline_activity_names[];
/* Return the row of an activity in a picture: 0 program, 1 calls, 2 device
   iterations. */
int outline_activity_row(enum host_activity_kind);

#endif
