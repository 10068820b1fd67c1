/*
 * Which V-IPU controller a job asks.
 */
#ifndef APPLETS_POPRUN_SERVER_H
#define APPLETS_POPRUN_SERVER_H

#include "core/base/error.h"

struct poprun_settings;

/* As a program is told of it. */
struct server {
	char	*host;
	int	 port;
};

/*
 * --vipu-server-host, else IPUOF_VIPU_API_HOST, else what vipu is told, else
 * the pod of this host.  host is to be freed.  Where it cannot be used from
 * here the error says why.
 */
int	server_choose(const struct poprun_settings *, struct server *,
	    struct error *);

#endif
