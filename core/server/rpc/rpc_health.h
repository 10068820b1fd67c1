/*
 * The service grpc.health.v1.Health: whether the server serves, for probes.
 *
 * Source: grpc.io, the health checking protocol; config/sdk/proto/health.proto.
 */
#ifndef CORE_SERVER_RPC_RPC_HEALTH_H
#define CORE_SERVER_RPC_RPC_HEALTH_H

#include <stdbool.h>

#include "core/server/rpc/rpc_call.h"

enum { RPC_HEALTH_METHODS = 2 };

struct rpc_health;

/*
 * For these services, whose list ends with NULL and is the caller's, and for
 * "", the whole server.  It serves from the beginning.
 */
struct rpc_health	*rpc_health_new(const char *const *services);
/* The server that has its methods is gone before.  NULL is fine. */
void	rpc_health_free(struct rpc_health *);

/* Fill rows of the table of methods. */
void	rpc_health_methods(struct rpc_health *,
	    struct rpc_method [RPC_HEALTH_METHODS]);

/* From now on all of them serve, or none; who watches learns it. */
void	rpc_health_set(struct rpc_health *, bool is_serving);

#endif
