/*
 * Where a link is listened for, as a text that others can be told: "unix:PATH"
 * on this host, and for other hosts "tcp:PORT:ADDRESS", with an address in
 * numbers.
 */
#ifndef CORE_PROCESS_LINK_ADDRESS_H
#define CORE_PROCESS_LINK_ADDRESS_H

#include <sys/socket.h>

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

/*
 * Listen at `name` in a directory that is this user's alone.  A descriptor that
 * does not wait, close-on-exec, or -1.  *path is the socket's, which the caller
 * removes and frees.
 */
int link_address_listen(const char *directory, const char *name, char **path,
    struct error *);

/*
 * Listen at an address of this host, in numbers, and the port; 0: one that is
 * free.  The same descriptor; *bound is the port.  -1: ERROR_INVALID, it is no
 * such address; ERROR_BUSY, another program listens there.
 */
int link_address_listen_tcp(const char *address, int port, int *bound,
    struct error *);

/* Where other hosts find this one: an address of it, in numbers, and the first
   and the last port that may be listened at; 0: any that is free. */
struct link_reach {
	const char *address;
	int first_port, last_port;
};

/* The same at the first port that no other program has. */
int link_address_listen_reach(const struct link_reach *, int *bound,
    struct error *);

/*
 * Connect to an address until the deadline (clock_monotonic_ms()).  A
 * descriptor, close-on-exec, or -1: ERROR_UNAVAILABLE or ERROR_NOT_FOUND where
 * nobody listens, ERROR_TIMED_OUT, ERROR_INVALID where it is not an address.
 */
int link_address_connect(const char *address, int64_t deadline_ms,
    struct error *);

/* The same for the path of a socket, however long that is. */
int link_address_connect_path(const char *path, int64_t deadline_ms,
    struct error *);

/* The address of this end of a connection to another host, in numbers.  False:
   it is one on this host. */
enum { LINK_ADDRESS_HOST_SIZE = 64 };
bool link_address_own(int fd, char text[LINK_ADDRESS_HOST_SIZE]);

/*
 * Of a connection to another host, both ends: one that goes without a word is
 * found after so long, and the link ends with ERROR_TIMED_OUT.
 */
enum { LINK_ADDRESS_SILENCE_MS = 25 * 1000 };
void link_address_keep_alive(int fd);

/*
 * A connection to a port of a host, within a time limit that holds for its name
 * as well.  An address with its port:
 */
enum { DIAL_TARGETS_MAX = 16 };
struct dial_target {
	struct sockaddr_storage address;
	socklen_t length;
};

/*
 * The addresses of a host: of a number at once, of a name as this host
 * resolves it.  Their count, from 1 to DIAL_TARGETS_MAX, or -1:
 * ERROR_NOT_FOUND, the name cannot be resolved; ERROR_TIMED_OUT.
 */
int dial_look_up(const char *host, const char *port, int64_t deadline_ms,
    struct dial_target[DIAL_TARGETS_MAX], struct error *);

/*
 * Connect to all of them at once; the first that takes it counts.  A blocking
 * descriptor, close-on-exec, which the caller closes; or -1: ERROR_TIMED_OUT,
 * or the last refusal, such as ERROR_UNAVAILABLE, where all refused before.
 */
int dial_connect(const struct dial_target *, int count, int64_t deadline_ms,
    struct error *);

#endif
