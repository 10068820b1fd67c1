/*
 * What a partition belongs to: nothing, and then it stays until somebody
 * removes it, or something that ends, and then it goes with that.
 */
#ifndef CORE_POD_OWNER_KIND_H
#define CORE_POD_OWNER_KIND_H

#include <stdbool.h>

enum owner_kind {
	PO_NONE,
	PO_PROCESS,		/* of a job */
	PO_LEASE,		/* of a client of a server */
	PO_SLURM,		/* a job of Slurm */
	PO_IPUJOB		/* an IPUJob of Kubernetes */
};

/* "none", "process", "lease", "slurm", "ipujob"; NULL ends them. */
extern const char *const owner_kind_words[];

/* The word, or "unknown": numbers may come from shared memory. */
const char	*owner_kind_name(int);

/* Whether such an owner shows by a lock that it lives, see
   core/state/owner_lock.h. */
bool		 owner_kind_has_lock(int);

#endif
