/*
 * How the registry file is laid out.  Private to core/state.
 *
 * The sizes and counts in the header are fixed for a file's life; a pod of
 * another shape gets a new file.  Every array begins at a multiple of 64.
 */
#ifndef CORE_STATE_LAYOUT_H
#define CORE_STATE_LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/state/registry.h"
#include "core/state/store.h"

/*
 * Lock bytes: an IPU's is LOCK_IPUS plus its number.  They are the same in
 * every version of the file, so that versions see each other's attachments.
 */
#define LOCK_IPUS ((int64_t)1 << 40)

struct registry_header {
	char		magic[8];
	uint32_t	version;
	uint32_t	header_size;
	uint64_t	file_size;
	uint32_t	agent_size;
	uint32_t	cluster_size;
	uint32_t	allocation_size;
	uint32_t	partition_size;
	uint32_t	slot_size;
	uint32_t	agent_count;
	uint32_t	cluster_count;
	uint32_t	allocation_count;
	uint32_t	partition_capacity;
	uint32_t	ipu_count;
	uint8_t		id[STORE_ID_SIZE];	/* of the state folder */
	char		folder[REGISTRY_NAME_SIZE];
	/* What is above never changes; all that is below may. */
	_Atomic uint32_t sequence;	/* odd: the mirror is being changed */
	_Atomic uint32_t dirty;		/* the INI files may be ahead */
	_Atomic uint32_t retired;	/* another took its place */
	uint32_t	partition_high;	/* no partition from this slot on */
	uint32_t	partition_count;
	uint32_t	damaged;	/* partition files nobody can read */
	int64_t		stamp_s;	/* mtime of the folder partitions/ */
	int64_t		stamp_ns;
	_Atomic int64_t	due_ms;		/* when something happens by itself
					   next, 0: nothing will */
	char		pod_name[NAME_SIZE];
	char		damage[SNAPSHOT_DAMAGE_SIZE];
};

_Static_assert(sizeof(struct agent) == 208, "layout");
_Static_assert(sizeof(struct cluster) == 84, "layout");
_Static_assert(sizeof(struct allocation) == 68, "layout");
_Static_assert(sizeof(struct partition) == 600, "layout");
_Static_assert(sizeof(struct ipu_slot) == 376, "layout");
_Static_assert(offsetof(struct registry_header, id) == 64, "layout");
_Static_assert(offsetof(struct registry_header, folder) == 80, "layout");
_Static_assert(offsetof(struct registry_header, sequence) == 336, "layout");
_Static_assert(offsetof(struct registry_header, damage) == 448, "layout");
_Static_assert(sizeof(struct registry_header) == 960, "layout");

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

/* Where everything is; the header's counts were checked. */
void	mirror_locate(struct mirror *, void *map);

/*
 * Map the file of the open descriptor after every check.  errno ESTALE: it is
 * no registry of this version, or damaged.
 */
int	mirror_map(struct registry *, struct error *);

/* A new registry under `path`, renamed into place when it is complete. */
int	mirror_create(const char *path, const char *folder,
	    const struct store *, struct error *);

/*
 * Whether the file is the store's and has the shape that its pod needs.  The
 * id decides: a folder may be mounted under another path elsewhere.
 */
bool	mirror_fits(const struct mirror *, const struct store *);

/* Bring the whole mirror in step with the folder. */
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

/* All IPU locks of the file, or -1 with errno EAGAIN. */
int	registry_lock_all(int fd);

#endif
