/*
 * Making a controller one on a server, and which of the two backends it gets.
 */
#include "core/server/remote_open.h"

#include <bsd/string.h>
#include <health.pb.h>

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/control/controller_internal.h"
#include "core/server/remote.h"
#include "core/server/remote_ipubox.h"
#include "core/server/remote_virm.h"
#include "core/server/rpc/rpc_message.h"

/* 1: the server offers that service; 0: it does not, or does not tell. */
static int
remote_open_offers(struct controller *c, const char *service,
    int64_t timeout_ms, struct error *e)
{
	char					 name[64];
	grpc_health_v1_HealthCheckRequest	 request =
	    grpc_health_v1_HealthCheckRequest_init_zero;
	grpc_health_v1_HealthCheckResponse	 reply =
	    grpc_health_v1_HealthCheckResponse_init_zero;
	struct error				 reason;

	(void)strlcpy(name, service, sizeof(name));
	request.service = name;
	if (remote_ask_within(c, "/grpc.health.v1.Health/Check",
	    grpc_health_v1_HealthCheckRequest_fields, &request,
	    grpc_health_v1_HealthCheckResponse_fields, &reply, timeout_ms,
	    &reason) == 0) {
		rpc_message_release(grpc_health_v1_HealthCheckResponse_fields,
		    &reply);
		return 1;
	}
	if (reason.code != ERROR_UNAVAILABLE &&
	    reason.code != ERROR_TIMED_OUT)
		return 0;
	return rpc_client_unreachable(c->remote->where, reason.text, e);
}

int
remote_open(struct controller *c, struct rpc_client *client,
    const struct server_address *a, const struct caller *caller,
    int64_t timeout_ms, struct error *e)
{
	struct remote	*r = xcalloc(1, sizeof(*r));
	int		 offers;

	r->client = client;
	(void)server_address_text(a, r->where, sizeof(r->where));
	r->caller = *caller;
	caller_metadata_put(&r->caller, r->metadata);
	c->remote = r;
	c->admin = true;
	c->state.lock_fd = c->state.registry.fd = -1;
	offers = remote_open_offers(c, REMOTE_IPUBOX_SERVICE, timeout_ms, e);
	if (offers == -1) {
		free(r);
		c->remote = NULL;
		return -1;
	}
	c->backend = offers == 1 ? &remote_ipubox_backend :
	    &remote_virm_backend;
	return 0;
}
