/*
 * Which version the server is of: anybody may ask.
 */
#include "applets/vipu-server/version_service.h"

#include <virmgrpc.pb.h>

#include "applets/vipu-server/daemon.h"
#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"

static void
version_take(struct rpc_call *call, const void *bytes, size_t size)
{
	const struct daemon	*d = rpc_call_context(call);
	virmgrpc_VersionRequest	 request;
	virmgrpc_VersionReply	 reply = virmgrpc_VersionReply_init_zero;

	if (rpc_message_take(call, virmgrpc_VersionRequest_fields, bytes,
	    size, &request) != 0)
		return;
	reply.version = xstrdup(d->versions.vipu != NULL ?
	    d->versions.vipu : IPUBOX_VERSION);
	rpc_message_reply(call, virmgrpc_VersionReply_fields, &reply);
	rpc_message_release(virmgrpc_VersionReply_fields, &reply);
}

void
version_service_methods(struct daemon *d,
    struct rpc_method rows[VERSION_SERVICE_METHODS])
{
	rows[0] = (struct rpc_method){
		.path = "/virmgrpc.VersionService/GetVersion",
		.take = version_take, .context = d
	};
}
