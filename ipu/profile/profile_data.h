/*
 * Inside the profile: what its writers read, gathered from the engine's
 * configuration, both models and, after each call, the executor's trace.  The
 * host's clock is in nanoseconds, the modelled one in cycles.
 *
 * A person reads micro-batches, columns, device iterations and calls from 1,
 * and IPUs, stages and tiles from 0; in here all count from 0.
 */
#ifndef IPU_PROFILE_PROFILE_DATA_H
#define IPU_PROFILE_PROFILE_DATA_H

#include <stdint.h>

#include "ipu/profile/profile.h"

enum {
	PROFILE_LONGEST = 10, /* steps */
	ABOUT_TEXTS = 5,
	PROFILE_COLUMNS = 128, /* that pictures show at first */
	PROFILE_STEPS = 12000  /* at most: some 2 MB of a page */
};

/* Two clocks, and where a figure has one, the closed form of the schedule. */
enum profile_clock {
	PROFILE_HOST,
	PROFILE_MODELLED,
	PROFILE_CLOCKS,
	PROFILE_CLOSED_FORM = PROFILE_CLOCKS
};

/* Something an IPU did, by one of the clocks. */
struct time_span {
	enum trace_kind kind;
	int replica, ipu;
	struct step step;
	int iteration;
	long call;
	int in_flight; /* the host's alone */
	size_t bytes;
	int64_t from, to;
};

/* What all of it comes to by one clock. */
struct timing {
	int64_t (*sums)[TRACE_KINDS]; /* of each IPU, replicas together */
	int64_t total;		      /* what those are a share of */
	struct time_span longest[PROFILE_LONGEST];
	int longest_count;
	/* To draw, by IPU, then time: of the host's the iterations that are
	   kept of call 2 (or 1); one device iteration of the modelled ones. */
	struct time_span *spans;
	int span_count;
};

/* Bytes from an IPU to another: by the model in one device iteration, by the
   host in all calls and replicas. */
struct stage_link {
	int from, to;
	size_t activations[PROFILE_CLOCKS];
	size_t gradients[PROFILE_CLOCKS];
};

struct profile_data {
	struct profile_about about; /* of these texts */
	char *texts[ABOUT_TEXTS];
	const struct engine_config *config;
	const struct memory *memory;
	const struct cycles *cycles;
	struct schedule schedule;
	int ipus;	/* of a replica */
	int iterations; /* of it, in a call */
	int processors; /* that we may use */
	long calls;
	long traced;	   /* of these */
	char *interrupted; /* why, or NULL */
	struct timing timings[PROFILE_CLOCKS];
	int *stash_seen; /* of each IPU */
	struct stage_link *links;
	int link_count;
};

/*
 * Begin with the modelled clock; without cycles (NULL) all its figures are 0.
 * The texts are copied; configuration and models must last as long.
 * profile_data_release() frees what it owns.
 */
void profile_data_init(struct profile_data *, const struct profile_about *,
    const struct engine_config *, const struct memory *, const struct cycles *);
void profile_data_release(struct profile_data *);

/* Add what the IPUs recorded in a call, call after call: the traces of each
   replica's IPUs, one replica behind the other. */
void profile_data_add(struct profile_data *, const struct trace *const *);

/* Whether steps are measured: of an outline perhaps not. */
bool profile_data_has_steps(const struct profile_data *);

/* An event of either clock in the form that both share: ns, or cycles. */
struct time_span profile_data_span_host(const struct trace_event *, long call);
struct time_span profile_data_span_modelled(const struct cycles_event *);

/* Device iterations of a call that are kept to be drawn: the first ones. */
int profile_data_iterations_kept(const struct profile_data *);

/* The IPU whose stage takes what this step makes; -1: none does. */
int profile_data_target(const struct profile_data *, const struct step *);

#endif
