/*
 * The V-IPU controller of a job.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_SERVER_H
#define CORE_LAUNCH_PLAN_JOB_SERVER_H

#include "core/server/server.h"

struct launch_settings;
struct remote_hosts;

/* The controller's address, as programs see it and as poprun connects to it. */
struct job_server {
	char *host;
	const char *shown_host; /* the name that the instances get */
	int port;
	char *origin; /* the option, variable or file that names it */
	char port_text[8];
	struct server_request request; /* refers to the members above */
};

/*
 * Choose the controller: --vipu-server-host, else IPUOF_VIPU_API_HOST, else
 * vipu's own settings, else this host's pod.  Connects to a server once, unless
 * the job is offline.  Returns 0, or -1 with the reason it cannot be used.  The
 * caller zeroes *server before, and releases it in any case.  The settings must
 * outlive *server.
 */
int job_server_choose(const struct launch_settings *, struct job_server *,
    struct error *);
void job_server_release(struct job_server *);

/*
 * Set the address for instances on other hosts, which reach a controller of
 * this host over the network, at `address` (not copied: it must stay valid).
 * Hosts that share this one's pod or network use the same address as programs
 * here.  Returns -1 if the controller does not listen at `address`; `far`, one
 * of the hosts, is for the error.
 */
int job_server_show(struct job_server *, const char *address, const char *far,
    const struct remote_hosts *, struct error *);

/* Set the variables that tell a controller this user and its key, as far as
   vipu's files have them: other hosts need not have these files. */
int job_server_name_user(struct error *);

/* Open the controller, or the registry that it shows, for reading; the caller
   closes it.  The user comes from the environment and vipu's files. */
struct controller *job_server_open(const struct job_server *, struct error *);
int job_server_open_reader(const struct job_server *, struct registry *,
    struct error *);

#endif
