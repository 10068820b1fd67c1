/*
 * The service virmgrpc.UserService.
 */
#ifndef APPLETS_VIPU_SERVER_USER_SERVICE_H
#define APPLETS_VIPU_SERVER_USER_SERVICE_H

#include "core/server/rpc/rpc.h"

struct daemon;

enum { USER_SERVICE_METHODS = 7 };

/* Its methods, for the table of the server. */
void	user_service_methods(struct daemon *,
	    struct rpc_method [USER_SERVICE_METHODS]);

#endif
