/*
 * All services of the server in one table of methods.
 */
#ifndef APPLETS_VIPU_SERVER_SERVICES_H
#define APPLETS_VIPU_SERVER_SERVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/server/rpc/rpc.h"

struct daemon;
struct services;

/* With the daemon as the context of its own methods.  The caller frees it,
   behind the server that has its methods. */
struct services		*services_new(struct daemon *);
void			 services_free(struct services *);

/* The table, for as long as they live. */
const struct rpc_method	*services_methods(const struct services *,
			    size_t *count);

/* The loop of the server that has them, before it serves. */
void			 services_use(struct services *, struct rpc_loop *);

/* What health checks are told from now on. */
void			 services_set_serving(struct services *, bool);

#endif
