/*
 * The embedded controller: the rules of core/pod over the state directory of
 * this host.  This is its opening and closing; each thing that it can be
 * asked for has a file of its own, which controller.h lists.
 */
#include "core/control/controller.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/control/backend.h"
#include "core/control/config.h"
#include "core/control/controller_internal.h"
#include "core/control/ipuof.h"
#include "core/control/lifecycle.h"
#include "core/control/server_socket.h"
#include "core/pod/pod.h"
#include "core/server/remote.h"
#include "core/server/remote_open.h"
#include "core/server/rpc/rpc_client.h"
#include "core/state/paths.h"
#include "core/state/settings.h"

void
controller_init(struct controller *c)
{
	memset(c, 0, sizeof(*c));
	c->now_ms = clock_real_ms;
	c->monotonic_ms = clock_monotonic_ms;
	c->sleep_ms = clock_sleep_ms;
	versions_guide(&c->versions);
}

/* Whom the environment and the files name. */
static int
default_caller(struct caller *caller, struct error *e)
{
	struct config	config;

	return config_read(&config, NULL, e) == 0 ?
	    config_caller(&config, caller, e) : -1;
}

struct controller *
controller_open_local(const struct caller *caller, struct error *e)
{
	struct controller	*c;
	struct caller		 named;

	if (caller == NULL && default_caller(&named, e) != 0)
		return NULL;
	c = xmalloc(sizeof(*c));
	controller_init(c);
	if (settings_emulate_sdk(NULL, &c->versions, NULL, e) == 0 &&
	    state_open(&c->state, e) == 0) {
		if (login_caller(c, caller != NULL ? caller : &named, e) == 0)
			return c;
		state_close(&c->state);
	}
	free(c);
	return NULL;
}

/* How long somebody waits for a server. */
static int64_t
look_timeout(const struct server_request *asked)
{
	return asked != NULL && asked->timeout_ms != 0 ? asked->timeout_ms :
	    SERVER_ADDRESS_TIMEOUT_MS;
}

/* The controller behind a connection, which it has from now on. */
static struct controller *
open_remote(struct rpc_client *client, const struct server_address *a,
    const struct caller *caller, int64_t timeout_ms, struct error *e)
{
	struct controller	*c = xmalloc(sizeof(*c));

	controller_init(c);
	if (settings_emulate_sdk(NULL, &c->versions, NULL, e) == 0 &&
	    remote_open(c, client, a, caller, timeout_ms, e) == 0)
		return c;
	rpc_client_close(client);
	free(c);
	return NULL;
}

/* What the environment and the files say of what is not said. */
static int
complete_request(struct server_request *request, struct caller *caller,
    const struct server_request *asked, const struct caller *named,
    struct config *config, struct error *e)
{
	if ((asked == NULL || named == NULL) &&
	    config_read(config, NULL, e) != 0)
		return -1;
	*request = asked != NULL ? *asked : config_server(config);
	if (named == NULL)
		return config_caller(config, caller, e);
	*caller = *named;
	return 0;
}

int
controller_look_named(const struct server_request *asked,
    const struct caller *named, struct controller **c, struct error *e)
{
	struct server_request	 request;
	struct server_address	 address;
	struct rpc_client	*client;
	struct config		 config;
	struct caller		 caller;

	*c = NULL;
	if (complete_request(&request, &caller, asked, named, &config, e) !=
	    0 || server_address_connect(&address, &request, &client, e) != 0)
		return -1;
	if (client == NULL)
		return 0;
	*c = open_remote(client, &address, &caller, look_timeout(&request), e);
	return *c != NULL ? 0 : -1;
}

/*
 * The server that owns the state of this host, if one runs.  The kernel tells
 * it who asks, unless a user is named.  -1: it runs, and cannot be asked.
 */
static int
look_at_socket(const struct caller *caller, int64_t timeout_ms,
    struct controller **c, struct error *e)
{
	struct server_address		 a = { .place = SERVER_REMOTE };
	char				 path[SERVER_SOCKET_PATH_SIZE];
	const struct rpc_client_options	 o = {
		.path = path, .connect_ms = timeout_ms
	};
	struct rpc_client		*client;
	struct error			 reason;
	int				 fd;

	fd = server_socket_connect(timeout_ms, path, &reason);
	if (fd == -1)
		return reason.code == ERROR_NOT_FOUND ? 0 :
		    error_copy(e, &reason);
	(void)strlcpy(a.host, path, sizeof(a.host));
	client = rpc_client_adopt(fd, &o, e);
	if (client == NULL)
		return -1;
	*c = open_remote(client, &a, caller, timeout_ms, e);
	return *c != NULL ? 0 : -1;
}

int
controller_look(const struct server_request *asked,
    const struct caller *named, struct controller **c, struct error *e)
{
	struct caller	caller;

	if (controller_look_named(asked, named, c, e) != 0)
		return -1;
	if (*c != NULL)
		return 0;
	if (named != NULL)
		caller = *named;
	else if (default_caller(&caller, e) != 0)
		return -1;
	return look_at_socket(&caller, look_timeout(asked), c, e);
}

struct controller *
controller_open(const struct server_request *asked,
    const struct caller *named, struct error *e)
{
	struct controller	*c;

	if (controller_look(asked, named, &c, e) != 0)
		return NULL;
	return c != NULL ? c : controller_open_local(named, e);
}

const char *
controller_where(const struct controller *c)
{
	return c->remote != NULL ? c->remote->where : NULL;
}

int
controller_version(struct controller *c,
    char version[CONTROLLER_VERSION_SIZE], struct error *e)
{
	return remote_version(c, version, CONTROLLER_VERSION_SIZE, e);
}

void
controller_close(struct controller *c)
{
	if (c == NULL)
		return;
	if (c->backend != NULL)
		c->backend->close(c);
	else
		state_close(&c->state);
	free(c);
}

int
controller_hold(struct controller *c, int fd, struct error *e)
{
	return remote_hold(c, fd, e);
}

void
controller_leave(struct controller *c)
{
	remote_leave(c);
	controller_close(c);
}

int
controller_append_place(const struct controller *c, struct error *e)
{
	return c->remote == NULL ? paths_append_place(e) :
	    error_append(e, "\n(server: %s)", c->remote->where);
}

void
controller_set_files(struct controller *c, const char *directory)
{
	if (c->remote != NULL)
		(void)strlcpy(c->remote->files, directory,
		    sizeof(c->remote->files));
}

const char *
controller_left(const struct controller *c)
{
	return c != NULL && c->left.text[0] != '\0' ? c->left.text : NULL;
}
