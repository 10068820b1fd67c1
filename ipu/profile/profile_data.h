/*
 * Inside the profile: the data for its writers, from the engine's
 * configuration, both models and, after each call, the executor's trace.  The
 * host's clock is in nanoseconds, the modelled one in cycles.
 *
 * Here everything counts from 0.  Readers of the reports see micro-batches,
 * columns, device iterations and calls from 1, and IPUs, stages and tiles from
 * 0.
 */
#ifndef IPU_PROFILE_PROFILE_DATA_H
#define IPU_PROFILE_PROFILE_DATA_H

#include "ipu/profile/profile.h"

enum {
	PROFILE_LONGEST = 10,  /* longest steps listed */
	ABOUT_TEXTS = 5,       /* texts in struct profile_about */
	PROFILE_COLUMNS = 128, /* initially shown in pictures */
	PROFILE_STEPS = 12000  /* steps shown at most: some 2 MB of a page */
};

/* The two clocks, and for some figures the closed form of the schedule. */
enum profile_clock {
	PROFILE_HOST,
	PROFILE_MODELLED,
	PROFILE_CLOCKS, /* number of clocks */
	PROFILE_CLOSED_FORM = PROFILE_CLOCKS
};

/* An event on an IPU, by one of the clocks. */
struct time_span {
	enum trace_kind kind;
	int replica, ipu;
	struct step step;
	int iteration;
	long call;
	int in_flight; /* host's clock only */
	size_t bytes;
	int64_t from, to; /* ns, or cycles */
};

/* The totals by one clock. */
struct timing {
	int64_t (*sums)[TRACE_KINDS]; /* by IPU and kind, of all replicas */
	int64_t total;		      /* all time: base of the shares */
	struct time_span longest[PROFILE_LONGEST];
	int longest_count;
	/* Events to draw, by IPU, then time: on the host, the kept iterations
	   of traced call 2 (or 1) of the first local replica; modelled, one
	   device iteration. */
	struct time_span *spans;
	int span_count;
};

/* Bytes from one IPU to another: modelled, per device iteration; host, in all
   calls. */
struct stage_link {
	int from, to;
	size_t activations[PROFILE_CLOCKS];
	size_t gradients[PROFILE_CLOCKS];
};

struct profile_data {
	struct profile_about about; /* points into texts */
	char *texts[ABOUT_TEXTS];
	const struct engine_config *config;
	const struct memory *memory;
	const struct cycles *cycles;
	struct schedule schedule;
	int ipus;	/* per replica */
	int iterations; /* of the schedule, per call */
	int processors; /* available to this process */
	long calls;
	long traced;	   /* calls with a trace */
	char *interrupted; /* reason, or NULL */
	struct timing timings[PROFILE_CLOCKS];
	int *stash_seen; /* by IPU: most micro-batches that its stages kept */
	struct stage_link *links;
	int link_count;
};

/* Initialise the data with the modelled clock's figures, which are 0 if cycles
   is NULL.  Copies the texts; configuration, memory and cycles must outlive the
   data. */
void profile_data_init(struct profile_data *, const struct profile_about *,
    const struct engine_config *, const struct memory *, const struct cycles *);
void profile_data_release(struct profile_data *);

/* Add the next call: one trace for each IPU of each local replica, replica by
   replica. */
void profile_data_add(struct profile_data *, const struct trace *const *);

/* Whether steps were measured; an outline may lack them. */
bool profile_data_has_steps(const struct profile_data *);

/* Convert an event of either clock, in ns or cycles, to a span. */
struct time_span profile_data_span_host(const struct trace_event *, long call);
struct time_span profile_data_span_modelled(const struct cycles_event *);

/* Return how many of a call's first device iterations are kept for drawing. */
int profile_data_iterations_kept(const struct profile_data *);

/* Return the IPU of the stage that takes this step's output; -1: none. */
int profile_data_target(const struct profile_data *, const struct step *);

#endif
