/*
 * Converts what servers of the published contract report about partitions.
 * Servers may be hostile, so answers are checked here.  The functions use only
 * their arguments.  Private to core/server.
 */
#ifndef CORE_SERVER_REMOTE_VIRM_LIST_H
#define CORE_SERVER_REMOTE_VIRM_LIST_H

#include <virmgrpc.pb.h>

#include "core/control/control.h"

/*
 * Make a snapshot from a list: partitions sorted by name, and the clusters and
 * allocations that they name.  A cluster gets only the machines that its
 * partitions need, named unknown1 and on, because the list does not name them.
 * The due_ms of a partition that is pending or being removed is soon after
 * now_ms, so that a waiting process looks again.  The caller releases the
 * snapshot.  -1, ERROR_INVALID: not valid, and nothing to release.
 */
int remote_virm_list_read(const virmgrpc_ListPartitionsReply *, int64_t now_ms,
    struct snapshot *, struct error *);

/* Fill in a partition's state and operation, its automatic resets, and its last
   error if the server reports one.  -1, ERROR_INVALID: nothing has changed. */
int remote_virm_list_status(const virmgrpc_GetPartitionStatusReply *,
    struct partition *, struct error *);

/* Convert the attributes of IPUs.  After 0 the caller must call
   controller_free_ipus().  -1, ERROR_INVALID: nothing to release. */
int remote_virm_list_ipus(const virmgrpc_ListIPUAttributesReply *,
    struct ipu_listing *, struct error *);

/* Return the IPUoF configuration, as ipuof_text() writes it, of one GCD or,
   with gcd -1, of all.  The caller frees it.  NULL, ERROR_INVALID: the reply
   does not have one GCD, or with gcd -1 the partition's number of GCDs. */
char *remote_virm_list_ipuof(const virmgrpc_GetPartitionIpuofConfigReply *,
    int gcd, const struct partition *, struct error *);

#endif
