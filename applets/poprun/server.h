/*
 * Which V-IPU controller a job asks.
 */
#ifndef APPLETS_POPRUN_SERVER_H
#define APPLETS_POPRUN_SERVER_H

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/server.h"
#include "core/state/state.h"

struct poprun_settings;
struct remote_hosts;

/* As a program is told of it, and as poprun asks it. */
struct server {
	char			*host;
	const char		*shown_host;	/* as the instances are told */
	int			 port;
	char			*origin;	/* who names it */
	char			 port_text[8];
	struct server_request	 request;	/* of these */
};

/*
 * --vipu-server-host, else IPUOF_VIPU_API_HOST, else what vipu is told, else
 * the pod of this host.  Where it does not answer the error says why.  It is to
 * be released, and lasts as long as the settings.
 */
int	server_choose(const struct poprun_settings *, struct server *,
	    struct error *);
void	server_release(struct server *);

/*
 * For instances on other hosts, which have to reach it over the network: one of
 * this host is at this address there.  Hosts that say that they share this
 * one's pod, or its network, find it as programs here do.  -1: it does not
 * listen at the address; `far` is one of the hosts.
 */
int	server_show(struct server *, const char *address, const char *far,
	    const struct remote_hosts *, struct error *);

/*
 * Set the variables that name this user and its key to a controller, as far as
 * vipu's files say them: other hosts need not have these files.
 */
int	server_name_user(struct error *);

/*
 * Its controller, and what that shows, to be closed.  Which user asks, the
 * environment and vipu's files say.
 */
struct controller	*server_open(const struct server *, struct error *);
int			 server_open_reader(const struct server *,
			    struct registry *, struct error *);

#endif
