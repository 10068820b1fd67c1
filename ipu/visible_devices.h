/*
 * The IPUs that a program on this host sees: one partition, or one graph
 * compilation domain (GCD) of it, named by its environment.
 *
 * Searched in this order, the first that names one counts:
 *  1. IPUOF_VIPU_API_PARTITION_ID, with IPUOF_VIPU_API_GCD_ID, of the server
 *     that IPUOF_VIPU_API_HOST names (core/control/server_address.h)
 *  2. the file IPUOF_CONFIG_PATH
 *  3. the one file in ~/.ipuof.conf.d, then in /etc/ipuof.conf.d
 * Files of several GCDs of one partition count as one and show it whole; files
 * of several partitions in one directory are ignored, as the guide warns, and
 * `warning` says so.
 *
 * Source: V-IPU user guide 5.7, 5.8.
 */
#ifndef IPU_VISIBLE_DEVICES_H
#define IPU_VISIBLE_DEVICES_H

#include "core/base/error.h"
#include "core/state/registry.h"

struct visible_devices {
	struct snapshot		 snapshot;
	const struct partition	*partition;	/* NULL: none is active */
	int			 gcd;		/* -1: all */
	char			 source[256];	/* where its name came from */
	char			 warning[640];	/* "", what was ignored, or
						   what is missing */
};

/*
 * Find the active partition.  0 also when there is none (partition NULL);
 * -1 when one is named that does not exist, or the state cannot be read.
 */
int	visible_devices_open(struct visible_devices *, const struct registry *,
	    struct error *);
void	visible_devices_release(struct visible_devices *);

/* A view of a partition by its name, for --all-partitions and the like. */
int	visible_devices_of_partition(struct visible_devices *,
	    const struct registry *, const char *name, int gcd, struct error *);

#endif
