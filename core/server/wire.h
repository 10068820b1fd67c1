/*
 * What a vipu-server and its clients tell each other, as messages of ipubox.v1,
 * and back.  A function that puts fills a zeroed message;
 * rpc_message_release() frees what the message holds.  A function that gets
 * returns -1, ERROR_INVALID, and says what cannot be: peers may be hostile.
 */
#ifndef CORE_SERVER_WIRE_H
#define CORE_SERVER_WIRE_H

#include <ipubox_v1.pb.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <sha512.h>

#include "core/control/control.h"

/* A pod. */
void wire_pod_put(const struct pod *, ipubox_v1_Pod *);
/* The caller releases the pod, which is checked; it is empty after -1. */
int wire_pod_get(const ipubox_v1_Pod *, struct pod *, struct error *);

/* A partition. */
void wire_partition_put(const struct partition *, ipubox_v1_Partition *);
/*
 * With its pod all of it is checked; without one, NULL, as where it is told
 * alone, its placement and allocation are only within the limits of pods.
 */
int wire_partition_get(const ipubox_v1_Partition *, const struct pod *,
    struct partition *, struct error *);

/* Where it lies in a pod, both ways. */
void wire_partition_put_placement(const struct placement *,
    ipubox_v1_Placement *);
int wire_partition_get_placement(const ipubox_v1_Placement *,
    const struct pod *, struct placement *, struct error *);

/* A request, which is still to be checked: request_check(). */
void wire_partition_put_request(const struct partition_request *,
    ipubox_v1_PartitionRequest *);
int wire_partition_get_request(const ipubox_v1_PartitionRequest *,
    struct partition_request *, struct error *);

/* How long somebody waits, -1: for ever, as in struct wait_options. */
void wire_partition_put_wait(int64_t wait_ms, ipubox_v1_Wait *);
int wire_partition_get_wait(const ipubox_v1_Wait *, int64_t *wait_ms,
    struct error *);

/* What it goes with: enum owner_kind, and a text for a person. */
void wire_partition_put_owner(int kind, const char *text, ipubox_v1_Owner *);
int wire_partition_get_owner(const ipubox_v1_Owner *, int *kind,
    char text[OWNER_TEXT_SIZE], struct error *);

/* A snapshot; the time is clock_real_ms() of the server. */
void wire_snapshot_put(const struct snapshot *, int64_t now_ms,
    ipubox_v1_Snapshot *);
/* The caller releases the snapshot, which is checked; it is empty after -1. */
int wire_snapshot_get(const ipubox_v1_Snapshot *, struct snapshot *,
    struct error *);

/* An IPU, and whether there is something to tell of it. */
bool wire_snapshot_tells(const struct registry_image_ipu *);
void wire_snapshot_put_ipu(const struct registry_image_ipu *, ipubox_v1_Ipu *);
/* ERROR_INVALID: the pod has no such IPU, a text is too long. */
int wire_snapshot_get_ipu(const ipubox_v1_Ipu *, const struct pod *,
    struct registry_image_ipu *, struct error *);

/*
 * A pod with the places of its partitions, to be put in place of the one that
 * exists.  A client changes a copy; by the digest of that copy's message the
 * server knows whether the pod is still the one that was changed.
 */
void wire_inventory_put(const struct inventory *, ipubox_v1_Inventory *);
void wire_inventory_digest(const struct inventory *,
    unsigned char digest[SHA512_DIGEST_LENGTH]);
/* Pod and places become what the message says, all else of the partitions
   stays.  -1: nothing is changed. */
int wire_inventory_get(const ipubox_v1_Inventory *, struct inventory *,
    struct error *);

/* The results[WIRING_TESTS] of a cluster's tests, and a fault on demand. */
void wire_trial_put_results(const struct cluster_test *results,
    ipubox_v1_TestClusterReply *);
int wire_trial_get_results(const ipubox_v1_TestClusterReply *,
    struct cluster_test *results, struct error *);

void wire_trial_put_injection(const struct injection *,
    ipubox_v1_InjectFaultRequest *);
/* The target is the message's own text, and lasts as long. */
int wire_trial_get_injection(const ipubox_v1_InjectFaultRequest *,
    struct injection *, struct error *);

/* Users, and changes of them.  The hash of a key does not travel: it is "" on
   the other side. */
void wire_user_put(const struct user *, ipubox_v1_User *);
int wire_user_get(const ipubox_v1_User *, struct user *, struct error *);

void wire_user_put_change(const struct user_change *, ipubox_v1_UserChange *);
/* The texts are those of the message, and last as long. */
void wire_user_get_change(const ipubox_v1_UserChange *, struct user_change *);

#endif
