/*
 * Who asks a server for a device: the words of a slot (core/state/ipu_slot.h)
 * on the wire, and what of them is believed.
 */
#ifndef IPU_DEVICE_LEASE_HOLDER_H
#define IPU_DEVICE_LEASE_HOLDER_H

#include <ipubox_lease.pb.h>

#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

/* The words as a message, which lives no longer than they do, and back: texts
   are fit for a terminal then. */
ipubox_v1_LeaseHolder	lease_holder_put(const struct ipu_slot *);
void			lease_holder_get(const ipubox_v1_LeaseHolder *,
			    struct ipu_slot *);

/*
 * Make of a caller's words what others are shown: of this host what the kernel
 * says, where it says something, and the host's own name.  Of another host the
 * user who showed a key, "" where nobody did, and never this host's name; a pid
 * of there means nothing to others.
 */
void	lease_holder_check(struct ipu_slot *, const struct rpc_peer *,
	    const char *user);

#endif
