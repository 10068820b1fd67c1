/*
 * The service virmgrpc.VersionService.
 */
#ifndef APPLETS_VIPU_SERVER_VERSION_SERVICE_H
#define APPLETS_VIPU_SERVER_VERSION_SERVICE_H

#include "core/server/rpc/rpc.h"

struct daemon;

enum { VERSION_SERVICE_METHODS = 1 };

/* Its method, for the table of the server. */
void	version_service_methods(struct daemon *,
	    struct rpc_method [VERSION_SERVICE_METHODS]);

#endif
