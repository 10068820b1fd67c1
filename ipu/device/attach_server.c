/*
 * Finding and calling the server of an attachment.
 */
#include "ipu/device/attach_server.h"

#include <stdio.h>
#include <string.h>

#include "core/control/control.h"

/* For the server of this host to answer. */
enum { LOCAL_MS = 10 * 1000 };

/* The server that owns the state of this host, if one runs. */
static int
connect_local(struct attach_server *s, struct error *e)
{
	struct rpc_client_options	o = { .connect_ms = LOCAL_MS };
	char				path[SERVER_SOCKET_PATH_SIZE];
	struct error			reason;
	int				fd;

	fd = server_socket_connect(LOCAL_MS, path, &reason);
	if (fd == -1)
		return reason.code == ERROR_NOT_FOUND ? 0 :
		    error_copy(e, &reason);
	o.path = path;
	(void)snprintf(s->name, sizeof(s->name), "%s", path);
	s->client = rpc_client_adopt(fd, &o, e);
	return s->client == NULL ? -1 : 0;
}

/* Over TCP it is told who asks, as V-IPU's commands are. */
static int
attach_server_name_caller(struct attach_server *s, struct error *e)
{
	struct config	config;

	if (config_read(&config, NULL, e) != 0 ||
	    config_caller(&config, &s->caller, e) != 0)
		return -1;
	server_put_caller(&s->caller, s->metadata);
	return 0;
}

/* The one that is named; where that means the pod of this host, as none. */
static int
connect_named(struct attach_server *s, const struct visible_name *name,
    struct error *e)
{
	const struct server_request	r = {
		.host = name->host, .port = name->port,
		.origin = name->origin != NULL ? name->origin : name->source,
		.timeout_ms = name->timeout_ms
	};
	struct server_address		a;

	if (attach_server_name_caller(s, e) != 0 ||
	    server_address_connect(&a, &r, &s->client, e) != 0)
		return -1;
	if (s->client != NULL)
		(void)server_address_text(&a, s->name, sizeof(s->name));
	else
		memset(s->metadata, 0, sizeof(s->metadata));
	return 0;
}

int
attach_server_connect(struct attach_server *s, const struct visible_name *name,
    struct error *e)
{
	memset(s, 0, sizeof(*s));
	if (name->host[0] != '\0' && connect_named(s, name, e) != 0)
		return -1;
	return s->client != NULL ? 0 : connect_local(s, e);
}
