/*
 * The server's state: one thread, one loop, one embedded controller that acts
 * for the caller of each request.
 *
 * A service is a table of methods (vipu-server_internal.h) with the daemon as
 * context.  asking_take() admits a caller through daemon_identify(), or ends
 * the call.  The method uses the controller, and calls daemon_changed() after
 * a change.
 *
 * Read identity.h first; serve.c starts and ends the daemon.
 */
#ifndef APPLETS_VIPU_SERVER_DAEMON_H
#define APPLETS_VIPU_SERVER_DAEMON_H

#include <stdbool.h>
#include <stdint.h>

#include "applets/vipu-server/server_settings.h"
#include "applets/vipu-server/waiters.h"
#include "core/base/error.h"

struct lease_service;

/* A cached answer to ListPartitions, for callers that may see everything. */
struct list_reply {
	struct rpc_shared *bytes; /* NULL: none */
	uint32_t revision;	  /* the registry's, when encoded */
};

struct daemon {
	const struct server_settings *settings;
	struct rpc_server *rpc;
	struct controller *controller;
	struct registry registry; /* for reading; see daemon_registry() */
	struct versions versions; /* of the emulated release */
	struct state_paths paths;
	int lock;	       /* descriptor: exclusive use of the state */
	struct rpc_timer tick; /* next look for due events */
	struct waiters waiters;
	struct lease_service *leases;
	bool users_changed; /* since the last tick */
	struct list_reply list;
	struct key_ring keys;
};

/* Identify the caller, check its key, and let the controller act for it until
   the method returns.  -1: the caller must be refused; ERROR_UNAVAILABLE: there
   were too many wrong keys. */
int daemon_identify(struct daemon *, struct rpc_call *, struct identity *,
    struct error *);

/* Check a user's key that came from an address (link_address_origin()) without
   a call, and set *is_administrator.  -1 as above. */
int daemon_login(struct daemon *, const char *user, const char *key,
    uint64_t origin, bool *is_administrator, struct error *);

/* Write the caller's text for a log; its address alone if identity_read()
   refuses the caller.  Does not check the key. */
void daemon_name(const struct daemon *, const struct rpc_call *,
    char text[IDENTITY_TEXT_SIZE]);

/* Log a caller that was refused. */
void daemon_note_refusal(const struct rpc_call *, const struct error *);

/* Log a change, "create partition p by ann, 10.1.3.7:40312"; the format gives
   the part before "by".  The loop's next turn looks for due events. */
void daemon_changed(struct rpc_call *, const struct identity *, const char *,
    ...) __attribute__((format(printf, 3, 4)));

/* Drop the cached answer to ListPartitions. */
void daemon_forget_list(struct daemon *);

/* Return the current registry, for reading, valid until the next call; the
   daemon closes it.  NULL: the reason. */
struct registry *daemon_registry(struct daemon *, struct error *);

#endif
