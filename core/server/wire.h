/*
 * Messages of ipubox.v1 between a vipu-server and its clients.  A put function
 * fills a message, which the caller must zero before and free with
 * rpc_message_release().  A get function checks and converts a message; -1,
 * ERROR_INVALID: not valid, and the result may be half filled unless its
 * comment says otherwise.  Peers may be hostile.
 */
#ifndef CORE_SERVER_WIRE_H
#define CORE_SERVER_WIRE_H

#include <ipubox_v1.pb.h>

#include <sha512.h>

#include "core/control/control.h"

/* Put a pod. */
void wire_pod_put(const struct pod *, ipubox_v1_Pod *);
/* Get a checked pod, which the caller releases; it is empty after -1.  _places:
   its agents may have been left out, and are then all 0. */
int wire_pod_get(const ipubox_v1_Pod *, struct pod *, struct error *);
int wire_pod_get_places(const ipubox_v1_Pod *, struct pod *, struct error *);

/* Put a partition. */
void wire_partition_put(const struct partition *, ipubox_v1_Partition *);
/*
 * Get a partition, checked against its pod.  Without a pod, as for a single
 * partition, its placement and allocation are only checked against the limits
 * of pods.
 */
int wire_partition_get(const ipubox_v1_Partition *, const struct pod *,
    struct partition *, struct error *);

/* Put or get a partition's place, checked as above. */
void wire_partition_put_placement(const struct placement *,
    ipubox_v1_Placement *);
int wire_partition_get_placement(const ipubox_v1_Placement *,
    const struct pod *, struct placement *, struct error *);

/* Put or get a request; after a get the caller calls request_check(). */
void wire_partition_put_request(const struct partition_request *,
    ipubox_v1_PartitionRequest *);
int wire_partition_get_request(const ipubox_v1_PartitionRequest *,
    struct partition_request *, struct error *);

/* Put or get a wait's limit, -1: none, as in struct wait_options. */
void wire_partition_put_wait(int64_t wait_ms, ipubox_v1_Wait *);
int wire_partition_get_wait(const ipubox_v1_Wait *, int64_t *wait_ms,
    struct error *);

/* Put or get a waiter, without its file.  A waiter that is got is live. */
void wire_partition_put_ticket(const struct ticket *, ipubox_v1_Waiting *);
int wire_partition_get_ticket(const ipubox_v1_Waiting *, struct ticket *,
    struct error *);

/* Put or get an owner: enum owner_kind, and a text for people. */
void wire_partition_put_owner(int kind, const char *text, ipubox_v1_Owner *);
int wire_partition_get_owner(const ipubox_v1_Owner *, int *kind,
    char text[OWNER_TEXT_SIZE], struct error *);

/* Put a snapshot, and the server's clock_real_ms(), which _get leaves out. */
void wire_snapshot_put(const struct snapshot *, int64_t now_ms,
    ipubox_v1_Snapshot *);
/* Get a checked snapshot, which the caller releases; it is empty after -1. */
int wire_snapshot_get(const ipubox_v1_Snapshot *, struct snapshot *,
    struct error *);
/* Do the same for a snapshot that may have been sent without the pod's agents:
   see transaction_list_partitions(). */
int wire_snapshot_get_partitions(const ipubox_v1_Snapshot *, struct snapshot *,
    struct error *);

/* Return true if an IPU has a holder, errors or counters to put; put it. */
bool wire_snapshot_has_report(const struct registry_image_ipu *);
void wire_snapshot_put_ipu(const struct registry_image_ipu *, ipubox_v1_Ipu *);
/* Get an IPU of the pod. */
int wire_snapshot_get_ipu(const ipubox_v1_Ipu *, const struct pod *,
    struct registry_image_ipu *, struct error *);

/*
 * Put a pod with its partitions' places, to replace the present one.  The
 * client changes a copy; the digest of that copy's message tells the server
 * whether its pod is still the same.
 */
void wire_inventory_put(const struct inventory *, ipubox_v1_Inventory *);
void wire_inventory_digest(const struct inventory *,
    unsigned char digest[SHA512_DIGEST_LENGTH]);
/* Replace (and release) the pod, and the places, by those of the message, which
   must have the same partitions in the same order; the rest of the partitions
   stays.  -1: nothing has changed. */
int wire_inventory_get(const ipubox_v1_Inventory *, struct inventory *,
    struct error *);

/* Put or get the results[WIRING_TESTS] of a cluster's tests; put a fault. */
void wire_trial_put_results(const struct cluster_test *results,
    ipubox_v1_TestClusterReply *);
int wire_trial_get_results(const ipubox_v1_TestClusterReply *,
    struct cluster_test *results, struct error *);

void wire_trial_put_injection(const struct injection *,
    ipubox_v1_InjectFaultRequest *);
/* Get a fault; its target is the message's text and lasts as long. */
int wire_trial_get_injection(const ipubox_v1_InjectFaultRequest *,
    struct injection *, struct error *);

/* Put or get users, and put changes of users.  The hash of a key is not
   transmitted: it is "" on the other side. */
void wire_user_put(const struct user *, ipubox_v1_User *);
int wire_user_get(const ipubox_v1_User *, struct user *, struct error *);

void wire_user_put_change(const struct user_change *, ipubox_v1_UserChange *);
/* Get a change; the texts are the message's and last as long. */
void wire_user_get_change(const ipubox_v1_UserChange *, struct user_change *);

#endif
