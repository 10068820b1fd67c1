/*
 * Choosing and opening the embedded controller or one on a server, and opening
 * the registry of either.
 */
#include "core/server/server.h"

#include <bsd/string.h>
#include <health.pb.h>
#include <ipubox_v1.pb.h>

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/control/control.h"
#include "core/server/remote.h"
#include "core/server/rpc/rpc.h"
#include "core/slurm/slurm.h"
#include "core/state/state.h"

/* Default of a program, IPUOF_VIPU_API_TIMEOUT: the V-IPU guide 5.7. */
enum { SERVER_ADDRESS_PROGRAM_MS = 200 * 1000 };

void
server_put_caller(const struct caller *c,
    struct rpc_metadata_row rows[CALLER_METADATA_ROWS])
{
	int n = 0;

	memset(rows, 0, CALLER_METADATA_ROWS * sizeof(*rows));
	if (c->user[0] != '\0')
		rows[n++] = (struct rpc_metadata_row){ CALLER_METADATA_USER,
			c->user };
	if (c->key[0] != '\0')
		rows[n++] = (struct rpc_metadata_row){ CALLER_METADATA_KEY,
			c->key };
}

static int64_t
timeout_of(const struct server_request *asked)
{
	return asked != NULL && asked->timeout_ms != 0 ?
	    asked->timeout_ms :
	    SERVER_ADDRESS_TIMEOUT_MS;
}

/* 1: the server is a vipu-server; 0: it is not, or does not say so. */
static int
has_own_service(struct controller *c, int64_t timeout_ms, struct error *e)
{
	char name[] = REMOTE_IPUBOX_SERVICE;
	grpc_health_v1_HealthCheckRequest request = { .service = name };
	grpc_health_v1_HealthCheckResponse reply =
	    grpc_health_v1_HealthCheckResponse_init_zero;
	struct error reason;

	if (remote_ask_within(c, "/grpc.health.v1.Health/Check",
		grpc_health_v1_HealthCheckRequest_fields, &request,
		grpc_health_v1_HealthCheckResponse_fields, &reply, timeout_ms,
		&reason) == 0) {
		rpc_message_release(grpc_health_v1_HealthCheckResponse_fields,
		    &reply);
		return 1;
	}
	if (reason.code != ERROR_UNAVAILABLE && reason.code != ERROR_TIMED_OUT)
		return 0;
	return rpc_client_unreachable(c->where, reason.text, e);
}

/* Make the controller on a server, which takes over the connection. */
static struct controller *
open_remote(struct rpc_client *client, const struct server_address *a,
    const struct caller *caller, int64_t timeout_ms, struct error *e)
{
	struct controller *c = xmalloc(sizeof(*c));
	struct remote *r = xcalloc(1, sizeof(*r));
	int own = -1;

	r->client = client;
	(void)server_address_text(a, r->where, sizeof(r->where));
	r->caller = *caller;
	server_put_caller(&r->caller, r->metadata);
	controller_init(c);
	c->remote = r;
	c->where = r->where;
	c->admin = true;
	if (settings_emulate_sdk(NULL, &c->versions, NULL, e) == 0)
		own = has_own_service(c, timeout_ms, e);
	if (own == -1) {
		remote_close(c);
		free(c);
		return NULL;
	}
	c->operations = own == 1 ? &remote_ipubox_operations :
				   &remote_virm_operations;
	return c;
}

/* Complete both from the environment and the configuration files. */
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

/* Open the requested controller on the named server; NULL also where the server
   that owns this host's state would be used, which gets the same caller. */
static int
server_open_named(const struct server_request *asked,
    const struct caller *named, struct caller *caller, struct controller **c,
    struct error *e)
{
	struct server_request request;
	struct server_address address;
	struct rpc_client *client;
	struct config config;

	*c = NULL;
	if (complete_request(&request, caller, asked, named, &config, e) != 0 ||
	    server_address_connect(&address, &request, &client, e) != 0)
		return -1;
	if (client == NULL)
		return 0;
	*c = open_remote(client, &address, caller, timeout_of(&request), e);
	return *c != NULL ? 0 : -1;
}

/*
 * Connect to the server that owns this host's state, if it runs.  The kernel
 * tells it the caller's uid, unless a user is named.  -1: it runs, but cannot
 * be asked.
 */
static int
look_at_socket(const struct caller *caller, int64_t timeout_ms,
    struct controller **c, struct error *e)
{
	struct server_address a = { .place = SERVER_REMOTE };
	char path[SERVER_SOCKET_PATH_SIZE];
	struct rpc_client *client;
	struct error reason;

	client = server_socket_open(timeout_ms, path, &reason);
	if (client == NULL)
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	(void)strlcpy(a.host, path, sizeof(a.host));
	*c = open_remote(client, &a, caller, timeout_ms, e);
	return *c != NULL ? 0 : -1;
}

int
server_open_remote(const struct server_request *asked,
    const struct caller *named, struct controller **c, struct error *e)
{
	struct caller caller;

	if (server_open_named(asked, named, &caller, c, e) != 0)
		return -1;
	return *c != NULL ? 0 :
			    look_at_socket(&caller, timeout_of(asked), c, e);
}

struct controller *
server_open_here(const struct caller *named, struct error *e)
{
	struct controller *c = embedded_controller_open(named, e);

	if (c != NULL)
		slurm_sweep_if_due(c);
	return c;
}

struct controller *
server_open_controller(const struct server_request *asked,
    const struct caller *named, struct error *e)
{
	struct controller *c;

	if (server_open_remote(asked, named, &c, e) != 0)
		return NULL;
	return c != NULL ? c : server_open_here(named, e);
}

/* ---- the registry ---- */

int
server_program_timeout(int64_t *ms, struct error *e)
{
	const char *timeout = variable_get("IPUOF_VIPU_API_TIMEOUT");

	*ms = SERVER_ADDRESS_PROGRAM_MS;
	return timeout == NULL ?
	    0 :
	    parse_duration("IPUOF_VIPU_API_TIMEOUT", timeout, ms, e);
}

/* Open this host's registry if this user may read it, else that of its
   server. */
static int
open_registry_here(struct registry *r, struct error *e)
{
	struct controller *c;
	struct error reason;
	int status;

	if (reader_open(r, e) == 0)
		return 0;
	if (server_open_remote(NULL, NULL, &c, &reason) != 0)
		return error_copy(e, &reason);
	if (c == NULL)
		return -1;
	status = reader_open_of(c, r, e);
	controller_close(c);
	return status;
}

int
server_open_registry(const struct server_request *asked, struct registry *r,
    struct error *e)
{
	struct controller *c;
	struct caller caller;
	int status;

	if (server_open_named(asked, NULL, &caller, &c, e) != 0)
		return -1;
	if (c == NULL)
		return open_registry_here(r, e);
	status = reader_open_of(c, r, e);
	controller_close(c);
	return status;
}

int
server_open_view(struct registry *r, struct error *e)
{
	struct server_request request = {
		.host = variable_get("IPUOF_VIPU_API_HOST"),
		.port = variable_get("IPUOF_VIPU_API_PORT"),
		.origin = "IPUOF_VIPU_API_HOST",
	};

	if (request.host == NULL)
		return server_open_registry(NULL, r, e);
	return server_program_timeout(&request.timeout_ms, e) != 0 ?
	    -1 :
	    server_open_registry(&request, r, e);
}

int
server_shortage(struct rpc_client *c, int64_t timeout_ms,
    char text[SERVER_SHORTAGE_SIZE], struct error *e)
{
	ipubox_v1_GetShortageReply reply;
	unsigned char *answer;
	size_t size;
	int status;

	text[0] = '\0';
	if (rpc_stream_call(c, "/" REMOTE_IPUBOX_SERVICE "/GetShortage", NULL,
		timeout_ms, "", 0, &answer, &size, e) != 0)
		return -1;
	status = rpc_message_decode(ipubox_v1_GetShortageReply_fields, answer,
	    size, &reply, e);
	free(answer);
	if (status != 0)
		return -1;
	text_printable(reply.shortage == NULL ? "" : reply.shortage, text,
	    SERVER_SHORTAGE_SIZE);
	rpc_message_release(ipubox_v1_GetShortageReply_fields, &reply);
	return 0;
}
