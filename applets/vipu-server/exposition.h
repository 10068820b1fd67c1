/*
 * The metrics of the controller and of the machines, as text for Prometheus and
 * other programs that read OpenMetrics.
 *
 * Source: V-IPU administrator guide, V-IPU monitoring, for the names without a
 * unit (vipu_num_agents, chassis_power, ipu_attached, ...).
 */
#ifndef APPLETS_VIPU_SERVER_EXPOSITION_H
#define APPLETS_VIPU_SERVER_EXPOSITION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/state/state.h"

/* The contents of one answer: of the controller, or of a machine. */
struct exposition {
	const struct snapshot *snapshot;
	const struct registry *registry; /* frozen with the snapshot */
	int64_t now_ns;			 /* CLOCK_REALTIME of the freeze */
	uint64_t ticks;			 /* answers so far, with this one */
	int agent;			 /* -1: of the controller */
	bool is_trusted;	   /* the reader may see pids and commands */
	struct holder_place place; /* of this process */
	bool is_openmetrics;	   /* false: the older text format, 0.0.4 */
};

/* Print the whole text. */
void exposition_print(const struct exposition *, FILE *);

#endif
