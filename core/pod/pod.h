/*
 * The pod as pure rules: hardware, places of partitions, routing of their
 * links, sync groups of IPUs, and users.  Nothing here reads a file, a clock or
 * the network.  edit/ changes a pod's composition; document/ reads and writes a
 * pod as text.  Read hardware.h first, then partition.h and placement.h.
 */
#ifndef CORE_POD_POD_H
#define CORE_POD_POD_H

#include "core/base/formats/secret.h"
#include "core/pod/hardware.h"	/* machines, clusters, allocations */
#include "core/pod/partition.h" /* a partition, and its words */
#include "core/pod/placement.h" /* its IPUs; routing */
#include "core/pod/request.h"	/* request for a new one */
#include "core/pod/selection.h" /* names as users write them */
#include "core/pod/soc_error.h" /* errors of an IPU's chip */
#include "core/pod/versions.h"	/* SDK release of the tools */
#include "core/pod/wiring.h"	/* the cables of a cluster */

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
