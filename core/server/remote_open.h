/*
 * Making a controller one on a server.  Private to core/control; remote.h says
 * what such a controller is.
 */
#ifndef CORE_SERVER_REMOTE_OPEN_H
#define CORE_SERVER_REMOTE_OPEN_H

#include "core/base/error.h"
#include "core/control/access.h"
#include "core/control/controller.h"
#include "core/control/server_address.h"
#include "core/server/rpc/rpc_client.h"

/*
 * Make the controller, which was begun with controller_init(), one of the
 * server behind the connection, and find out what that offers.  -1: it could
 * not be asked, or does not answer in that time; the client stays the
 * caller's.
 */
int	remote_open(struct controller *, struct rpc_client *,
	    const struct server_address *, const struct caller *,
	    int64_t timeout_ms, struct error *);

#endif
