/*
 * The V-IPU controller of a job: which one was named, and where.
 */
#include "core/launch/plan/job_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/network.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/launch/plan/launch_settings.h"
#include "core/launch/plan/plan.h"
#include "core/server/server.h"

enum { SETTINGS_PORT = 8090 }; /* default, of a V-IPU server */

enum { SERVER_PORT_MAX = 65535 };

/* Use the variables of a program that attaches, or vipu's own settings. */
static int
pick_up(struct server_request *r, struct config *config, struct error *e)
{
	const struct config_options none = { .file = NULL };
	const char *host = variable_get("IPUOF_VIPU_API_HOST");

	if (host != NULL) {
		r->host = host;
		r->port = getenv("IPUOF_VIPU_API_PORT");
		r->origin = "IPUOF_VIPU_API_HOST";
		return 0;
	}
	if (config_read(config, &none, e) != 0)
		return -1;
	*r = config_server(config);
	return 0;
}

/* Return the given port, or the default. */
static int
server_port(const struct server_request *r, int *port, struct error *e)
{
	long long number = SETTINGS_PORT;

	if (r->port != NULL && *r->port != '\0' &&
	    parse_number(r->origin, r->port, 1, SERVER_PORT_MAX, &number, e) !=
		0)
		return -1;
	*port = (int)number;
	return 0;
}

/* Check that it answers; this host's pod is examined when it is used. */
static int
server_check(struct job_server *s, struct error *e)
{
	struct controller *c;
	char note[SERVER_ADDRESS_NOTE_SIZE];

	if (server_open_remote(&s->request, NULL, &c, e) != 0)
		return -1;
	if (c == NULL && server_address_note(&s->request, note)[0] != '\0')
		job_log_line(LOG_WARN, "%s", note);
	s->is_here = c == NULL;
	controller_close(c);
	return 0;
}

int
job_server_choose(const struct launch_settings *s, struct job_server *server,
    struct error *e)
{
	struct server_request r = { .origin = "--vipu-server-host" };
	struct config config;
	char port[16];
	bool picked_up = s->server_host == NULL;

	if (!picked_up)
		r.host = s->server_host;
	else if (pick_up(&r, &config, e) != 0)
		return -1;
	if (s->server_port != 0) {
		(void)snprintf(port, sizeof(port), "%d", s->server_port);
		r.port = port;
	}
	r.emulate_hosts = s->emulate_hosts;
	r.timeout_ms = (int64_t)s->server_timeout_s * 1000;
	if (server_port(&r, &server->port, e) != 0)
		return -1;
	picked_up = picked_up && r.host != NULL && *r.host != '\0';
	server->host =
	    xstrdup(r.host != NULL && *r.host != '\0' ? r.host : "local");
	server->origin = xstrdup(r.origin);
	(void)snprintf(server->port_text, sizeof(server->port_text), "%d",
	    server->port);
	r.host = server->shown_host = server->host;
	r.origin = server->origin;
	r.port = server->port_text;
	server->request = r;
	if (picked_up)
		job_log_line(LOG_INFO,
		    "V-IPU server address picked up from 'vipu': %s:%d",
		    server->host, server->port);
	return s->offline ? 0 : server_check(server, e);
}

/* Show the address that programs on this host use.  A pod may have a special
   name for the host; an address and "localhost" mean the same in it. */
static bool
server_show_own(struct job_server *s, const struct remote_hosts *h)
{
	struct server_address a;

	if ((!h->share_pod && !h->share_network) ||
	    server_address_look(&a, &s->request, NULL) != 0)
		return false;
	if (a.place == SERVER_LOCAL && h->share_pod)
		s->shown_host = "local";
	else if (a.place == SERVER_REMOTE && h->share_network)
		s->shown_host = own_host_has_name(s->host) ?
		    "localhost" :
		    s->host;
	else
		return false;
	return true;
}

int
job_server_show(struct job_server *s, const char *address, const char *far,
    const struct remote_hosts *h, struct error *e)
{
	struct server_request r = s->request;
	struct server_address a;

	if ((strcmp(s->host, "local") != 0 && !own_host_is(s->host)) ||
	    server_show_own(s, h))
		return 0;
	r.host = address;
	r.origin = "the address of this host";
	if (server_address_look(&a, &r, e) != 0)
		return -1;
	if (a.place != SERVER_REMOTE)
		return error_set(e,
		    "the instances on %s cannot reach the V-IPU controller of "
		    "this machine: let vipu-server listen at %s:%d (--listen), "
		    "or use --offline-mode yes",
		    far, address, s->port);
	s->shown_host = address;
	return 0;
}

int
job_server_name_user(struct error *e)
{
	static const int keys[] = { CONFIG_USER_ID, CONFIG_ACCESS_KEY };
	const struct config_options none = { .file = NULL };
	struct config config;
	size_t i;
	int status = config_read(&config, &none, e);

	for (i = 0; i < ARRAY_SIZE(keys) && status == 0; i++)
		if (config.values[keys[i]][0] != '\0')
			(void)setenv(config_variable(keys[i]),
			    config.values[keys[i]], 1);
	explicit_bzero(&config, sizeof(config));
	return status;
}

void
job_server_release(struct job_server *s)
{
	free(s->host);
	free(s->origin);
	s->host = s->origin = NULL;
}

struct controller *
job_server_open(const struct job_server *s, struct error *e)
{
	struct controller *c = s->is_here ? server_open_here(NULL, e) : NULL;

	/* A server may have started since. */
	return c != NULL ? c : server_open_controller(&s->request, NULL, e);
}

int
job_server_open_reader(const struct job_server *s, struct registry *r,
    struct error *e)
{
	return server_open_registry(&s->request, r, e);
}
