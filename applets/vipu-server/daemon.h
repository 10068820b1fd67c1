/*
 * The server as a whole: one thread, one loop, one embedded controller that is
 * asked in the name of whoever calls.
 *
 * A service is a table of methods (asking.h) that gets the daemon as its
 * context.  asking_take() lets each caller in by daemon_identify(), or ends the
 * call; the method asks the controller, and calls daemon_changed() where it
 * changed something.
 *
 * Read identity.h first; serve.c starts and ends it.
 */
#ifndef APPLETS_VIPU_SERVER_DAEMON_H
#define APPLETS_VIPU_SERVER_DAEMON_H

#include "applets/vipu-server/identity.h"
#include "applets/vipu-server/server_settings.h"
#include "applets/vipu-server/waiters.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

/* An answer to ListPartitions that is asked for again and again: all of them,
   for those who see all. */
struct list_reply {
	struct rpc_shared *bytes; /* NULL: none */
	uint32_t revision;	  /* of the registry */
};

struct daemon {
	const struct server_settings *settings;
	struct rpc_server *rpc;
	struct controller *controller;
	struct registry registry; /* for looking */
	struct versions versions;
	struct state_paths paths;
	int lock; /* that the state is its own */
	struct rpc_timer tick;
	struct waiters waiters;
	struct list_reply list;
	struct key_ring keys;
};

/* Who calls; from now on the controller is asked in its name.  -1: the caller
   of this function refuses the call. */
int daemon_identify(struct daemon *, struct rpc_call *, struct identity *,
    struct error *);

/* Who calls, for a log; whether that is true was asked before. */
void daemon_name(const struct daemon *, const struct rpc_call *,
    char text[IDENTITY_TEXT_SIZE]);

/* The line of a caller who is not let in. */
void daemon_note_refusal(const struct rpc_call *, const struct error *);

/*
 * Something has changed: the line of it in the log, "create partition p by ann,
 * 10.1.3.7:40312", and what is due next is looked for.
 */
void daemon_changed(struct rpc_call *, const struct identity *, const char *,
    ...) __attribute__((format(printf, 3, 4)));

/* The kept answer is one no longer. */
void daemon_forget_list(struct daemon *);

/* The registry as it is now, for a look.  NULL: the reason. */
struct registry *daemon_registry(struct daemon *, struct error *);

#endif
