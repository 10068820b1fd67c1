/*
 * The service ipubox.v1.ControllerService: what the published contract has no
 * word for.
 */
#ifndef APPLETS_VIPU_SERVER_CONTROLLER_SERVICE_H
#define APPLETS_VIPU_SERVER_CONTROLLER_SERVICE_H

#include "core/server/rpc/rpc.h"

struct daemon;

enum { CONTROLLER_SERVICE_METHODS = 14 };

/* Fill the rows of the table of methods; the daemon is their context. */
void	controller_service_methods(struct daemon *,
	    struct rpc_method [CONTROLLER_SERVICE_METHODS]);

#endif
