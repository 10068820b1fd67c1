/*
 * A pod with the places of its partitions as a message of ipubox.v1, and back:
 * how another pod takes the place of the one there is.
 *
 * Who changed it worked on a copy; by the digest of that copy the server knows
 * whether the pod is still the one that was changed.
 */
#ifndef CORE_SERVER_WIRE_INVENTORY_H
#define CORE_SERVER_WIRE_INVENTORY_H

#include <ipubox_v1.pb.h>

#include <sys/types.h>

#include <sha512.h>

#include "core/base/error.h"
#include "core/pod/edit/edit.h"

/* Fill the zeroed message; rpc_message_release() frees what it holds. */
void	wire_inventory_put(const struct inventory *, ipubox_v1_Inventory *);

/* The digest of the bytes of that message. */
void	wire_inventory_digest(const struct inventory *,
	    unsigned char digest[SHA512_DIGEST_LENGTH]);

/*
 * The wanted one over the one there is: pod and places become what the message
 * says, all else of the partitions stays.  -1, and nothing is changed:
 * ERROR_INVALID as wire_pod_get(), a partition that has no place, or one that
 * is not there.
 */
int	wire_inventory_get(const ipubox_v1_Inventory *, struct inventory *,
	    struct error *);

#endif
