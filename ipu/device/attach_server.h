/*
 * Which server a program attaches through, if any: the one that its environment
 * names, or the one that owns the state of this host.
 */
#ifndef IPU_DEVICE_ATTACH_SERVER_H
#define IPU_DEVICE_ATTACH_SERVER_H

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "core/server/server.h"
#include "ipu/device/visible_devices.h"

enum { ATTACH_SERVER_NAME_SIZE = SERVER_ADDRESS_HOST_SIZE + 32 };

struct attach_server {
	struct rpc_client	*client;	/* NULL: none; this host's
						   registry it is */
	char			 name[ATTACH_SERVER_NAME_SIZE];	/* for words */
	struct caller		 caller;	/* who asks, over TCP */
	struct rpc_metadata_row	 metadata[CALLER_METADATA_ROWS];
};

/*
 * Connect to it; the name tells which.  -1: the server that is named is dead or
 * refuses (ERROR_TIMED_OUT), in V-IPU's words; who asks cannot be found out.
 * The client is the caller's.
 */
int	attach_server_connect(struct attach_server *,
	    const struct visible_name *, struct error *);

#endif
