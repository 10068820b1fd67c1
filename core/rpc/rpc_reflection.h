/*
 * The service ServerReflection of grpc.reflection.v1 and v1alpha: what the
 * server offers, for explorers such as grpcurl.  It tells the files of
 * config/sdk/proto, which the program carries.
 *
 * Source: grpc.github.io, the server reflection protocol.
 */
#ifndef CORE_RPC_RPC_REFLECTION_H
#define CORE_RPC_RPC_REFLECTION_H

#include <stddef.h>

#include "core/rpc/rpc_call.h"

enum { RPC_REFLECTION_METHODS = 2 };

/* What it tells of: all methods of the server, and it keeps them. */
struct rpc_reflection {
	const struct rpc_method	*methods;
	size_t			 count;
};

/* Fill rows of the table of methods; those of a service stand together. */
void	rpc_reflection_methods(struct rpc_reflection *,
	    struct rpc_method [RPC_REFLECTION_METHODS]);

#endif
