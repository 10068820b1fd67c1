/*
 * The pod as pure rules: which hardware there is, where a partition may lie on
 * it, how its links route, which IPUs wait for each other, and who may use
 * them.  Nothing here reads a file, a clock or the network.  edit/ changes what
 * a pod is made of, document/ reads and writes one as a text.  Read hardware.h
 * first, then partition.h and placement.h.
 */
#ifndef CORE_POD_POD_H
#define CORE_POD_POD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/formats/secret.h"
#include "core/pod/hardware.h"	/* machines, clusters, allocations */
#include "core/pod/partition.h" /* a partition, and its words */
#include "core/pod/placement.h" /* which IPUs it gets; routing */
#include "core/pod/request.h"	/* what is asked of a new one */
#include "core/pod/selection.h" /* names as users write them */
#include "core/pod/soc_error.h" /* errors of an IPU's chip */
#include "core/pod/versions.h"	/* which SDK the tools say they are */
#include "core/pod/wiring.h"	/* the cables of a cluster */

/* ---- who a partition belongs to ---- */

/* What a partition belongs to: nothing, and then it stays until it is removed,
   or something that ends, and then it goes with that. */
enum owner_kind {
	PO_NONE,
	PO_PROCESS, /* of a job */
	PO_LEASE,   /* of a client of a server */
	PO_SLURM,   /* a job of Slurm */
	PO_IPUJOB   /* an IPUJob of Kubernetes */
};

/* "none", "process", "lease", "slurm", "ipujob"; NULL ends them. */
extern const char *const owner_kind_words[];

/* The word, or "unknown": numbers may come from shared memory. */
const char *owner_kind_name(int);

/* Whether such an owner shows by a lock that it lives, see
   core/state/owner_lock.h. */
bool owner_kind_has_lock(int);

/*
 * The identity of a partition: 16 random bytes that it keeps for life, so that
 * another one that gets its name later is not taken for it.  Zeros mean none:
 * an older ipubox made it.
 *
 * The low 40 bits are a number of their own, by which the owner of a partition
 * locks a byte (core/state/owner_lock.h): no two partitions of a pod share it.
 */

/* Whether there is one, and its number. */
bool identity_is_set(const uint8_t id[PARTITION_ID_SIZE]);
uint64_t identity_number(const uint8_t id[PARTITION_ID_SIZE]);

/* Whether two partitions are the same one, by both name and identity. */
bool identity_is_same(const struct partition *, const struct partition *);

/*
 * A new identity, whose number none of these partitions has and which is not 0.
 * Free slots of the registry may be among them.
 */
void identity_draw(const struct partition *, size_t count,
    uint8_t id[PARTITION_ID_SIZE]);

/* Give one to each of them that has none, as those of an older ipubox. */
void identity_complete(struct partition *, size_t count);

/* ---- sync groups ---- */

/*
 * GS1 synchronises the IPUs that compute one replica; GS2 all of the partition.
 * Returns the replicas of one GCD: the number of GS1 groups in it.
 *
 * Source: V-IPU user guide 5.10.1 (table 5.4), 5.11.3.
 */
int sync_gs1_groups(const struct partition *);

/*
 * The GS1 group of a routing id, counted over the partition; groups are
 * consecutive: 8 IPUs, 2 replicas: 0-3 are group 0, 4-7 group 1.
 */
int sync_gs1_group(const struct partition *, int routing_id);

/*
 * The IPUs of a group of the partition by their routing ids: *count from *first
 * on.  There are as many groups as replicas.
 */
void sync_gs1_range(const struct partition *, int group, int *first,
    int *count);

/* GS2 as `vipu get partition` prints it: "UNDEFINED" or "DEFAULT". */
const char *sync_gs2_text(const struct partition *);

/* ---- users ---- */

enum {
	USER_ALLOCATIONS_MAX = 60, /* so that a line of INI holds them */
	USER_LIST_SIZE = USER_ALLOCATIONS_MAX * NAME_SIZE + 1,
	ACCESS_KEY_SIZE = 12 /* "685X_K4uCzN" */
};

/*
 * Who may use the pod, in secure mode or where a user is named.  Allocations
 * are tried in their order.
 *
 * Source: V-IPU administrator guide, users and allocations.
 */
struct user {
	char name[NAME_SIZE];
	char hash[SECRET_HASH_SIZE]; /* of the key, see secret_hash() */
	int allocation_count;
	char allocations[USER_ALLOCATIONS_MAX][NAME_SIZE];
};

/*
 * Change the allocations by a list "A,B" ("" is none): put it in place of
 * them, add those that are missing, take away those that must be there.  -1
 * with the reason, and nothing has changed.
 */
int user_set_allocations(struct user *, const char *list, struct error *);
int user_add_allocations(struct user *, const char *list, struct error *);
int user_remove_allocations(struct user *, const char *list, struct error *);

/* Whether the user sees the allocation of that name. */
bool user_has_allocation(const struct user *, const char *name);

/* Its allocations with `separator` between them. */
void user_list(const struct user *, char separator, char list[USER_LIST_SIZE]);

/* A new random key: [A-Za-z0-9]{4}_[A-Za-z0-9]{6}, NUL-terminated. */
void user_make_key(char key[ACCESS_KEY_SIZE]);

#endif
