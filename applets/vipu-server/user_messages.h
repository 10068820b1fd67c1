/*
 * The messages of virmgrpc.UserService and what they are in our structs.  Pure:
 * a message, a snapshot and a request decide.
 *
 * A filled message is for rpc_message_release(), also where filling it failed.
 *
 * Source: config/sdk/proto/virmgrpc.proto; the V-IPU user guide,
 * chapter 5.
 */
#ifndef APPLETS_VIPU_SERVER_USER_MESSAGES_H
#define APPLETS_VIPU_SERVER_USER_MESSAGES_H

#include <virmgrpc.pb.h>

#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * Fill the list with the partitions of an allocation, -1: all of them; each is
 * of that IPUoF server version.
 */
void user_messages_list(virmgrpc_ListPartitionsReply *, const struct snapshot *,
    int allocation, const struct versions *);

/*
 * What is asked of a new partition.  The pod is the one that the caller sees;
 * it is looked at only where single IPUs are named.  -1, ERROR_INVALID: a
 * number or a name that no partition has; IPUs that are not a place for one.
 */
int user_messages_request(const virmgrpc_CreatePartitionRequest *,
    const struct pod *, struct partition_request *, struct error *);

/* The states and the last error of a partition, as the contract has them. */
void user_messages_status(virmgrpc_PartitionStatus *, const struct partition *);

/*
 * Fill what a program needs to find its IPUs, for one GCD, or -1: all of them.
 * -1, ERROR_INVALID: the partition has no such GCD.
 */
int config_messages_fill(virmgrpc_PartitionConfig *, const struct pod *,
    const struct partition *, int64_t gcd, const struct versions *,
    struct error *);

#endif
