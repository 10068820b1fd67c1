/*
 * What servers of the published contract say of partitions, made our own.
 * Pure: answers come from servers that may be hostile, and are checked here.
 * Private to core/control.
 */
#ifndef CORE_SERVER_REMOTE_VIRM_LIST_H
#define CORE_SERVER_REMOTE_VIRM_LIST_H

#include <virmgrpc.pb.h>

#include <stdint.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/state/state.h"

/*
 * A snapshot of what is listed: the partitions, sorted by name, and clusters
 * and allocations as far as they name them.  The machines of a cluster are as
 * many as its partitions need, named as V-IPU does, ag01 and on; nothing else
 * is known of them.  Who waits for a partition looks again soon after now_ms.
 * -1, ERROR_INVALID: it cannot be; then there is nothing to release.
 */
int remote_virm_list_read(const virmgrpc_ListPartitionsReply *, int64_t now_ms,
    struct snapshot *, struct error *);

/* How a partition fares. */
int remote_virm_list_status(const virmgrpc_GetPartitionStatusReply *,
    struct partition *, struct error *);

/*
 * What each IPU is; the caller releases it.  -1, ERROR_INVALID: it cannot be;
 * then there is nothing to release.
 */
int remote_virm_list_ipus(const virmgrpc_ListIPUAttributesReply *,
    struct ipu_listing *, struct error *);

/*
 * The IPUoF configuration as ipuof_text() writes it: of one GCD, or, with gcd
 * -1, of all of them.  The caller frees it.  NULL: it is not what was asked.
 */
char *remote_virm_list_ipuof(const virmgrpc_GetPartitionIpuofConfigReply *,
    int gcd, const struct partition *, struct error *);

#endif
