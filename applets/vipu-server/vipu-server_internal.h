/*
 * The parts of vipu-server that are started once, and its services.  A service
 * is a set of rows in one table of methods; its functions get the daemon
 * (daemon.h) as their context.
 */
#ifndef APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H
#define APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H

#include "applets/vipu-server/daemon.h"
#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_loop.h"

struct daemon;
struct metrics;
struct server_settings;
struct services;

/* Open the state and serve it until a signal.  0: it stopped normally. */
int serve_run(const struct server_settings *, struct error *);

/* Listen for readers of metrics (vipu-server(8), METRICS) at the address of the
   daemon's settings, in its loop, which must exist.  NULL: the address cannot
   be used. */
struct metrics *metrics_start(struct daemon *, struct error *);
/* Stop listening and close all connections.  NULL is fine. */
void metrics_stop(struct metrics *);

/* ---- services ---- */

enum {
	USER_SERVICE_METHODS = 7,	/* virmgrpc.UserService */
	CONTROLLER_SERVICE_METHODS = 16 /* ipubox.v1.ControllerService: methods
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

/*
 * Methods as table rows: the type of the request, the required rights, and the
 * function that handles it.
 */

/* A request with its caller. */
struct asking {
	struct rpc_call *call;
	struct daemon *daemon;
	struct controller *controller; /* acts for the caller; borrowed */
	struct identity id;
};

struct asking_row {
	const char *path;
	const pb_msgdesc_t *type; /* type of the request */
	size_t size;		  /* size of its struct */
	bool administers;	  /* administrators only */
	/* Handle a request.  The request is freed afterwards.  0: the call is
	   answered, or waits (waiters.h); -1: asking_take() refuses it with the
	   error. */
	int (*act)(const struct asking *, const void *request, struct error *);
};

/* The row of a method of the service; nanopb gives its messages that prefix. */
#define ASKING_ROW(service, prefix, method, admin, function) \
	{ \
		"/" service "/" #method, prefix##_##method##Request_fields, \
		    sizeof(prefix##_##method##Request), admin, function \
	}

/* Admit the caller, decode the bytes and let the row of the call's method
   handle it, or end the call with the reason.  The method must be in a row. */
void asking_take(const struct asking_row *, struct rpc_call *,
    const void *bytes, size_t size);

/* Return a text of a message, or "" if it is NULL. */
const char *asking_text(const char *);

#endif
