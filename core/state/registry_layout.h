/*
 * How the registry file is laid out, and mapping it.  Private to core/state.
 *
 * The sizes and capacities in the header are fixed for a file's life; the
 * counts may change under the sequence number, and a pod that outgrows the
 * capacities gets a new file.  Every array begins at a multiple of 64.
 */
#ifndef CORE_STATE_REGISTRY_LAYOUT_H
#define CORE_STATE_REGISTRY_LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
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
	uint32_t	agent_capacity;		/* four IPUs each */
	uint32_t	cluster_capacity;
	uint32_t	allocation_capacity;
	uint32_t	partition_capacity;
	uint32_t	reserved;
	uint8_t		id[STORE_ID_SIZE];	/* of the state directory */
	char		directory[REGISTRY_NAME_SIZE];
	/* What is above never changes; all that is below may. */
	_Atomic uint32_t sequence;	/* odd: the mirror is being changed */
	_Atomic uint32_t dirty;		/* the INI files may be ahead */
	_Atomic uint32_t retired;	/* another took its place */
	uint32_t	agent_count;
	uint32_t	cluster_count;
	uint32_t	allocation_count;
	uint32_t	partition_high;	/* no partition from this slot on */
	uint32_t	partition_count;
	uint32_t	damaged;	/* partition files nobody can read */
	int64_t		stamp_s;	/* mtime of the directory partitions/ */
	int64_t		stamp_ns;
	_Atomic int64_t	due_ms;		/* when something happens by itself
					   next, 0: nothing will */
	char		pod_name[NAME_SIZE];
	char		damage[SNAPSHOT_DAMAGE_SIZE];
};

_Static_assert(sizeof(struct agent) == 208, "layout");
_Static_assert(sizeof(struct cluster) == 84, "layout");
_Static_assert(sizeof(struct allocation) == 68, "layout");
_Static_assert(sizeof(struct partition) == 752, "layout");
_Static_assert(sizeof(struct ipu_slot) == 376, "layout");
_Static_assert(offsetof(struct registry_header, id) == 64, "layout");
_Static_assert(offsetof(struct registry_header, directory) == 80, "layout");
_Static_assert(offsetof(struct registry_header, sequence) == 336, "layout");
_Static_assert(offsetof(struct registry_header, damage) == 464, "layout");
_Static_assert(sizeof(struct registry_header) == 976, "layout");

/* The parts of a mapped registry. */
struct mirror {
	struct registry_header	*header;
	struct agent		*agents;
	struct cluster		*clusters;
	struct allocation	*allocations;
	struct partition	*partitions;	/* name "": a free slot */
	int32_t			*owner;		/* by IPU: slot or -1 */
	struct ipu_slot		*slots;
};

/*
 * The header's fixed part for a registry that has room for the store, now and
 * for a rack of machines more; all that changes later is 0.
 */
void	registry_layout_shape(struct registry_header *, const struct store *,
	    const char *directory);

/* Where everything is in a file of that header, which was checked. */
void	registry_layout_locate(struct mirror *, void *map);

/* A count of the header's, within what its array holds. */
int	registry_layout_count(uint32_t count, uint32_t capacity);

/* IPUs that the file has slots for: four per machine. */
uint64_t	registry_layout_ipu_capacity(const struct registry_header *);

/*
 * Map the file of the open descriptor after every check; registry_close()
 * unmaps it.  ERROR_STALE: it is not a registry of this version, or damaged.
 */
int	registry_layout_map(struct registry *, struct error *);

#endif
