/*
 * What the server is told: by its command line, else by its file.
 *
 *	[server]
 *	listen = 10.1.3.101:8090	; may stand several times
 *	insecure = no
 *	log = debug
 *	keep-alive = 30s
 *
 *	[access]
 *	administrators = ann,bob
 */
#ifndef APPLETS_VIPU_SERVER_SERVER_SETTINGS_H
#define APPLETS_VIPU_SERVER_SERVER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

enum {
	SERVER_LISTEN_MAX = 8,
	SERVER_HOST_SIZE = 64, /* a numeric address */
	SERVER_ADMINISTRATORS_SIZE = 2048
};

struct server_listen {
	char host[SERVER_HOST_SIZE];
	int port; /* 0: one that is free */
	bool is_loopback;
};

/* Zeroed, nothing is said: the command line fills it, then the file. */
struct server_settings {
	struct server_listen listen[SERVER_LISTEN_MAX];
	int listen_count;
	char administrators[SERVER_ADMINISTRATORS_SIZE];
	bool secure;   /* a pod that is not is refused */
	bool insecure; /* open to other hosts */
	bool debug;
	int64_t keep_alive_ms; /* who is silent for so long is asked, 0: not
				  said */
};

/* Add "ADDR", "ADDR:PORT", "[ADDR]:PORT" or ":PORT"; `what` names it. */
int server_settings_listen(struct server_settings *, const char *what,
    const char *text, struct error *);

/*
 * Read the file: NULL for /etc/vipu/vipu-server.ini, where there is one.  What
 * the command line has said stays; who may write the file may change the
 * server, so it must be root's or the caller's.
 */
int server_settings_read(struct server_settings *, const char *file,
    struct error *);

/* Fill in what nobody said, and check it. */
int server_settings_finish(struct server_settings *, struct error *);

#endif
