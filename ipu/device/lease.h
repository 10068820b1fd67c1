/*
 * A device of a V-IPU server, held for this program as long as the connection
 * to it lives.  A thread of its own serves the connection: it tells the server
 * what the IPUs counted, and hears how they fare.
 *
 * The program writes counters into slots as it does with its own registry; with
 * the server of this host they are shared memory.
 */
#ifndef IPU_DEVICE_LEASE_H
#define IPU_DEVICE_LEASE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"
#include "ipu/device/attach_local.h"
#include "ipu/device/lease_message.h"

struct lease;

/*
 * Ask the server for a device; the client is the lease's from now on, whatever
 * comes of it.  `name` is set in the request.  The metadata says who asks, or
 * is NULL.  With `wait`, until others have given it back.  NULL: the server's
 * reason, with the codes of attach(); ERROR_UNAVAILABLE: the connection is
 * lost; ERROR_UNSUPPORTED: it is a server without leases.
 */
struct lease	*lease_open(struct rpc_client *, const char *server,
		    const struct rpc_metadata_row *metadata,
		    const struct attach_request *, bool wait,
		    struct lease_grant *, struct error *);

/* Give the device back; it is free when this returns, where the server
   answers. */
void		 lease_close(struct lease *);

/* The slot of the device's IPU 0 to count-1, for its counters and errors. */
struct ipu_slot	*lease_slot(const struct lease *, int ipu);

/* As attach_check() and attach_check_siblings(); the first waits a moment for
   the server's words. */
int		 lease_check(struct lease *, struct error *);
int		 lease_check_siblings(struct lease *, struct error *);

#endif
