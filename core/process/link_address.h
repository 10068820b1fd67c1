/*
 * Where a link is listened for, as a text that others can be told:
 * "unix:PATH".
 */
#ifndef CORE_PROCESS_LINK_ADDRESS_H
#define CORE_PROCESS_LINK_ADDRESS_H

#include <stdint.h>

#include "core/base/error.h"

/*
 * Listen at `name` in a directory that is this user's alone.  A descriptor that
 * does not wait, close-on-exec, or -1.  *path is the socket's, which the caller
 * removes and frees.
 */
int	link_address_listen(const char *directory, const char *name,
	    char **path, struct error *);

/*
 * Connect to an address until the deadline (clock_monotonic_ms()).  A
 * descriptor, close-on-exec, or -1: ERROR_UNAVAILABLE or ERROR_NOT_FOUND where
 * nobody listens, ERROR_TIMED_OUT, ERROR_INVALID where it is not an address.
 */
int	link_address_connect(const char *address, int64_t deadline_ms,
	    struct error *);

/* The same for the path of a socket, however long that is. */
int	link_address_connect_path(const char *path, int64_t deadline_ms,
	    struct error *);

#endif
