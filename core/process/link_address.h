/*
 * Addresses of a listening link as texts that are passed to other processes:
 * "unix:PATH" on this host, "tcp:PORT:ADDRESS" (a numeric one) for other hosts.
 */
#ifndef CORE_PROCESS_LINK_ADDRESS_H
#define CORE_PROCESS_LINK_ADDRESS_H

#include <sys/socket.h>

#include <stdint.h>

#include "core/base/network.h"

/* Listen at a new socket `name` in a directory, which must be private to this
   user.  Returns a non-blocking, close-on-exec descriptor, or -1, also if the
   name exists.  *path is the socket's path without "unix:", which the caller
   removes and frees; NULL after -1. */
int link_address_listen(const char *directory, const char *name, char **path,
    struct error *);

/* Listen at a numeric address of this host and a port; 0: any free one.
   Returns a descriptor like the above, with the port in *bound.  -1:
   ERROR_INVALID, not a numeric address; ERROR_BUSY, the port is in use. */
int link_address_listen_tcp(const char *address, int port, int *bound,
    struct error *);

/* How other hosts reach this one: a numeric address of it, and the range of
   ports for listening; 0: any free port. */
struct link_reach {
	const char *address;
	int first_port, last_port;
	const struct network *only; /* link_hub.h refuses peers outside of it;
				       NULL: none is refused */
};

/* Listen in the same way at the first free port of the range; ignores `only`.
   -1: ERROR_BUSY, all are in use; or as above. */
int link_address_listen_reach(const struct link_reach *, int *bound,
    struct error *);

/* Connect to an address before the deadline (clock_monotonic_ms()).  Returns a
   blocking, close-on-exec descriptor, or -1: ERROR_INVALID, not an address;
   ERROR_UNAVAILABLE or ERROR_NOT_FOUND, no process listens; ERROR_TIMED_OUT. */
int link_address_connect(const char *address, int64_t deadline_ms,
    struct error *);

/* Connect in the same way to a unix socket's path of any length. */
int link_address_connect_path(const char *path, int64_t deadline_ms,
    struct error *);

/* Return a number for the place of the other end, by which limits are shared:
   its address (of IPv6 the first half, because a user may have the other), or
   for a unix socket its uid. */
uint64_t link_address_origin(int fd);

/* Get the numeric address of this end of a TCP connection; false: not TCP. */
enum { LINK_ADDRESS_HOST_SIZE = 64 };
bool link_address_own(int fd, char text[LINK_ADDRESS_HOST_SIZE]);

/* Make a TCP connection send without delay, and notice a silent loss of the
   other end: after this time the link ends with ERROR_TIMED_OUT.  Both ends
   must call it; link_address_connect() does. */
enum { LINK_ADDRESS_SILENCE_MS = 25 * 1000 };
void link_address_keep_alive(int fd);

/* An address with its port, for connecting to a host. */
enum { DIAL_TARGETS_MAX = 16 };
struct dial_target {
	struct sockaddr_storage address;
	socklen_t length;
};

/* Look up the addresses of a host: a numeric one at once, a name as this host
   resolves it before the deadline, of clock_monotonic_ms().  Returns their
   count, at least 1, or -1: ERROR_NOT_FOUND or ERROR_TIMED_OUT. */
int dial_look_up(const char *host, const char *port, int64_t deadline_ms,
    struct dial_target[DIAL_TARGETS_MAX], struct error *);

/*
 * Connect to all targets at once; the first connection wins.  Returns a
 * blocking, close-on-exec descriptor, which the caller closes.  -1:
 * ERROR_TIMED_OUT, or the last refusal, such as ERROR_UNAVAILABLE.
 */
int dial_connect(const struct dial_target *, int count, int64_t deadline_ms,
    struct error *);

#endif
