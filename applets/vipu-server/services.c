/*
 * The table of methods, service by service.
 */
#include "applets/vipu-server/services.h"

#include <stdlib.h>

#include "applets/vipu-server/controller_service.h"
#include "applets/vipu-server/lease_access.h"
#include "applets/vipu-server/user_service.h"
#include "applets/vipu-server/version_service.h"
#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"
#include "ipu/device/device_service.h"

enum {
	SERVICES_VERSION = 0,
	SERVICES_USER = SERVICES_VERSION + VERSION_SERVICE_METHODS,
	SERVICES_CONTROLLER = SERVICES_USER + USER_SERVICE_METHODS,
	SERVICES_LEASE = SERVICES_CONTROLLER + CONTROLLER_SERVICE_METHODS,
	SERVICES_DEVICE = SERVICES_LEASE + LEASE_SERVICE_METHODS,
	SERVICES_HEALTH = SERVICES_DEVICE + DEVICE_SERVICE_METHODS,
	SERVICES_METHODS = SERVICES_HEALTH + RPC_HEALTH_METHODS
};

struct services {
	struct rpc_method	 methods[SERVICES_METHODS];
	struct lease_service_options access;
	struct lease_service	*leases;
	struct rpc_health	*health;
};

/* Whose health is asked for. */
static const char *const service_names[] = {
	"virmgrpc.UserService", "virmgrpc.VersionService",
	"ipubox.v1.ControllerService", "ipubox.v1.LeaseService", NULL
};

struct services *
services_new(struct daemon *d)
{
	struct services	*s = xcalloc(1, sizeof(*s));

	s->access = lease_access_options(d);
	version_service_methods(d, &s->methods[SERVICES_VERSION]);
	user_service_methods(d, &s->methods[SERVICES_USER]);
	controller_service_methods(d, &s->methods[SERVICES_CONTROLLER]);
	s->leases = lease_service_new(&s->access);
	lease_service_methods(s->leases, &s->methods[SERVICES_LEASE]);
	device_service_methods(&s->access, &s->methods[SERVICES_DEVICE]);
	s->health = rpc_health_new(service_names);
	rpc_health_methods(s->health, &s->methods[SERVICES_HEALTH]);
	return s;
}

void
services_free(struct services *s)
{
	if (s == NULL)
		return;
	rpc_health_free(s->health);
	lease_service_free(s->leases);
	free(s);
}

const struct rpc_method *
services_methods(const struct services *s, size_t *count)
{
	*count = SERVICES_METHODS;
	return s->methods;
}

void
services_use(struct services *s, struct rpc_loop *loop)
{
	lease_service_use(s->leases, loop);
}

void
services_set_serving(struct services *s, bool is_serving)
{
	rpc_health_set(s->health, is_serving);
}
