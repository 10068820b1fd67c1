/*
 * A snapshot as a message of ipubox.v1, and back; and who is attached to its
 * IPUs.
 */
#ifndef CORE_SERVER_WIRE_SNAPSHOT_H
#define CORE_SERVER_WIRE_SNAPSHOT_H

#include <ipubox_v1.pb.h>

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/state/state.h"

/* Fill the zeroed message; rpc_message_release() frees what it holds.  The
   time is for who shows it: clock_real_ms() of the server. */
void	wire_snapshot_put(const struct snapshot *, int64_t now_ms,
	    ipubox_v1_Snapshot *);

/*
 * Fill a snapshot, which the caller releases, also where that fails: then it
 * is empty.  ERROR_INVALID as wire_pod_get() and wire_partition_get();
 * partitions that are not sorted, or two with the same IPU.
 */
int	wire_snapshot_get(const ipubox_v1_Snapshot *, struct snapshot *,
	    struct error *);

/* Whether there is something to tell of it. */
bool	wire_snapshot_tells(const struct registry_image_ipu *);

void	wire_snapshot_put_ipu(const struct registry_image_ipu *,
	    ipubox_v1_Ipu *);
/* ERROR_INVALID: the pod has no such IPU, a text is too long. */
int	wire_snapshot_get_ipu(const ipubox_v1_Ipu *, const struct pod *,
	    struct registry_image_ipu *, struct error *);

#endif
