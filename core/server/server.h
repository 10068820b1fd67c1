/*
 * Servers: controllers on a server (core/control/control.h has what they are
 * asked for), and the choice between one of them and the embedded controller;
 * where a server is; and what a vipu-server and its clients tell each other
 * (wire.h), over gRPC (core/server/rpc).
 *
 * Read server_open_controller() first, then remote.h.
 */
#ifndef CORE_SERVER_SERVER_H
#define CORE_SERVER_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

struct rpc_client;

/*
 * Opens the controller that is asked for: the one on the server that is named
 * or that has the state of this host, to which it is connected; else the
 * embedded one.  NULL: as the environment and the configuration files say.
 * Errors as of server_address_connect(); whether a server lets the caller in
 * shows with the first thing that it is asked for.  The caller closes it.
 */
struct controller *server_open_controller(const struct server_request *,
    const struct caller *, struct error *);
/* The same, with NULL in place of the embedded one: 0; -1 as above.
   server_open_named() ignores the server that has the state of this host. */
int server_open_remote(const struct server_request *, const struct caller *,
    struct controller **, struct error *);
int server_open_named(const struct server_request *, const struct caller *,
    struct controller **, struct error *);

/*
 * Open the registry to read it, as reader_open_of() the controller:
 * server_open_registry() of the server at that address, which may mean the pod
 * of this host; NULL: of the commands' server (config.h).
 * server_open_view() is for programs that show what a program here would see:
 * of the server in IPUOF_VIPU_API_HOST, else the commands' server.
 */
int server_open_registry(const struct server_request *, struct registry *,
    struct error *);
int server_open_view(struct registry *, struct error *);

/* How long a program waits for a server: IPUOF_VIPU_API_TIMEOUT, or 200 s. */
int server_program_timeout(int64_t *ms, struct error *);

/* ---- where the controller is ---- */

/*
 * One rule holds for every address of a V-IPU server, as `vipu --api-host`,
 * `poprun --vipu-server-host` and IPUOF_VIPU_API_HOST:
 *
 *	none, "local"			the embedded controller
 *	any, with emulated hosts	the embedded controller
 *	this host's own, port 8090,
 *	where no server listens		the embedded controller
 *	any other			HOST:PORT, which is dialled
 *
 * This host's own are localhost, 127.0.0.0/8, ::1, its name, the addresses of
 * its interfaces, and names that are resolved to one of them.  Where hosts are
 * emulated nothing is resolved or dialled.
 *
 * Source: the PopRun guide 2.7 and 2.10.1, the V-IPU guide 5.7.
 */
enum {
	SERVER_ADDRESS_PORT = 8090,
	SERVER_ADDRESS_TIMEOUT_MS = 10000, /* where nobody says other */
	/* Of a program, IPUOF_VIPU_API_TIMEOUT: the V-IPU guide 5.7. */
	SERVER_ADDRESS_PROGRAM_MS = 200 * 1000,
	SERVER_ADDRESS_TEXT_SIZE = SERVER_ADDRESS_HOST_SIZE + 16
};

enum server_place {
	SERVER_LOCAL,  /* the embedded controller */
	SERVER_REMOTE, /* a server answers at host and port */
	SERVER_SILENT  /* none does, for the reason */
};

struct server_address {
	enum server_place place;
	char host[SERVER_ADDRESS_HOST_SIZE]; /* "local" */
	int port;
	struct error reason; /* of SERVER_SILENT */
};

/* Checks host and port of a request, and the settings, as
   server_address_look(); nothing is dialled. */
int server_address_check(const struct server_request *, struct error *);

/*
 * Look where it is.  -1, ERROR_INVALID: a host or port that is not valid;
 * settings that are refused.
 */
int server_address_look(struct server_address *, const struct server_request *,
    struct error *);

/* HOST:PORT, an IPv6 address in brackets; the text is returned. */
const char *server_address_text(const struct server_address *, char *text,
    size_t size);

/*
 * Looks where it is, and keeps the connection to a server that answers; NULL:
 * the embedded controller is meant.  A server that is silent, or does not speak
 * gRPC, within the time is refused in V-IPU's words, with the reason in a
 * second line: ERROR_TIMED_OUT.
 */
int server_address_connect(struct server_address *,
    const struct server_request *, struct rpc_client **, struct error *);

/*
 * Refuses every server, for callers that can ask the embedded controller only:
 * one that is silent, and one that answers as well (ERROR_UNSUPPORTED).
 */
int server_address_require_local(const struct server_request *, struct error *);

/* A server of the published contract has no such thing: -1,
   ERROR_UNSUPPORTED. */
int server_address_lacks(const char *where, const char *what, struct error *);

/* ---- the server of this host ---- */

/*
 * A server that owns a state directory listens on a socket of this host:
 * /run/ipubox/vipu.sock for /var/lib/ipubox, else vipu.sock beside the state.
 * Commands and programs on the host go there by themselves; the kernel tells
 * the server their uid, so they need no key.
 */
#define SERVER_SOCKET_NAME "vipu.sock"

enum { SERVER_SOCKET_PATH_SIZE = 256 + 16 };

/* The directory of the socket that belongs to a state directory. */
const char *server_socket_directory(const char *state_directory);

/*
 * Connect to the server of this process's state directory, and wait at most so
 * long; `path` is where it was looked for.  A descriptor, close-on-exec.  -1:
 * ERROR_NOT_FOUND, none runs, or this user may not reach it; ERROR_UNSAFE, it
 * is neither root's, nor the caller's, nor of who owns the directory;
 * ERROR_TIMED_OUT.
 */
int server_socket_connect(int64_t timeout_ms,
    char path[SERVER_SOCKET_PATH_SIZE], struct error *);

/* ---- the caller ---- */

/*
 * How a call over TCP names its caller.  The published contract of V-IPU does
 * not say how user id and access key travel; these names are those of ipubox,
 * see vipu-server(8).
 */
#define CALLER_METADATA_USER "ipubox-user"
#define CALLER_METADATA_KEY "ipubox-key"

enum { CALLER_METADATA_ROWS = 3 };

/*
 * Fills the rows with the caller's user and key, at most; a NULL name ends
 * them.  The texts stay the caller's, which has to live as long.
 */
void server_put_caller(const struct caller *,
    struct rpc_metadata_row rows[CALLER_METADATA_ROWS]);

#endif
