/*
 * Health checks.  A probe asks once, or watches on a stream that is kept.
 */
#include "core/server/rpc/rpc.h"

#include <bsd/sys/queue.h>
#include <health.pb.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/error.h"

enum { REQUEST_BYTES = 4096 }; /* a name */

/* A watching stream, of a known or unknown service. */
struct health_watcher {
	TAILQ_ENTRY(health_watcher) link;
	struct rpc_call *call;
	bool is_known;
};

struct rpc_health {
	const char *const *services;
	bool is_serving;
	TAILQ_HEAD(, health_watcher) watchers;
};

#define SERVING_STATUS(word) \
	grpc_health_v1_HealthCheckResponse_ServingStatus_##word

static bool
health_knows(const struct rpc_health *h, const char *service)
{
	const char *const *at;

	if (service[0] == '\0')
		return true;
	for (at = h->services; *at != NULL; at++)
		if (strcmp(*at, service) == 0)
			return true;
	return false;
}

static grpc_health_v1_HealthCheckResponse
health_answer(const struct rpc_health *h, bool is_known)
{
	return (grpc_health_v1_HealthCheckResponse){ .status = !is_known ?
		    SERVING_STATUS(SERVICE_UNKNOWN) :
		    h->is_serving ? SERVING_STATUS(SERVING) :
				    SERVING_STATUS(NOT_SERVING) };
}

/* Whether the request's service is known; -1: refused. */
static int
health_request(struct rpc_call *call, const void *bytes, size_t size)
{
	grpc_health_v1_HealthCheckRequest request;
	bool is_known;

	if (rpc_message_take(call, grpc_health_v1_HealthCheckRequest_fields,
		bytes, size, &request) != 0)
		return -1;
	is_known = health_knows(rpc_call_context(call),
	    request.service == NULL ? "" : request.service);
	rpc_message_release(grpc_health_v1_HealthCheckRequest_fields, &request);
	return is_known;
}

static void
health_check(struct rpc_call *call, const void *bytes, size_t size)
{
	const int is_known = health_request(call, bytes, size);
	grpc_health_v1_HealthCheckResponse answer;

	if (is_known == -1)
		return;
	answer = health_answer(rpc_call_context(call), is_known == 1);
	if (is_known == 0)
		rpc_call_finish(call, RPC_NOT_FOUND, "unknown service");
	else
		rpc_message_reply(call,
		    grpc_health_v1_HealthCheckResponse_fields, &answer);
}

static void
health_watch(struct rpc_call *call, const void *bytes, size_t size)
{
	struct rpc_health *h = rpc_call_context(call);
	struct health_watcher *w;
	grpc_health_v1_HealthCheckResponse answer;
	int is_known;

	if (rpc_call_data(call) != NULL) {
		/* Later messages of a watcher are ignored. */
		return;
	}
	is_known = health_request(call, bytes, size);
	if (is_known == -1)
		return;
	w = xcalloc(1, sizeof(*w));
	w->call = call;
	w->is_known = is_known == 1;
	TAILQ_INSERT_TAIL(&h->watchers, w, link);
	rpc_call_set_data(call, w);
	answer = health_answer(h, w->is_known);
	rpc_message_send(call, grpc_health_v1_HealthCheckResponse_fields,
	    &answer);
}

/* A watcher stays after it stops sending. */
static void
health_half_close(struct rpc_call *call)
{
	(void)call;
}

static void
health_end(struct rpc_call *call, enum rpc_end why)
{
	struct rpc_health *h = rpc_call_context(call);
	struct health_watcher *w = rpc_call_data(call);

	(void)why;
	if (w == NULL)
		return;
	TAILQ_REMOVE(&h->watchers, w, link);
	free(w);
}

struct rpc_health *
rpc_health_new(const char *const *services)
{
	struct rpc_health *h = xcalloc(1, sizeof(*h));

	h->services = services;
	h->is_serving = true;
	TAILQ_INIT(&h->watchers);
	return h;
}

void
rpc_health_free(struct rpc_health *h)
{
	free(h);
}

void
rpc_health_methods(struct rpc_health *h,
    struct rpc_method methods[RPC_HEALTH_METHODS])
{
	methods[0] =
	    (struct rpc_method){ .path = "/grpc.health.v1.Health/Check",
		    .message_bytes = REQUEST_BYTES,
		    .take = health_check,
		    .context = h };
	methods[1] =
	    (struct rpc_method){ .path = "/grpc.health.v1.Health/Watch",
		    .is_stream = true,
		    .is_watch = true,
		    .message_bytes = REQUEST_BYTES,
		    .take = health_watch,
		    .half_close = health_half_close,
		    .end = health_end,
		    .context = h };
}

void
rpc_health_set(struct rpc_health *h, bool is_serving)
{
	grpc_health_v1_HealthCheckResponse answer;
	struct health_watcher *w;

	if (h->is_serving == is_serving)
		return;
	h->is_serving = is_serving;
	TAILQ_FOREACH(w, &h->watchers, link) {
		if (!w->is_known)
			continue;
		answer = health_answer(h, true);
		rpc_message_send(w->call,
		    grpc_health_v1_HealthCheckResponse_fields, &answer);
	}
}
