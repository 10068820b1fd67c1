/*
 * Calls of a controller on a server.
 */
#include "core/server/remote.h"

#include <virmgrpc.pb.h>

#include <limits.h>
#include <poll.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/server/rpc/rpc.h"

int
remote_refuse(const struct controller *c, struct error *e)
{
	(void)error_prefix(e, "the answer of %s is not valid", c->where);
	return error_recode(e, ERROR_DAMAGED);
}

/* Decode a received message. */
static int
remote_decode(const struct controller *c, const pb_msgdesc_t *type,
    const void *bytes, size_t size, void *reply, struct error *e)
{
	if (rpc_message_decode(type, bytes, size, reply, NULL) == 0)
		return 0;
	(void)error_set(e, "it cannot be decoded");
	return remote_refuse(c, e);
}

struct rpc_stream *
remote_begin(struct controller *c, const char *path, const pb_msgdesc_t *type,
    const void *request, struct error *e)
{
	struct rpc_stream *s;
	unsigned char *bytes;
	size_t size;

	bytes = rpc_message_encode(type, request, &size, e);
	if (bytes == NULL)
		return NULL;
	s = rpc_stream_begin(c->remote->client, path, c->remote->metadata, 0,
	    e);
	if (s != NULL) {
		rpc_stream_send(s, bytes, size);
		rpc_stream_half_close(s);
	}
	free(bytes);
	return s;
}

int
remote_ask_within(struct controller *c, const char *path,
    const pb_msgdesc_t *request_type, const void *request,
    const pb_msgdesc_t *type, void *reply, int64_t timeout_ms, struct error *e)
{
	unsigned char *bytes, *answer = NULL;
	size_t size;
	int status;

	bytes = rpc_message_encode(request_type, request, &size, e);
	if (bytes == NULL)
		return -1;
	status = rpc_stream_call(c->remote->client, path, c->remote->metadata,
	    timeout_ms, bytes, size, &answer, &size, e);
	if (status == 0)
		status = remote_decode(c, type, answer, size, reply, e);
	free(bytes);
	free(answer);
	return status;
}

/* No limit: a removal takes as long as its slowest machine.  A dead server is
   detected by its silence. */
int
remote_ask(struct controller *c, const char *path,
    const pb_msgdesc_t *request_type, const void *request,
    const pb_msgdesc_t *type, void *reply, struct error *e)
{
	return remote_ask_within(c, path, request_type, request, type, reply, 0,
	    e);
}

int
remote_next(struct controller *c, struct rpc_stream *s,
    const pb_msgdesc_t *type, void *reply, struct error *e)
{
	const unsigned char *bytes;
	size_t size;

	switch (rpc_stream_receive(s, -1, &bytes, &size, e)) {
	case RPC_MESSAGE:
		return remote_decode(c, type, bytes, size, reply, e) == 0 ?
		    1 :
		    -1;
	case RPC_ENDED:
		return 0;
	case RPC_FAILED:
	case RPC_NOTHING:
		break;
	}
	return -1;
}

int
remote_version(struct controller *c, char version[CONTROLLER_VERSION_SIZE],
    struct error *e)
{
	virmgrpc_VersionRequest request = virmgrpc_VersionRequest_init_zero;
	virmgrpc_VersionReply reply = virmgrpc_VersionReply_init_zero;

	if (remote_ask(c, "/virmgrpc.VersionService/GetVersion",
		virmgrpc_VersionRequest_fields, &request,
		virmgrpc_VersionReply_fields, &reply, e) != 0)
		return -1;
	text_printable(reply.version != NULL ? reply.version : "", version,
	    CONTROLLER_VERSION_SIZE);
	rpc_message_release(virmgrpc_VersionReply_fields, &reply);
	return 0;
}

/* Only PINGs are exchanged on such a connection. */
int
remote_hold(struct controller *c, int fd, struct error *e)
{
	struct rpc_client *client = c->remote->client;
	struct pollfd fds[2] = {
		{ .fd = rpc_client_fd(client), .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	const unsigned char *bytes;
	size_t size;
	enum rpc_received got;
	int64_t due_ms, left;

	do {
		got = rpc_stream_receive(c->remote->lease, 0, &bytes, &size, e);
		if (got == RPC_FAILED)
			return -1;
		if (got == RPC_ENDED)
			return error_set_code(e, ERROR_UNAVAILABLE,
			    "the server at %s has ended the lease", c->where);
		due_ms = rpc_client_due_ms(client);
		left = due_ms == INT64_MAX ? INT_MAX :
					     due_ms - clock_monotonic_ms();
		(void)poll(fds, 2,
		    left < 0	       ? 0 :
			left > INT_MAX ? INT_MAX :
					 (int)left);
	} while (fds[1].revents == 0);
	return 0;
}

void
remote_leave(struct controller *c)
{
	rpc_client_abandon(c->remote->client);
}

void
remote_close(struct controller *c)
{
	rpc_stream_drop(c->remote->lease);
	rpc_client_close(c->remote->client);
	free(c->remote);
	c->remote = NULL;
}
