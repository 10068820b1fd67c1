/*
 * What a partition belongs to: nothing, and then it stays until somebody
 * removes it, or something that ends, and then it goes with that.
 */
#ifndef CORE_POD_OWNER_KIND_H
#define CORE_POD_OWNER_KIND_H

enum owner_kind {
	PO_NONE,
	PO_PROCESS,		/* of a job; it shows by a lock that it lives
				   (core/state/owner_lock.h) */
	PO_LEASE,		/* of a client on another host */
	PO_SLURM,		/* a job of Slurm */
	PO_IPUJOB		/* an IPUJob of Kubernetes */
};

/* "none", "process", "lease", "slurm", "ipujob"; NULL ends them. */
extern const char *const owner_kind_words[];

/* The word, or "unknown": numbers may come from shared memory. */
const char	*owner_kind_name(int);

#endif
