/*
 * The pod as pure rules: hardware, places of partitions, routing of their
 * links, sync groups of IPUs, and users.  Nothing here reads a file, a clock or
 * the network.  edit/ changes a pod's composition; document/ reads and writes a
 * pod as text.  Read hardware.h first, then partition.h and placement.h.
 */
#ifndef CORE_POD_POD_H
#define CORE_POD_POD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/formats/encoding.h"
#include "core/pod/hardware.h"	/* machines, clusters, allocations */
#include "core/pod/partition.h" /* a partition, and its words */
#include "core/pod/placement.h" /* its IPUs; routing */
#include "core/pod/request.h"	/* request for a new one */
#include "core/pod/wiring.h"	/* the cables of a cluster */

/*
 * The Poplar SDK release that the tools report, and the layout of their lists.
 * ipubox-versions(7) has the same table for people; a test compares the two.
 *
 * `guide`, the default, is what the published guides print; its numbers are of
 * several releases.  `2.x` and `3.x` are the newest release of that line.  A
 * version such as 3.3.0 selects the last row of its line at or before it, and
 * replaces that row's `sdk`: 2.3.1 is in row 2.3, 2.5 in row 2.4, 2.6 in row
 * 2.x.
 *
 * Source: the V-IPU guide 5, the PopRun guide 2.10.1, the release notes of the
 * SDK and of the IPU-Machine software, output that users published.
 */

enum { VERSIONS_SIZE = 16 }; /* text of one version */

/* Layouts of a list by age; not every list has all of them. */
enum versions_layout {
	VERSIONS_OLD,
	VERSIONS_MID,
	VERSIONS_NEW,
	VERSIONS_LATEST /* gc-monitor only */
};

struct versions {
	const char *name;	 /* name of the row: "guide", "2.x", "3.x" */
	char sdk[VERSIONS_SIZE]; /* poprun, gc-info and the like */
	const char *vipu;	 /* V-IPU; NULL: the version of ipubox */
	char driver[VERSIONS_SIZE];
	char firmware[VERSIONS_SIZE];
	char gateway[VERSIONS_SIZE];
	char machine[VERSIONS_SIZE]; /* IPU-Machine's software */
	char ipuof_server[VERSIONS_SIZE];
	enum versions_layout partitions;       /* vipu list partitions */
	enum versions_layout admin_partitions; /* vipu-admin list partitions */
	/*
	 * gc-info -l: OLD "type:    [Fabric], PCI Domain: [3]"; MID an empty
	 * line below the head, "target: [Fabric], PCI Domain: [3]"; NEW the
	 * partition below the head, "target: [Fabric], IPU-M host: ...".
	 */
	enum versions_layout gc_info;
	/* Attributes of an IPU: MID those of driver 1.0.56, NEW the newest ones
	   ("board variant", "link speed: 16.0 GT/s", ...). */
	enum versions_layout attributes;
	/* MID 103 columns, NEW 98, LATEST 99: Type has 7 columns. */
	enum versions_layout gc_monitor;
	int process_columns; /* gc-monitor: least width of the processes */
	bool gcd_title;	     /* gc-monitor prints "(gcd:0)" */
	bool machine_hidden; /* gc-monitor: column IPU-M SW is blank */
	bool one_cache;	     /* poprun refuses its cache option beside the
				framework's */
};

/* "old", "mid", "new", "latest": also the words of --style. */
extern const char *const versions_layout_words[];

/* Return row `index`, from 0, or NULL after the last. */
const struct versions *versions_at(int index);

/* Fill in the default row, "guide". */
void versions_guide(struct versions *);

/* Fill in the row of that name, or the one that this version selects, as
   described above.  `what` begins the message.  -1, ERROR_INVALID: neither a
   name nor a version of a known line. */
int versions_find(const char *what, const char *name, struct versions *,
    struct error *);

/* Single versions that replace those of the row, by their words:
   "machine-software", "server-version", "firmware", "driver", "gateway". */
enum versions_key {
	VERSIONS_MACHINE,
	VERSIONS_SERVER,
	VERSIONS_FIRMWARE,
	VERSIONS_DRIVER,
	VERSIONS_GATEWAY,
	VERSIONS_KEYS
};
extern const char *const versions_key_words[];

/* Parse a version such as 2.5.0, or "none", which gives "".  -1, ERROR_INVALID:
   another text; its message begins with the key's word. */
int versions_parse(enum versions_key, const char *text,
    char value[VERSIONS_SIZE], struct error *);
/* Replace that version of the row; "" for none.  VERSIONS_MACHINE also clears
   machine_hidden. */
void versions_set(struct versions *, enum versions_key, const char *value);

/*
 * Errors of an IPU's system on chip (SoC), with the names and numbers of its
 * register CIUERRVR.  Several may be set at once, so they are passed as a set:
 * a word with the bit 1 << number of each.
 *
 * Which exception Poplar throws for each error is not published.  This is our
 * choice, so that a launch script can be tested with each kind:
 *
 *	...PGMERR, HEXOVERFLOWERR  application_runtime_error
 *	...SOFTERR                 recoverable_runtime_error, IPU_RESET
 *	NMLINKDN0, NMLINKDN1       recoverable_runtime_error, PARTITION_RESET
 *	MCUSOFTERR                 recoverable_runtime_error, FULL_RESET
 *
 * Source: the published register definitions (CIUERRVR.FIRSTERROR); Poplar API,
 * exceptions and RecoveryAction.
 */

enum soc_error {
	SOC_SOC0PGMERR = 1,
	SOC_SOC1PGMERR,
	SOC_ELINKPGMERR,
	SOC_HEXOVERFLOWERR,
	SOC_MCUPGMERR,
	SOC_SOC0SOFTERR,
	SOC_SOC1SOFTERR,
	SOC_ELINKSOFTERR,
	SOC_IPUSOFTERR,
	SOC_NMLINKDN0,
	SOC_NMLINKDN1,
	SOC_MCUSOFTERR,
	SOC_ERRORS_END
};

/* Ways to clear errors; each also clears those of the previous ones. */
enum soc_remedy {
	REMEDY_IPU_RESET,	/* done by the next program that attaches */
	REMEDY_PARTITION_RESET, /* vipu reset partition; any configuration */
	REMEDY_FULL_RESET	/* restart of the machine */
};

enum { SOC_TEXT_SIZE = 192 }; /* all names fit without a prefix */

#define SOC_BIT(error) ((uint32_t)1 << (error))

/* Parse a list "IPUSOFTERR,NMLINKDN0" (commas or spaces) into a set.  -1,
   ERROR_INVALID: an empty list, or an unknown name; the reason lists the known
   ones. */
int soc_error_parse(const char *list, uint32_t *set, struct error *);

/* Write the names of a set in the order of the numbers, each after `prefix`, as
   in "IPUSOFTERR, NMLINKDN0".  Cuts the text to `size`. */
void soc_error_text(uint32_t set, const char *prefix, char *, size_t size);

/* Return the weakest remedy that clears the whole set, also for an empty
   one. */
enum soc_remedy soc_error_remedy(uint32_t set);
/* Return the errors of the set that the remedy does not clear. */
uint32_t soc_error_left(uint32_t set, enum soc_remedy);

/* Return true if the hardware, not the program, caused any of the set. */
bool soc_error_recoverable(uint32_t set);
/* Return the word: "IPU_RESET", "PARTITION_RESET", "FULL_RESET". */
const char *soc_error_remedy_name(enum soc_remedy);

/* ---- the owner of a partition ---- */

/* A partition with an owner ends with it; one without stays until it is
   removed. */
enum owner_kind {
	PO_NONE,
	PO_PROCESS, /* a job's process */
	PO_LEASE,   /* a client of a server */
	PO_SLURM,   /* a job of Slurm */
	PO_IPUJOB   /* an IPUJob of Kubernetes */
};

/* "none", "process", "lease", "slurm", "ipujob"; ends with NULL. */
extern const char *const owner_kind_words[];

/* Return the word, or "unknown": numbers may come from shared memory. */
const char *owner_kind_name(int);

/* Return true if owners of that kind hold a lock while they live
   (core/state/owner_lock.h). */
bool owner_kind_has_lock(int);

/*
 * The identity of a partition: 16 random bytes for life, so that a later
 * partition of the same name is not mistaken for it.  Zeros: an older ipubox
 * made it.
 *
 * Its last five bytes are a number that is unique in the pod.  The partition's
 * owner locks the byte with that number (core/state/owner_lock.h).
 */

/* Return true if the identity is not all zeros.  identity_number() returns its
   number. */
bool identity_is_set(const uint8_t id[PARTITION_ID_SIZE]);
uint64_t identity_number(const uint8_t id[PARTITION_ID_SIZE]);

/* Return true if two partitions have the same name and identity. */
bool identity_is_same(const struct partition *, const struct partition *);

/* Draw an identity.  Its number is not 0 and differs from those of these
   partitions, which may include free slots of the registry. */
void identity_draw(const struct partition *, size_t count,
    uint8_t id[PARTITION_ID_SIZE]);

/* Draw identities for those partitions that have none. */
void identity_complete(struct partition *, size_t count);

/* ---- sync groups ---- */

/*
 * Return the number of GS1 groups in each GCD: one per replica in it.  GS1
 * synchronises the IPUs of one replica, GS2 the whole partition.
 *
 * Source: V-IPU user guide 5.10.1 (table 5.4), 5.11.3.
 */
int sync_gs1_groups(const struct partition *);

/*
 * Return the GS1 group of a routing id in the partition.  Groups are
 * consecutive: with 8 IPUs and 2 replicas, 0-3 are group 0 and 4-7 are group 1.
 */
int sync_gs1_group(const struct partition *, int routing_id);

/* Set the routing ids of a GS1 group: *count ids, from *first on. */
void sync_gs1_range(const struct partition *, int group, int *first,
    int *count);

/* Return GS2 as `vipu get partition` prints it: "UNDEFINED" with a single GCD,
   else "DEFAULT". */
const char *sync_gs2_text(const struct partition *);

/* ---- users ---- */

enum {
	USER_ALLOCATIONS_MAX = 60, /* limit of a line of INI */
	USER_LIST_SIZE = USER_ALLOCATIONS_MAX * NAME_SIZE + 1,
	ACCESS_KEY_SIZE = 12 /* "685X_K4uCzN" */
};

/*
 * A user of the pod, in secure mode or where a user is named.  Allocations are
 * tried in order.
 *
 * Source: V-IPU administrator guide, users and allocations.
 */
struct user {
	char name[NAME_SIZE];
	char hash[SECRET_HASH_SIZE]; /* of the access key, see secret_hash() */
	int allocation_count;
	char allocations[USER_ALLOCATIONS_MAX][NAME_SIZE];
};

/* Change the allocations by a list "A,B" ("": empty): replace all by the list,
   add those that the user lacks, remove those of the list (ERROR_NOT_FOUND: the
   user lacks one).  -1 with the reason, and nothing has changed.  The pod need
   not have these allocations. */
int user_set_allocations(struct user *, const char *list, struct error *);
int user_add_allocations(struct user *, const char *list, struct error *);
int user_remove_allocations(struct user *, const char *list, struct error *);

/* Return true if the user's list has the allocation of that name. */
bool user_has_allocation(const struct user *, const char *name);

/* Join the user's allocations with `separator`. */
void user_list(const struct user *, char separator, char list[USER_LIST_SIZE]);

/* Make a random key: [A-Za-z0-9]{4}_[A-Za-z0-9]{6}, NUL-terminated. */
void user_make_key(char key[ACCESS_KEY_SIZE]);

#endif
