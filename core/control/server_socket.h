/*
 * The socket of a server that runs on this host and owns a state directory:
 * /run/ipubox/vipu.sock for /var/lib/ipubox, else vipu.sock beside the state.
 * Commands and programs on the host go there by themselves; the kernel says who
 * they are, so they need no key.
 */
#ifndef CORE_CONTROL_SERVER_SOCKET_H
#define CORE_CONTROL_SERVER_SOCKET_H

#include <stdint.h>

#include "core/base/error.h"

#define SERVER_SOCKET_NAME	"vipu.sock"

enum { SERVER_SOCKET_PATH_SIZE = 256 + 16 };

/* The directory of the socket that belongs to a state directory. */
const char	*server_socket_directory(const char *state_directory);

/*
 * Connect to the server of this process's state directory, and wait at most so
 * long; `path` is where it was looked for.  A descriptor, close-on-exec.  -1:
 * ERROR_NOT_FOUND, none runs, or this user may not reach it; ERROR_UNSAFE, it
 * is neither root's, nor the caller's, nor of who owns the directory;
 * ERROR_TIMED_OUT.
 */
int	server_socket_connect(int64_t timeout_ms,
	    char path[SERVER_SOCKET_PATH_SIZE], struct error *);

#endif
