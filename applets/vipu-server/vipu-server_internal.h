/*
 * The parts of vipu-server that are started once, and its services.  A service
 * is a set of rows in one table of methods; its functions get the daemon
 * (daemon.h) as their context.
 */
#ifndef APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H
#define APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H

#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_loop.h"

struct daemon;
struct server_settings;
struct services;

/* Open the state and serve it until a signal.  0: it stopped normally. */
int serve_run(const struct server_settings *, struct error *);

/* ---- services ---- */

enum {
	USER_SERVICE_METHODS = 7,	/* virmgrpc.UserService */
	CONTROLLER_SERVICE_METHODS = 15 /* ipubox.v1.ControllerService: methods
					   that the published contract lacks */
};

/* Fill the rows of a service. */
void user_service_methods(struct daemon *,
    struct rpc_method[USER_SERVICE_METHODS]);
void controller_service_methods(struct daemon *,
    struct rpc_method[CONTROLLER_SERVICE_METHODS]);

/* Create all services in one table.  The caller frees it after the server that
   uses its methods. */
struct services *services_new(struct daemon *);
void services_free(struct services *);

/* Return the table, valid as long as the services. */
const struct rpc_method *services_methods(const struct services *,
    size_t *count);

/* Attach the services to the server's loop; must precede serving. */
void services_use(struct services *, struct rpc_loop *);

/* Set the answer to health checks: true for SERVING. */
void services_set_serving(struct services *, bool);

#endif
