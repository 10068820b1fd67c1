/*
 * What a server does with devices that no program holds, in the name of whoever
 * may have them: ResetDevices and InspectDevice of ipubox.v1.LeaseService.
 */
#ifndef IPU_DEVICE_DEVICE_SERVICE_H
#define IPU_DEVICE_DEVICE_SERVICE_H

#include "core/server/rpc/rpc.h"
#include "ipu/device/lease_service.h"

enum { DEVICE_SERVICE_METHODS = 2 };

/* Fill its rows of the table of methods; the options live as long as they. */
void	device_service_methods(const struct lease_service_options *,
	    struct rpc_method [DEVICE_SERVICE_METHODS]);

#endif
