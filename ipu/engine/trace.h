/*
 * What the executor really ran, event by event, in the order of each IPU.
 * Times are the host's, CLOCK_MONOTONIC.
 */
#ifndef IPU_ENGINE_TRACE_H
#define IPU_ENGINE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "ipu/engine/schedule.h"

enum trace_kind {
	TRACE_FORWARD,
	TRACE_RECOMPUTE, /* forward again, before a backward */
	TRACE_BACKWARD,
	TRACE_UPDATE,
	TRACE_COLLECTIVE, /* gradients summed over the replicas */
	TRACE_SYNC,	  /* waiting for another IPU; with step -1, for all of
			     them: the pipeline is empty */
	TRACE_HOST_IN,	  /* a micro-batch comes from the host */
	TRACE_HOST_OUT,	  /* results go to the host */
	TRACE_EXCHANGE,	  /* a tensor is handed to a stage on another IPU; the
			     producer wrote it where the consumer reads it, so
			     it takes no time of the host's */
	TRACE_KINDS
};

struct trace_event {
	enum trace_kind kind;
	int replica;
	int ipu;	  /* of the replica */
	struct step step; /* as the schedule has it */
	int iteration;	  /* device iteration of the call */
	int in_flight;	  /* micro-batches in the stage's stash, this one
			     included */
	int to_ipu;	  /* TRACE_EXCHANGE; else -1 */
	size_t bytes;	  /* exchange, host, collective, and of optimiser state
			     that was streamed */
	int64_t start_ns;
	int64_t end_ns;
};

/* What an IPU recorded in the last call. */
struct trace {
	struct trace_event *events; /* NULL: tracing is off */
	int count;
	int capacity;
};

/*
 * What a program that computes a model itself did on this host, and when: what
 * happens once, and the parts of its calls.
 */

enum host_activity_kind {
	HOST_COMPILE,
	HOST_ATTACH,
	HOST_WEIGHTS_IN, /* to the device */
	HOST_WEIGHTS_OUT,
	HOST_DETACH,
	/* Of a call from here on. */
	HOST_INPUT,
	HOST_RUN,
	HOST_OUTPUT,
	HOST_ITERATION /* of the device, within the run */
};

struct host_activity {
	enum host_activity_kind kind;
	long call;	     /* from 0; -1: of none */
	int iteration;	     /* from 0; -1: it is none */
	double from_s, to_s; /* since any beginning */
};

/* By enum host_activity_kind: the words of a document, "compile", ended by
   NULL; and names for a person, "weights to the device". */
extern const char *const outline_activity_words[];
extern const char *const outline_activity_names[];
/* The row of a picture: 0 of a program, 1 of its calls, 2 of iterations. */
int outline_activity_row(enum host_activity_kind);

#endif
