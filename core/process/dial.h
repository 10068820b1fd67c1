/*
 * A connection to a port of a host, within a time limit that holds for its
 * name as well.  Deadlines are of clock_monotonic_ms().
 */
#ifndef CORE_PROCESS_DIAL_H
#define CORE_PROCESS_DIAL_H

#include <sys/socket.h>

#include <stdint.h>

#include "core/base/error.h"

enum { DIAL_TARGETS_MAX = 16 };

/* One address with its port. */
struct dial_target {
	struct sockaddr_storage	address;
	socklen_t		length;
};

/*
 * The addresses of a host: of a number at once, of a name as this host
 * resolves it.  Their count, from 1 to DIAL_TARGETS_MAX, or -1:
 * ERROR_NOT_FOUND, the name cannot be resolved; ERROR_TIMED_OUT.
 */
int	dial_look_up(const char *host, const char *port, int64_t deadline_ms,
	    struct dial_target [DIAL_TARGETS_MAX], struct error *);

/*
 * Connect to all of them at once; the first that takes it counts.  A blocking
 * descriptor, close-on-exec, which the caller closes; or -1: ERROR_TIMED_OUT,
 * or the last refusal, such as ERROR_UNAVAILABLE, where all refused before.
 */
int	dial_connect(const struct dial_target *, int count,
	    int64_t deadline_ms, struct error *);

#endif
