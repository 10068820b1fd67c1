/*
 * The parts of vipu-server that are started once, and its services.  A service
 * is rows of one table of methods; its functions get the daemon (daemon.h) as
 * their context.
 */
#ifndef APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H
#define APPLETS_VIPU_SERVER_VIPU_SERVER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_loop.h"
#include "core/state/paths.h"
#include "core/state/registry.h"
#include "core/state/snapshot.h"

struct daemon;
struct server_settings;
struct services;

/* Opens the state and serves it until a signal ends it.  0: it was stopped
   well. */
int	serve_run(const struct server_settings *, struct error *);

/*
 * vipu-server --init: makes the default pod and tells of it on stdout, with the first user and its
 * key where it is secure; `user` is that user's name, NULL: the caller's.
 * ERROR_EXISTS: there is a pod.
 */
int	storage_init(bool secure, const char *user, struct error *);

/*
 * From now on the state of this process is where it is now: nothing is read
 * from settings any more.
 */
int	places_pin(const struct state_paths *, struct error *);

/*
 * Confine this process (core/process/process.h), and say in the log what is in
 * force.  It writes below the state directory, the directories of the registry
 * and of its socket, and those that the IPUoF files of the pod's partitions
 * are in: whoever removes a partition that was made before removes its files.
 * It reads /etc, /proc and /dev as well.  What it listens at is open by now.
 */
int	places_confine(const struct registry *, struct error *);

/*
 * Logs a line for each partition that went between both looks, or that is in
 * another state: "remove partition p: its time is over".  now_ms is
 * CLOCK_REALTIME.
 */
void	clock_log_changes(const struct snapshot *before,
	    const struct snapshot *after, int64_t now_ms);

/* ---- services ---- */

enum {
	USER_SERVICE_METHODS = 7,	/* virmgrpc.UserService */
	CONTROLLER_SERVICE_METHODS = 14	/* ipubox.v1.ControllerService: what the
					   published contract has no word for */
};

/* Fill the rows of a service. */
void	user_service_methods(struct daemon *,
	    struct rpc_method [USER_SERVICE_METHODS]);
void	controller_service_methods(struct daemon *,
	    struct rpc_method [CONTROLLER_SERVICE_METHODS]);

/* All of them in one table.  The caller frees it after the server that has its
   methods. */
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
