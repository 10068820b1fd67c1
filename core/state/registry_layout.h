/*
 * The layout of the mirror's file, and reading its header.  Private to
 * core/state.
 *
 *	header | agents[] | clusters[] | allocations[] | partitions[]
 *
 * The header's sizes and capacities locate each array.  They change only when a
 * pod outgrows them, under the sequence number like everything else.  Every
 * array begins at a multiple of 64.
 */
#ifndef CORE_STATE_REGISTRY_LAYOUT_H
#define CORE_STATE_REGISTRY_LAYOUT_H

#include "core/state/store.h"

struct registry_header {
	char magic[8];	  /* "ipubox\n" */
	uint32_t version; /* REGISTRY_VERSION */
	uint32_t header_size;
	uint64_t file_size;
	uint32_t agent_size; /* bytes of a record; so the next three */
	uint32_t cluster_size;
	uint32_t allocation_size;
	uint32_t partition_size;
	uint32_t agent_capacity; /* four IPUs each */
	uint32_t cluster_capacity;
	uint32_t allocation_capacity;
	uint32_t partition_capacity;
	uint32_t reserved[2];
	uint8_t id[STORE_ID_SIZE]; /* id of the state directory */
	char directory[REGISTRY_NAME_SIZE];
	uint32_t sequence; /* odd: the mirror is being changed */
	uint32_t dirty;	   /* the INI files may be ahead */
	uint32_t retired;  /* another file replaced this one */
	uint32_t more_reserved;
	int64_t due_ms;	 /* time of the next automatic event, 0: never */
	int64_t stamp_s; /* mtime of the directory partitions/ */
	int64_t stamp_ns;
	uint64_t checksum; /* sum of the following fields and the arrays */
	uint32_t agent_count;
	uint32_t cluster_count;
	uint32_t allocation_count;
	uint32_t partition_high; /* all slots from here on are free */
	uint32_t damaged;	 /* number of partition files left out */
	char pod_name[NAME_SIZE];
	char damage[SNAPSHOT_DAMAGE_SIZE]; /* reason of the first */
	uint32_t end;			   /* 0 */
};

_Static_assert(sizeof(struct agent) == 208, "layout");
_Static_assert(sizeof(struct cluster) == 84, "layout");
_Static_assert(sizeof(struct allocation) == 68, "layout");
_Static_assert(sizeof(struct partition) == 816, "layout");
_Static_assert(offsetof(struct registry_header, id) == 64, "layout");
_Static_assert(offsetof(struct registry_header, directory) == 80, "layout");
_Static_assert(offsetof(struct registry_header, sequence) == 336, "layout");
_Static_assert(offsetof(struct registry_header, due_ms) == 352, "layout");
_Static_assert(offsetof(struct registry_header, agent_count) == 384, "layout");
_Static_assert(offsetof(struct registry_header, damage) == 468, "layout");
_Static_assert(sizeof(struct registry_header) == 984, "layout");

/* Offsets of the arrays in the file, in bytes, and the end of the last. */
struct registry_places {
	uint64_t agents;
	uint64_t clusters;
	uint64_t allocations;
	uint64_t partitions;
	uint64_t end;
};

/* Fill the header of a registry for the store: room for its machines in whole
   racks of 16, and one rack more, and at least the room of `before` (or NULL).
   Counts, sequence and marks are 0. */
void registry_layout_shape(struct registry_header *, const struct store *,
    const char *directory, const struct registry_header *before);

/* Locate the arrays; the header's capacities must be within their limits. */
void registry_layout_locate(const struct registry_header *,
    struct registry_places *);

/* Read and check the header of the registry's file.  Counts are cut to the
   capacities, and texts are terminated.  -1, with the header undefined:
   ERROR_STALE, damaged or not a registry of this version; else unreadable. */
int registry_layout_read(const struct registry *, struct registry_header *,
    struct error *);

#endif
