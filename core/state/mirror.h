/*
 * Work on a mapped registry.  Private to core/state; every change is made
 * under the lock of the directory.
 */
#ifndef CORE_STATE_MIRROR_H
#define CORE_STATE_MIRROR_H

#include "core/state/layout.h"

/* The parts of a mapped registry. */
struct mirror {
	struct registry_header	*header;
	struct agent		*agents;
	struct cluster		*clusters;
	struct allocation	*allocations;
	struct partition	*partitions;	/* name "": a free slot */
	int32_t			*owner;		/* an IPU: slot or -1 */
	struct ipu_slot		*slots;
};

/* Where everything is; the header's capacities were checked. */
void	mirror_locate(struct mirror *, void *map);

/* A count of the header's, within what its array holds. */
int	mirror_count(uint32_t count, uint32_t capacity);

/*
 * The pod that the mirror shows.  Its arrays are the mirror's own: valid under
 * the lock, not to be released.
 */
void	mirror_pod(const struct mirror *, struct pod *);

/*
 * Map the file of the open descriptor after every check.  ERROR_STALE: it is
 * not a registry of this version, or damaged.
 */
int	mirror_map(struct registry *, struct error *);

/*
 * A new registry under `path`, renamed into place when it is complete.  What
 * the IPUs counted in `old`, where it is of the same pod, or NULL, is kept.
 */
int	mirror_create(const char *path, const char *directory,
	    const struct store *, const struct mirror *old, struct error *);

/*
 * Whether the file is the store's and has room for its pod.  The id decides: a
 * directory may be mounted under another path elsewhere.
 */
bool	mirror_fits(const struct mirror *, const struct store *);

/*
 * Bring the whole mirror in step with the directory.  What the IPUs counted
 * goes with their machines.
 */
void	mirror_fill(const struct mirror *, const struct store *);

/* Free slot, or -1. */
int	mirror_free_slot(const struct mirror *);
/* Slot by name, or -1. */
int	mirror_find(const struct mirror *, const char *name);
/* Set a slot; NULL frees it. */
void	mirror_set(const struct mirror *, int slot, const struct partition *);

void	mirror_set_agent(const struct mirror *, int index,
	    const struct agent *);

/* Mark, and unmark, that the INI files may be ahead of the mirror. */
void	mirror_mark(const struct mirror *, bool dirty);

/* The IPUs of a placement that another slot owns, or -1 when it is free. */
int	mirror_conflict(const struct mirror *, const struct placement *,
	    int slot);

/* Whether the file is still the one under its path. */
bool	registry_is_current(const struct registry *);

/* All IPU locks of the file, or -1: somebody holds one. */
int	registry_lock_all(int fd);

#endif
