/*
 * Servers: controllers on a server (core/control/operations.h), the choice
 * between these and the embedded controller, server addresses, and the messages
 * between vipu-servers and clients (wire.h) over gRPC (core/server/rpc).
 *
 * Read server_open_controller() first, then remote.h.
 */
#ifndef CORE_SERVER_SERVER_H
#define CORE_SERVER_SERVER_H

#include "core/control/control.h"
#include "core/server/rpc/rpc.h"

struct rpc_client;

/*
 * Open the requested controller: on the named server, or on the one that owns
 * this host's state, which is then connected; else the embedded one.  If the
 * request or the caller is NULL, the environment and the configuration files
 * decide.  Errors as in server_address_connect(); the first request shows
 * whether a server admits the caller.  controller_close() ends it.
 */
struct controller *server_open_controller(const struct server_request *,
    const struct caller *, struct error *);
/* Do the same in two steps: server_open_remote() sets the controller to NULL
   where the embedded one is to be opened, and returns 0, or -1 with errors as
   above; server_open_here() then opens that. */
int server_open_remote(const struct server_request *, const struct caller *,
    struct controller **, struct error *);
struct controller *server_open_here(const struct caller *, struct error *);

/*
 * Open the registry for reading, as reader_open_of() for that controller.
 * server_open_registry() takes the server's address, which may mean this host's
 * pod: then its file or, if this user may not read that, its server's copy.
 * NULL: the commands' server (config.h).  server_open_view() shows what a
 * program here would see: the server in IPUOF_VIPU_API_HOST, else the commands'
 * server.
 */
int server_open_registry(const struct server_request *, struct registry *,
    struct error *);
int server_open_view(struct registry *, struct error *);

/* Set *ms to a program's time limit: IPUOF_VIPU_API_TIMEOUT, or else 200 s.
   -1: the variable is not a time. */
int server_program_timeout(int64_t *ms, struct error *);

/* ---- addresses ---- */

/*
 * The meaning of each V-IPU server address, as in `vipu --api-host`, `poprun
 * --vipu-server-host` and IPUOF_VIPU_API_HOST:
 *
 *	none, "local"			the embedded controller
 *	any, with emulated hosts	the embedded controller
 *	this host's own, port 8090,
 *	where no server listens		the embedded controller
 *	any other			HOST:PORT, which is dialled
 *	a socket, in all cases above	the server that listens there
 *
 * With `strict` in ipubox.conf the third row does not exist.
 *
 * This host's own are localhost, 127.0.0.0/8, ::1, its name, the addresses of
 * its interfaces, and names that resolve to one of them.  With emulated hosts
 * nothing is resolved or dialled.
 *
 * Source: the PopRun guide 2.7 and 2.10.1, the V-IPU guide 5.7.
 */
enum {
	SERVER_ADDRESS_PORT = 8090,
	SERVER_ADDRESS_TIMEOUT_MS = 10000, /* default */
	SERVER_ADDRESS_TEXT_SIZE = SERVER_ADDRESS_HOST_SIZE + 16,
	SERVER_ADDRESS_NOTE_SIZE = SERVER_ADDRESS_TEXT_SIZE + 80
};

enum server_place {
	SERVER_LOCAL,  /* the embedded controller */
	SERVER_REMOTE, /* a server answers at host and port */
	SERVER_SILENT  /* no server answers */
};

struct server_address {
	enum server_place place;
	bool is_assumed; /* SERVER_LOCAL only because no server listens there */
	char host[SERVER_ADDRESS_HOST_SIZE]; /* "local" for SERVER_LOCAL; a
						socket's path begins with '/' */
	int port;
	struct error reason; /* for SERVER_SILENT */
};

/* Check a request's host and port, and the settings, without dialling.  -1 as
   server_address_look(). */
int server_address_check(const struct server_request *, struct error *);

/* Find out where the controller is, by dialling within the request's time
   limit.  0: also SERVER_SILENT.  -1: an invalid host or port (ERROR_INVALID),
   or refused settings (other codes). */
int server_address_look(struct server_address *, const struct server_request *,
    struct error *);

/*
 * Write a note for the user if an option or a variable names a server of this
 * host, and the embedded pod is used because none listens there; else "".
 * Dials as server_address_look().  Returns the note.
 */
const char *server_address_note(const struct server_request *,
    char note[SERVER_ADDRESS_NOTE_SIZE]);

/* Write and return HOST:PORT, IPv6 in brackets; of a socket only its path. */
const char *server_address_text(const struct server_address *, char *text,
    size_t size);

/*
 * Find out where the controller is, and connect to a server; the caller closes
 * *client, which is NULL for the embedded controller and after -1.  -1: as
 * server_address_look(); or, in V-IPU's words with the reason in a second line,
 * ERROR_TIMED_OUT: no server answers, or it does not speak HTTP/2 in time.
 */
int server_address_connect(struct server_address *,
    const struct server_request *, struct rpc_client **, struct error *);

/* Return 0 if the address means the embedded controller.  -1: it means a server
   that does not answer (ERROR_TIMED_OUT) or one that does (ERROR_UNSUPPORTED);
   or as server_address_look(). */
int server_address_require_local(const struct server_request *, struct error *);

/* Set the error that the server at `where`, of the published contract, lacks
   `what`.  Returns -1, ERROR_UNSUPPORTED. */
int server_address_lacks(const char *where, const char *what, struct error *);

/* ---- the server of this host ---- */

/*
 * The server that owns a state directory listens on a socket of this host:
 * /run/ipubox/vipu.sock for /var/lib/ipubox, else vipu.sock beside the state.
 * Commands and programs of the host use it automatically.  The kernel tells the
 * server their uid, so they need no key.
 */
#define SERVER_SOCKET_NAME "vipu.sock"

enum { SERVER_SOCKET_PATH_SIZE = 256 + 16 };

/* Return the directory of the socket for a state directory. */
const char *server_socket_directory(const char *state_directory);

/*
 * Connect to the server of this process's state directory within timeout_ms,
 * also waiting for one that is just starting; `path` gets the socket's, also
 * after -1.  Returns a close-on-exec descriptor.  -1: ERROR_NOT_FOUND: it does
 * not run, or this user may not reach it; ERROR_UNSAFE: it is neither root's,
 * nor the caller's, nor the directory owner's; ERROR_TIMED_OUT.
 */
int server_socket_connect(int64_t timeout_ms,
    char path[SERVER_SOCKET_PATH_SIZE], struct error *);
/* The same for a client, which the caller closes.  NULL: the error is set, and
   names the process of a server that does not answer in time. */
struct rpc_client *server_socket_open(int64_t timeout_ms,
    char path[SERVER_SOCKET_PATH_SIZE], struct error *);
/* Connect to the server at that path, without waiting for one that starts.
   Returns a descriptor; -1, ERROR_UNSAFE: it runs as neither root, nor the
   caller, nor the owner of the path's directory. */
int server_socket_connect_path(const char *path, int64_t timeout_ms,
    struct error *);
/* Whether this user reaches a server of that state directory, which may be
   another than this process's; true also if it does not accept within 3 s.
   `path` gets the socket's in any case. */
bool server_socket_answers(const char *state_directory,
    char path[SERVER_SOCKET_PATH_SIZE]);
/* Write what gives this user the pod of another state directory whose server
   does not answer.  Returns the text. */
enum { SERVER_REMEDY_SIZE = 600 };
const char *server_socket_remedy(const char *state_directory,
    char text[SERVER_REMEDY_SIZE]);
/* If the error is ERROR_TIMED_OUT, append the server process, if any, of this
   process's state directory, and its remedy.  With `stopped`, only if that
   server is stopped (SIGSTOP). */
void server_socket_explain(bool stopped, struct error *);

/* Get rpc_server_shortage() of the state's server, over such a client; "":
   places are not short.  -1, with "": it cannot be asked. */
enum { SERVER_SHORTAGE_SIZE = 160 };
int server_shortage(struct rpc_client *, int64_t timeout_ms,
    char text[SERVER_SHORTAGE_SIZE], struct error *);

/* ---- the caller ---- */

/* Metadata that names the caller of a call over TCP.  The published contract of
   V-IPU does not define any; these names are ipubox's, see vipu-server(8). */
#define CALLER_METADATA_USER "ipubox-user"
#define CALLER_METADATA_KEY "ipubox-key"

enum { CALLER_METADATA_ROWS = 3 };

/* Fill the rows with the caller's user and key, if set, ending with a NULL
   name.  The rows point into the struct caller, which must live as long. */
void server_put_caller(const struct caller *,
    struct rpc_metadata_row rows[CALLER_METADATA_ROWS]);

#endif
