/*
 * The V-IPU controller of a job: which one was named, and by whom.
 */
#include "applets/poprun/server.h"

#include <stdio.h>
#include <stdlib.h>

#include "applets/poprun/poprun_internal.h"
#include "applets/poprun/settings.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/control/config.h"
#include "core/control/server_address.h"

enum { SERVER_PORT_MAX = 65535 };

/* From the environment of a program that attaches, or vipu's own settings. */
static int
pick_up(struct server_request *r, struct config *config, struct error *e)
{
	const struct config_options	none = { .file = NULL };
	const char			*host = getenv("IPUOF_VIPU_API_HOST");

	if (host != NULL && *host != '\0') {
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

/* The port that was said, or the usual one. */
static int
server_port(const struct server_request *r, int *port, struct error *e)
{
	long long	number = SETTINGS_PORT;

	if (r->port != NULL && *r->port != '\0' && parse_number(r->origin,
	    r->port, 1, SERVER_PORT_MAX, &number, e) != 0)
		return -1;
	*port = (int)number;
	return 0;
}

int
server_choose(const struct poprun_settings *s, struct server *server,
    struct error *e)
{
	struct server_request	r = { .origin = "--vipu-server-host" };
	struct config		config;
	char			port[16];
	bool			picked_up = s->server_host == NULL;

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
	server->host = xstrdup(r.host != NULL && *r.host != '\0' ? r.host :
	    "local");
	if (picked_up)
		log_line(LOG_INFO, "V-IPU server address picked up from "
		    "'vipu': %s:%d", server->host, server->port);
	return s->offline ? 0 : server_address_require_local(&r, e);
}
