/*
 * Conversion between the messages of virmgrpc.UserService and our structs.
 * Pure: they depend on a message, a snapshot and a request alone.
 *
 * The caller zeroes a message (_init_zero) before it is filled.
 * rpc_message_release() frees it, also after a failure to fill it.
 *
 * Source: config/sdk/proto/virmgrpc.proto; the V-IPU user guide, chapter 5.
 */
#ifndef APPLETS_VIPU_SERVER_USER_MESSAGES_H
#define APPLETS_VIPU_SERVER_USER_MESSAGES_H

#include <virmgrpc.pb.h>

#include "core/state/state.h"

/* Fill the list with the partitions of an allocation, by its index (-1: all),
   each with the IPUoF server version of the release. */
void user_messages_list(virmgrpc_ListPartitionsReply *, const struct snapshot *,
    int allocation, const struct versions *);

/* Read the request for a new partition.  The pod is the caller's view; it may
   be NULL unless single IPUs are named.  -1, ERROR_INVALID: a number or a name
   that no partition can have, or IPUs that cannot form one. request_check()
   must still compare it with the pod. */
int user_messages_request(const virmgrpc_CreatePartitionRequest *,
    const struct pod *, struct partition_request *, struct error *);

/* Fill in the states, the last error and the automatic resets of a
   partition. */
void user_messages_status(virmgrpc_PartitionStatus *, const struct partition *);

/* Fill in what a program needs to find its IPUs, for one GCD (-1: all).  -1,
   ERROR_INVALID: the partition has no such GCD. */
int config_messages_fill(virmgrpc_PartitionConfig *, const struct pod *,
    const struct partition *, int64_t gcd, const struct versions *,
    struct error *);

#endif
