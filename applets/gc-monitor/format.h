/*
 * What gc-monitor shows, and the forms of it for machines.
 */
#ifndef APPLETS_GC_MONITOR_FORMAT_H
#define APPLETS_GC_MONITOR_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "applets/gc-monitor/tables.h"
#include "core/pod/partition.h"
#include "core/state/registry.h"
#include "ipu/status.h"

/* Where and when the reader is: what a row is compared with. */
struct here {
	const struct registry	*registry;
	const struct pod	*pod;
	int64_t			 now_ns;
	bool			 monitor;	/* read all sensors */
	uint64_t		 pid_namespace;
	char			 host[SLOT_HOST_SIZE];
};

/* One partition's IPUs as the view shows them. */
struct section {
	const struct partition	*partition;
	bool			 active;
	int			 gcd;		/* -1: all */
	int			 first;		/* routing id */
	int			 count;
	int			 first_id;	/* id of the first IPU */
	struct ipu_status	*ipus;		/* owned */
};

/* An IPU with its holder as words. */
void	format_process(struct tables_process *, const struct here *,
	    const struct ipu_status *, int id);

void	format_json(const struct here *, const struct section *, int count);
void	format_csv(const struct here *, const struct section *, int count,
	    bool sensors, bool headers);

#endif
