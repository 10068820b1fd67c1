/*
 * The server's settings, from its command line and its file (vipu-server(8)).
 */
#ifndef APPLETS_VIPU_SERVER_SERVER_SETTINGS_H
#define APPLETS_VIPU_SERVER_SERVER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

enum {
	SERVER_LISTEN_MAX = 8,
	SERVER_HOST_SIZE = 64, /* room for a numeric address */
	SERVER_ADMINISTRATORS_SIZE = 2048
};

struct server_listen {
	char host[SERVER_HOST_SIZE];
	int port; /* 0: any free port */
	bool is_loopback;
};

/* The caller zeroes it, sets the options of the command line, then calls
   _read() and _finish(). */
struct server_settings {
	struct server_listen listen[SERVER_LISTEN_MAX];
	int listen_count;
	struct server_listen metrics; /* address for HTTP; host "": none */
	/* User names, "ann,bob"; "": none. */
	char administrators[SERVER_ADMINISTRATORS_SIZE];
	bool secure;   /* do not start with a pod that is not secure */
	bool insecure; /* serve other hosts even if the pod is not secure */
	bool debug;    /* log = debug */
	int64_t keep_alive_ms; /* silence before a probe; 0: not set */
};

/* Add "ADDR", "ADDR:PORT", "[ADDR]:PORT" or ":PORT" (of 127.0.0.1); ADDR is
   numeric.  The default port is 8090.  `what` names the setting in the error.
   -1: it is invalid, or there are too many. */
int server_settings_listen(struct server_settings *, const char *what,
    const char *text, struct error *);

/* Set the address for metrics, which is written in the same way; the default
   port is 2112. */
int server_settings_metrics(struct server_settings *, const char *what,
    const char *text, struct error *);

/* Add the settings of the file; NULL: /etc/vipu/vipu-server.ini, if it
   exists.  The file's addresses count only if the command line has none.  -1,
   without a change: unreadable or invalid; or refused, because its owner
   controls the server: it must belong to root or this user, and only its
   owner may write it. */
int server_settings_read(struct server_settings *, const char *file,
    struct error *);

/* Listen on 127.0.0.1 if no address is set.  -1: secure and insecure are both
   set, or the administrators are not a list of user names. */
int server_settings_finish(struct server_settings *, struct error *);

#endif
