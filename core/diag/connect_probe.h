/*
 * Whether a controller on another host answers, within a time limit that
 * holds for its name as well.
 */
#ifndef CORE_DIAG_CONNECT_PROBE_H
#define CORE_DIAG_CONNECT_PROBE_H

#include "core/base/error.h"

/* 0: it takes a connection on the port; -1 and the reason. */
int	connect_probe_host(const char *host, const char *port, int timeout_ms,
	    struct error *);

#endif
