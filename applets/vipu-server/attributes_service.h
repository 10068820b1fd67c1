/*
 * The method ListIPUAttributes of virmgrpc.UserService.
 */
#ifndef APPLETS_VIPU_SERVER_ATTRIBUTES_SERVICE_H
#define APPLETS_VIPU_SERVER_ATTRIBUTES_SERVICE_H

#include "applets/vipu-server/asking.h"
#include "core/base/error.h"

/* Its asking_row.act. */
int	attributes_service_list(const struct asking *, const void *request,
	    struct error *);

#endif
