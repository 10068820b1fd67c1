/*
 * The IPUs that a program on this host sees: one partition, or one graph
 * compilation domain (GCD) of it, named by its environment.
 *
 * Searched in this order, the first that names one counts:
 *  1. IPUOF_VIPU_API_PARTITION_ID, with IPUOF_VIPU_API_GCD_ID, of the server
 *     that IPUOF_VIPU_API_HOST names (core/server/server.h)
 *  2. the file IPUOF_CONFIG_PATH
 *  3. the one file in ~/.ipuof.conf.d, then in /etc/ipuof.conf.d
 * Files of several GCDs of one partition count as one and show it whole; files
 * of several partitions in one directory are ignored, as the guide warns, and
 * `warning` says so.
 *
 * Source: V-IPU user guide 5.7, 5.8.
 */
#ifndef IPU_DEVICE_VISIBLE_DEVICES_H
#define IPU_DEVICE_VISIBLE_DEVICES_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/server.h"
#include "core/state/state.h"

/* What names the partition, before it is looked up. */
struct visible_name {
	struct ipuof_reference	reference;	/* partition "": none */
	char			source[256];	/* where the name came from */
	char			warning[256];	/* "", or what was ignored */
	/* The server that is asked for it, as it was said: "": none. */
	char			host[SERVER_ADDRESS_HOST_SIZE];
	char			port[IPUOF_SERVER_TEXT_PORT];
	const char		*origin;	/* who says so: a variable, or
						   NULL: the source */
	int64_t			timeout_ms;	/* for its answer */
};

struct visible_devices {
	struct snapshot		 snapshot;
	const struct partition	*partition;	/* NULL: none is active */
	const struct partition	*other;		/* where none is: one that
						   could be chosen, or NULL */
	int			 gcd;		/* -1: all */
	char			 server[REGISTRY_NAME_SIZE]; /* whose pod it is,
						   "": this host's */
	char			 source[256];	/* where its name came from */
	char			 warning[1100];	/* "", what was ignored, or
						   what is missing */
};

/*
 * Find the active partition.  0 also when there is none (partition NULL);
 * -1 when one is named that does not exist, or the state cannot be read.
 */
int	visible_devices_open(struct visible_devices *, const struct registry *,
	    struct error *);
/*
 * Its two halves: what this process's environment names, and looking that up in
 * a registry, where a program elsewhere may have named it.  Where a server is
 * named it is not asked with `remote`, and else must be this host's own.
 */
int	visible_devices_name(struct visible_name *, bool remote,
	    struct error *);
int	visible_devices_open_name(struct visible_devices *,
	    const struct registry *, const struct visible_name *,
	    struct error *);
/*
 * For who shows all partitions, whichever is active: one that is named and does
 * not exist, and a file that cannot be read, are a warning with partition NULL.
 * -1 when the state cannot be read.
 */
int	visible_devices_open_all(struct visible_devices *,
	    const struct registry *, struct error *);
void	visible_devices_release(struct visible_devices *);

/*
 * Whether there is something to show: -1, and with what it is made, where no
 * partition is active, or, with `all`, where there is none.
 */
int	visible_devices_require(const struct visible_devices *, bool all,
	    struct error *);

/* A view of a partition by its name, for --all-partitions and the like. */
int	visible_devices_of_partition(struct visible_devices *,
	    const struct registry *, const char *name, int gcd, struct error *);

/*
 * Returns the index of a partition that was named by `source` ("": unknown), or
 * -1: ERROR_NOT_FOUND, with what helps.
 */
int	visible_devices_find(const struct snapshot *, const char *name,
	    const char *source, struct error *);

/*
 * Appends to an error the command that gives a program so many IPUs (0: their
 * number is not known), where no partition is active.
 */
void	visible_devices_advise(const struct visible_devices *, int ipus,
	    struct error *);

#endif
