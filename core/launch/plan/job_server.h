/*
 * Which V-IPU controller a job asks.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_SERVER_H
#define CORE_LAUNCH_PLAN_JOB_SERVER_H

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/server.h"
#include "core/state/state.h"

struct launch_settings;
struct remote_hosts;

/* As a program is told of it, and as poprun asks it. */
struct job_server {
	char *host;
	const char *shown_host; /* as the instances are told */
	int port;
	char *origin; /* who names it */
	char port_text[8];
	struct server_request request; /* of these */
};

/*
 * --vipu-server-host, else IPUOF_VIPU_API_HOST, else what vipu is told, else
 * the pod of this host.  Where it does not answer the error says why.  It is to
 * be released, and lasts as long as the settings.
 */
int job_server_choose(const struct launch_settings *, struct job_server *,
    struct error *);
void job_server_release(struct job_server *);

/*
 * For instances on other hosts, which have to reach it over the network: one of
 * this host is at this address there.  Hosts that say that they share this
 * one's pod, or its network, find it as programs here do.  -1: it does not
 * listen at the address; `far` is one of the hosts.
 */
int job_server_show(struct job_server *, const char *address, const char *far,
    const struct remote_hosts *, struct error *);

/*
 * Set the variables that name this user and its key to a controller, as far as
 * vipu's files say them: other hosts need not have these files.
 */
int job_server_name_user(struct error *);

/*
 * Its controller, and what that shows, to be closed.  Which user asks, the
 * environment and vipu's files say.
 */
struct controller *job_server_open(const struct job_server *, struct error *);
int job_server_open_reader(const struct job_server *, struct registry *,
    struct error *);

#endif
