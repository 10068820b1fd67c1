/*
 * The registry: one file in shared memory that mirrors the pod and its
 * partitions, with a slot for each IPU.  Readers map it and parse no INI file.
 *
 *	header | agents[] | clusters[] | allocations[] | partitions[] |
 *	owner[] (int32 per IPU) | slots[] (one per IPU)
 *
 * Whoever is attached to an IPU holds an open-file-description lock on its
 * byte, far behind the file's end.  The kernel drops it when its holder dies.
 *
 * The mirror is changed under the state directory's lock (STATE/lock) and a
 * sequence number, odd while it is being changed: a reader copies, and copies
 * again when the number moved.  A writer marks the registry dirty before it
 * touches the INI files; whoever finds the mark and no writer rebuilds the
 * mirror from them.
 */
#ifndef CORE_STATE_REGISTRY_H
#define CORE_STATE_REGISTRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/pod.h"
#include "core/state/ipu_slot.h"
#include "core/state/snapshot.h"

enum {
	REGISTRY_VERSION = 3,
	REGISTRY_NAME_SIZE = 256, STATE_ORIGIN_SIZE = 320,
};

/* Where a state is, see paths_find(). */
struct state_paths {
	char	directory[REGISTRY_NAME_SIZE];	/* absolute */
	char	registry[REGISTRY_NAME_SIZE];
	char	origin[STATE_ORIGIN_SIZE];	/* of the directory */
};

struct registry {
	int		fd;
	bool		writable;
	size_t		size;
	void		*map;		/* the file, mapped shared */
	char		path[REGISTRY_NAME_SIZE];
};

/*
 * Map the registry of the state directory.  ERROR_NOT_FOUND when there is none;
 * state_open() is what makes one.  Refused: a symbolic link, an owner who is
 * neither the caller nor root, unless a group shares the directory (both
 * ERROR_UNSAFE), another magic, version or size (ERROR_STALE).
 */
int	registry_open(struct registry *, const struct state_paths *,
	    bool writable, struct error *);
void	registry_close(struct registry *);

/*
 * When something will happen by itself: a configuration ends, a partition
 * expires (ms since the epoch; 0: nothing will).  Whoever opens the state later
 * than that lets the controller act first.
 */
int64_t	registry_due(const struct registry *);
void	registry_set_due(struct registry *, int64_t due_ms);

/* Both now: a change of the pod may make it another number, or machine. */
int	registry_ipu_count(const struct registry *);
struct ipu_slot	*registry_slot(const struct registry *, int ipu);

/*
 * Take or give back the IPUs first .. first+count-1 as one lock.  Taking fails,
 * with the system's words, as ERROR_BUSY when any is held, of which *holder is
 * one (-1: no longer), and ERROR_STALE when a new pod took this one's place.
 * The lock belongs to the registry's open file description: it goes with the
 * last child that inherits it; two attachments through one struct registry do
 * not exclude each other.  The descriptor is close-on-exec.
 */
int	registry_attach(struct registry *, int first, int count, int *holder,
	    struct error *);
int	registry_detach(struct registry *, int first, int count);
/* The lowest IPU of the range that is held by anyone else, or -1. */
int	registry_held(const struct registry *, int first, int count);
/* A copy of a held IPU's slot; false when nobody holds it. */
bool	registry_holder(const struct registry *, int ipu, struct ipu_slot *);

/*
 * Whether the file is still the one under its path: a new pod may have taken
 * its place.
 */
bool	registry_is_current(const struct registry *);

/*
 * Lock every IPU of a registry file, whatever is in it, until the descriptor
 * is closed.  -1: somebody holds one, and none is locked.
 */
int	registry_lock_all(int fd);

#endif
