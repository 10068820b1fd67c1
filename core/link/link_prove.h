/*
 * A connection whose ends prove to each other that they know a secret, as those
 * of a link, and on which something else goes on afterwards.
 */
#ifndef CORE_LINK_LINK_PROVE_H
#define CORE_LINK_LINK_PROVE_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/link/link.h"

/*
 * Prove it by the deadline (clock_monotonic_ms()).  The process says who it is;
 * its number comes back in *instance at the other end, which gives -1.  The
 * same connection, from which nothing behind the proof was read, or -1; the
 * descriptor that was given is closed.
 */
int	link_prove(int fd, enum link_side, const unsigned char *secret,
	    int *instance, int64_t deadline_ms, struct error *);

#endif
