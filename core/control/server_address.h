/*
 * Where the controller is: one rule for every address of a V-IPU server, as
 * `vipu --api-host`, `poprun --vipu-server-host` and IPUOF_VIPU_API_HOST.
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
#ifndef CORE_CONTROL_SERVER_ADDRESS_H
#define CORE_CONTROL_SERVER_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum {
	SERVER_ADDRESS_PORT = 8090,
	SERVER_ADDRESS_TIMEOUT_MS = 10000,	/* where nobody says other */
	/* Of a program, IPUOF_VIPU_API_TIMEOUT: the V-IPU guide 5.7. */
	SERVER_ADDRESS_PROGRAM_MS = 200 * 1000,
	SERVER_ADDRESS_HOST_SIZE = 256,
	SERVER_ADDRESS_TEXT_SIZE = SERVER_ADDRESS_HOST_SIZE + 16
};

enum server_place {
	SERVER_LOCAL,		/* the embedded controller */
	SERVER_REMOTE,		/* a server answers at host and port */
	SERVER_SILENT		/* none does, for the reason */
};

/* What was said. */
struct server_request {
	const char	*host, *port;	/* NULL or "": not said */
	const char	*origin;	/* who says the host: "--api-host" */
	const char	*emulate_hosts;	/* that option's value, or NULL: see
					   settings.h */
	int64_t		 timeout_ms;	/* 0: SERVER_ADDRESS_TIMEOUT_MS */
};

struct server_address {
	enum server_place	place;
	char			host[SERVER_ADDRESS_HOST_SIZE];	/* "local" */
	int			port;
	struct error		reason;		/* of SERVER_SILENT */
};

/* Whether it is one, without a look at it: as below. */
int	server_address_check(const struct server_request *, struct error *);

/*
 * Look where it is.  -1, ERROR_INVALID: a host or port that is not valid;
 * settings that are refused.
 */
int	server_address_look(struct server_address *,
	    const struct server_request *, struct error *);

/* HOST:PORT, an IPv6 address in brackets; the text is returned. */
const char	*server_address_text(const struct server_address *, char *text,
		    size_t size);

/*
 * The same, with the connection to a server that answers; NULL: the embedded
 * controller is meant.  A server that is silent, or does not speak gRPC, within
 * the time is refused in V-IPU's words, with the reason in a second line:
 * ERROR_TIMED_OUT.
 */
struct rpc_client;
int	server_address_connect(struct server_address *,
	    const struct server_request *, struct rpc_client **,
	    struct error *);

/*
 * For those who can ask the embedded controller only: refuse a server that is
 * silent, and one that answers as well (ERROR_UNSUPPORTED).
 */
int	server_address_require_local(const struct server_request *,
	    struct error *);

/* A server of the published contract has no such thing: -1,
   ERROR_UNSUPPORTED. */
int	server_address_lacks(const char *where, const char *what,
	    struct error *);

#endif
