/*
 * A partition: a power-of-two set of IPUs, isolated from the rest and
 * configured for one application.  Its structs are also stored in the registry.
 *
 * Source: V-IPU user guide, chapter 5; the published contract
 * graphcore/vipu-protos for names and numbers of the enumerations.
 */
#ifndef CORE_POD_PARTITION_H
#define CORE_POD_PARTITION_H

#include "core/pod/hardware.h"

enum {
	PARTITIONS_MAX = 4096,
	PARTITION_ID_SIZE = 16,
	OWNER_TEXT_SIZE = 132,
	LAST_ERROR_SIZE = 160,
	DIRECTORY_SIZE = 256
};

/* Numbers as on the wire; words by the _name() functions below. */
enum link_routing { IRT_UNDEFINED, IRT_DNC, IRT_SWNC, IRT_BTNC, IRT_RINGSWNC };
enum gateway_routing { GRT_UNDEFINED, GRT_DEFAULT, GRT_RING, GRT_SWRING };
enum sync_type {
	ST_UNDEFINED,
	ST_GS2_DEFAULT,
	ST_GS2_INDEPENDENT_RAILS,
	ST_POD_NATIVE_DEFAULT,
	ST_POD_NATIVE_REPLICATED_PIPELINE
};
enum partition_state {
	PS_UNDEFINED,
	PS_PENDING,
	PS_ACTIVE,
	PS_REMOVED,
	PS_ERROR
};
enum operation_state {
	POS_UNDEFINED,
	POS_IDLE,
	POS_CREATING,
	POS_REMOVING,
	POS_RESETTING,
	POS_FAILED
};

/*
 * The place of a partition: the same `per_ild` IPUs, from `offset` on, in each
 * of `ild_count` adjacent ILDs of one cluster.  Routing ids 0 to size-1 number
 * its IPUs, ILD by ILD.
 *
 *	ILD 0  . . . . [0 1 2 3] . .	offset 4, per_ild 4, ild_count 2
 *	ILD 1  . . . . [4 5 6 7] . .	size 8
 */
struct placement {
	int32_t cluster;
	int32_t first_ild;
	int32_t ild_count;
	int32_t offset;
	int32_t per_ild;
};

struct partition {
	char name[NAME_SIZE];
	uint8_t id[PARTITION_ID_SIZE]; /* see pod.h */
	struct placement placement;
	int32_t allocation; /* index, or -1 */
	int32_t num_gcds;
	int32_t num_replicas; /* over all GCDs */
	int32_t routing;      /* enum link_routing */
	int32_t gateway_routing;
	int32_t sync_type;
	int32_t state;			  /* enum partition_state */
	int32_t operation;		  /* enum operation_state */
	uint32_t owner;			  /* uid of the creator */
	char user[NAME_SIZE];		  /* the V-IPU user, or "" */
	int32_t owner_kind;		  /* enum owner_kind */
	char owner_text[OWNER_TEXT_SIZE]; /* for people, and adopt.c */
	uint8_t reconfigurable;
	uint8_t relocatable;
	uint8_t no_auto_reset;
	uint8_t moves;	  /* number of moves in the last operation */
	int32_t attempts; /* failed configurations of the last operation */
	int32_t resets;	  /* automatic resets in its whole life */
	int64_t created;  /* seconds since the epoch */
	/* In ms since the epoch; 0: never. */
	int64_t changed_ms; /* last change of state or operation */
	int64_t due_ms;	    /* end of the running configuration, or start of the
			       next */
	int64_t reset_ms;   /* the last reset */
	int64_t error_ms;   /* time of last_error */
	int64_t expires_ms; /* --ttl: time of removal */
	char last_error[LAST_ERROR_SIZE];
	char ipuof_directory[DIRECTORY_SIZE]; /* of its IPUoF files, or "" */
};

/* Return the number of IPUs of the partition, or of each of its GCDs. */
int partition_size(const struct partition *);
int partition_gcd_size(const struct partition *);

/* Whether two partitions have the same owner: the V-IPU user, or without one
   the user of the host. */
bool partition_same_owner(const struct partition *, const struct partition *);

/* Return the wire's word without its prefix, as "DNC", or "UNKNOWN". */
const char *partition_link_routing_name(int);
const char *partition_gateway_routing_name(int);
const char *partition_sync_type_name(int);     /* "c2-compatible", ... */
const char *partition_sync_type_constant(int); /* "ST_GS2_DEFAULT", ... */
const char *partition_state_name(int);
const char *partition_operation_name(int);

/* Parse such a word, with or without its prefix, or a sync type's constant,
   ignoring case, '-' and '_'.  -1: unknown or UNDEFINED. */
int partition_link_routing_parse(const char *);
int partition_gateway_routing_parse(const char *);
int partition_sync_type_parse(const char *);

#endif
