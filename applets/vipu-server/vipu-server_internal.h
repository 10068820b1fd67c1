/*
 * The parts of vipu-server that are started once, and its services.  A service
 * is rows of one table of methods; its functions get the daemon (daemon.h) as
 * their context.
 */
#ifndef APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H
#define APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_loop.h"

struct daemon;
struct server_settings;
struct services;

/* Opens the state and serves it until a signal ends it.  0: it was stopped
   well. */
int serve_run(const struct server_settings *, struct error *);

/* ---- services ---- */

enum {
	USER_SERVICE_METHODS = 7,	/* virmgrpc.UserService */
	CONTROLLER_SERVICE_METHODS = 14 /* ipubox.v1.ControllerService: what the
					   published contract has no word for */
};

/* Fill the rows of a service. */
void user_service_methods(struct daemon *,
    struct rpc_method[USER_SERVICE_METHODS]);
void controller_service_methods(struct daemon *,
    struct rpc_method[CONTROLLER_SERVICE_METHODS]);

/* All of them in one table.  The caller frees it after the server that has its
   methods. */
struct services *services_new(struct daemon *);
void services_free(struct services *);

/* The table, for as long as they live. */
const struct rpc_method *services_methods(const struct services *,
    size_t *count);

/* The loop of the server that has them, before it serves. */
void services_use(struct services *, struct rpc_loop *);

/* What health checks are told from now on. */
void services_set_serving(struct services *, bool);

#endif
