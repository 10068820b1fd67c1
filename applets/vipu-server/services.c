/*
 * The table of methods, service by service; the server's version, for every
 * caller; and leases for their callers.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <virmgrpc.pb.h>

#include <bsd/string.h>

#include <stdlib.h>

#include "applets/vipu-server/daemon.h"
#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "ipu/device/device.h"

enum {
	SERVICES_VERSION = 0,
	SERVICES_USER = SERVICES_VERSION + 1,
	SERVICES_CONTROLLER = SERVICES_USER + USER_SERVICE_METHODS,
	SERVICES_LEASE = SERVICES_CONTROLLER + CONTROLLER_SERVICE_METHODS,
	SERVICES_DEVICE = SERVICES_LEASE + LEASE_SERVICE_METHODS,
	SERVICES_HEALTH = SERVICES_DEVICE + DEVICE_SERVICE_METHODS,
	SERVICES_METHODS = SERVICES_HEALTH + RPC_HEALTH_METHODS
};

enum { VERSION_BYTES = 4096 }; /* of a request that says nothing */

struct services {
	struct rpc_method methods[SERVICES_METHODS];
	struct lease_service_options access;
	struct lease_service *leases;
	struct rpc_health *health;
};

/* Names accepted by health checks. */
static const char *const service_names[] = { "virmgrpc.UserService",
	"virmgrpc.VersionService", "ipubox.v1.ControllerService",
	"ipubox.v1.LeaseService", NULL };

/* ---- the version ---- */

static void
version_take(struct rpc_call *call, const void *bytes, size_t size)
{
	const struct daemon *d = rpc_call_context(call);
	virmgrpc_VersionRequest request;
	virmgrpc_VersionReply reply = virmgrpc_VersionReply_init_zero;

	if (rpc_message_take(call, virmgrpc_VersionRequest_fields, bytes, size,
		&request) != 0)
		return;
	reply.version = xstrdup(d->versions.vipu != NULL ? d->versions.vipu :
							   IPUBOX_VERSION);
	rpc_message_reply(call, virmgrpc_VersionReply_fields, &reply);
	rpc_message_release(virmgrpc_VersionReply_fields, &reply);
}

/* ---- leases: a caller that sees a partition may lease its devices ---- */

/* Find a partition; one that the caller cannot see does not exist. */
static int
lease_find(struct daemon *d, const struct visible_name *name, struct error *e)
{
	const char *partition = name->reference.partition;
	struct snapshot seen;
	int status = 0;

	if (partition[0] == '\0')
		return 0;
	if (transaction_list_partitions(d->controller, true, &seen, e) != 0)
		return -1;
	if (visible_devices_find(&seen, partition, name->source, e) == -1)
		status = -1;
	snapshot_release(&seen);
	return status;
}

static int
lease_allows(void *owner, struct rpc_call *call,
    const struct visible_name *name, struct caller *caller, struct error *e)
{
	struct daemon *d = owner;
	struct identity id;

	if (daemon_identify(d, call, &id, e) != 0) {
		daemon_note_refusal(call, e);
		return -1;
	}
	*caller = id.caller;
	explicit_bzero(caller->key, sizeof(caller->key));
	return name == NULL ? 0 : lease_find(d, name, e);
}

static int
lease_admits(void *owner, const struct caller *caller, const char *partition,
    struct error *e)
{
	const struct daemon *d = owner;

	return login_recheck(d->controller, caller, partition, e);
}

static void
lease_note(void *owner, struct rpc_call *call, const char *text)
{
	char name[IDENTITY_TEXT_SIZE];

	daemon_name(owner, call, name);
	log_info("%s by %s", text, name);
}

/* ---- the table ---- */

struct services *
services_new(struct daemon *d)
{
	struct services *s = xcalloc(1, sizeof(*s));

	s->access = (struct lease_service_options){ .owner = d,
		.allows = lease_allows,
		.admits = lease_admits,
		.note = lease_note };
	s->methods[SERVICES_VERSION] =
	    (struct rpc_method){ .path = "/virmgrpc.VersionService/GetVersion",
		    .message_bytes = VERSION_BYTES,
		    .take = version_take,
		    .context = d };
	user_service_methods(d, &s->methods[SERVICES_USER]);
	controller_service_methods(d, &s->methods[SERVICES_CONTROLLER]);
	s->leases = d->leases = lease_service_new(&s->access);
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
