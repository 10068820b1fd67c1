/*
 * Work on a mapped registry.  Private to core/state; every change is made
 * under the lock of the directory.
 */
#ifndef CORE_STATE_MIRROR_H
#define CORE_STATE_MIRROR_H

#include "core/state/registry_layout.h"

/*
 * The pod that the mirror shows.  Its arrays are the mirror's own: valid under
 * the lock, not to be released.
 */
void	mirror_pod(const struct mirror *, struct pod *);

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
 * Refuse what mirror_create() would be refused for now: this user may not
 * replace the registry, or there is no room for it.
 */
int	mirror_check_create(const char *path, const char *directory,
	    const struct store *, struct error *);

/*
 * Bring the whole mirror in step with the directory.  What the IPUs counted
 * goes with their machines.
 */
void	mirror_fill(const struct mirror *, const struct store *);

/*
 * Slots of partitions, by their index in the table: a free one, the one of that
 * name, or -1; and setting one, where NULL frees it.
 */
int	mirror_free_slot(const struct mirror *);
int	mirror_find(const struct mirror *, const char *name);
void	mirror_set(const struct mirror *, int slot, const struct partition *);

/* Set how a machine fares, by its index in the pod. */
void	mirror_set_agent(const struct mirror *, int index,
	    const struct agent *);

/* Mark, and unmark, that the INI files may be ahead of the mirror. */
void	mirror_mark(const struct mirror *, bool dirty);

/*
 * The first other slot that owns one of the placement's IPUs, or -1 when they
 * are free, or this slot's.
 */
int	mirror_conflict(const struct mirror *, const struct placement *,
	    int slot);

#endif
