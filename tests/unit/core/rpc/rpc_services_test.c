/* Health checking and reflection, as probes and explorers use them. */
#include <health.pb.h>
#include <reflection.pb.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/rpc/rpc_message.h"
#include "core/rpc/rpc_stream.h"
#include "tests/unit/rpc_util.h"
#include "tests/unit/tap.h"

enum { WAIT_MS = 5000 };

static const char	watch[] = "/grpc.health.v1.Health/Watch";

/* The status of a service, or minus the code of the error. */
static int
check(struct rpc_client *c, const char *service)
{
	grpc_health_v1_HealthCheckResponse	 answer;
	unsigned char				*bytes, request[64];
	size_t					 size = strlen(service);
	struct error				 e;

	/* Field 1, a text. */
	request[0] = 0x0a;
	request[1] = (unsigned char)size;
	memcpy(request + 2, service, size);
	if (rpc_stream_call(c, "/grpc.health.v1.Health/Check", NULL, WAIT_MS,
	    request, size + 2, &bytes, &size, &e) != 0)
		return -(int)e.code;
	if (rpc_message_decode(grpc_health_v1_HealthCheckResponse_fields,
	    bytes, size, &answer, &e) != 0)
		answer.status = -1;
	free(bytes);
	return (int)answer.status;
}

static int
receive_status(struct rpc_stream *s)
{
	grpc_health_v1_HealthCheckResponse	 answer = { .status = 0 };
	const unsigned char			*bytes;
	size_t					 size = 0;
	struct error				 e;

	if (rpc_stream_receive(s, WAIT_MS, &bytes, &size, &e) !=
	    RPC_MESSAGE || rpc_message_decode(
	    grpc_health_v1_HealthCheckResponse_fields, bytes, size, &answer,
	    &e) != 0)
		return -1;
	return (int)answer.status;
}

static void
test_health(struct rpc_client *c)
{
	struct error		 e;
	struct rpc_stream	*all = rpc_stream_begin(c, watch, NULL, 0, &e),
				*none = rpc_stream_begin(c, watch, NULL, 0,
				    &e),
				*gone = rpc_stream_begin(c, watch, NULL, 0,
				    &e);
	unsigned char		*answer;
	size_t			 size;

	is_int(check(c, ""), 1, "the server serves");
	is_int(check(c, "test.Echo"), 1, "and a service of it");
	is_int(check(c, "test.None"), -ERROR_NOT_FOUND, "no other");
	rpc_stream_send(all, "", 0);
	rpc_stream_half_close(all);
	is_int(receive_status(all), 1, "who watches learns it at once");
	rpc_stream_send(none, "\x0a\x01x", 3);
	is_int(receive_status(none), 3, "or that there is no such service");
	rpc_stream_send(gone, "", 0);
	is_int(receive_status(gone), 1, "another one watches");
	rpc_stream_drop(gone);
	is_int(rpc_stream_call(c, "/test.Echo/Sick", NULL, WAIT_MS, "", 0,
	    &answer, &size, &e), 0, "the server falls ill");
	free(answer);
	is_int(receive_status(all), 2, "who watches learns it");
	is_int(check(c, "test.Echo"), 2, "and who asks");
	rpc_stream_drop(all);
	rpc_stream_drop(none);
}

/* Ask a field of the request, a text, and decode the answer. */
static int
explore(struct rpc_client *c, const char *version, unsigned field,
    const char *text, grpc_reflection_v1_ServerReflectionResponse *answer)
{
	unsigned char		 request[128];
	char			 path[96];
	const unsigned char	*bytes;
	size_t			 size = strlen(text);
	struct error		 e;
	struct rpc_stream	*s;
	int			 status = -1;

	(void)snprintf(path, sizeof(path), "/grpc.reflection.%s."
	    "ServerReflection/ServerReflectionInfo", version);
	s = rpc_stream_begin(c, path, NULL, WAIT_MS, &e);
	request[0] = (unsigned char)(field << 3 | 2);
	request[1] = (unsigned char)size;
	memcpy(request + 2, text, size);
	rpc_stream_send(s, request, size + 2);
	rpc_stream_half_close(s);
	if (rpc_stream_receive(s, WAIT_MS, &bytes, &size, &e) == RPC_MESSAGE)
		status = rpc_message_decode(
		    grpc_reflection_v1_ServerReflectionResponse_fields, bytes,
		    size, answer, &e);
	if (status == 0 && rpc_stream_receive(s, WAIT_MS, &bytes, &size,
	    &e) != RPC_ENDED)
		status = -1;
	rpc_stream_drop(s);
	return status;
}

/* The services in one line. */
static const char *
services(struct rpc_client *c, const char *version)
{
	static char					 line[256];
	grpc_reflection_v1_ServerReflectionResponse	 a;
	const grpc_reflection_v1_ListServiceResponse	*l =
	    &a.message_response.list_services_response;
	size_t						 i, length = 0;

	line[0] = '\0';
	if (explore(c, version, 7, "", &a) != 0)
		return "no answer";
	for (i = 0; i < l->service_count; i++)
		length += (size_t)snprintf(line + length,
		    sizeof(line) - length, "%s ", l->service[i].name);
	rpc_message_release(grpc_reflection_v1_ServerReflectionResponse_fields,
	    &a);
	return line;
}

/* What is found, by file or by symbol: so many files, or minus the status. */
static const struct {
	unsigned	 field;
	const char	*text;
	int		 files;
} finds[] = {
	{ 3, "virmgrpc.proto", 2 },
	{ 3, "google/protobuf/timestamp.proto", 1 },
	{ 3, "none.proto", -5 },
	{ 4, "virmgrpc.UserService", 2 },
	{ 4, "virmgrpc.UserService.CreatePartition", 2 },
	{ 4, "virmgrpc.UserService.None", -5 },
	{ 4, "virmgrpc.Partition", 2 },
	{ 4, "virmgrpc.PartitionConfig.Gcd", 2 },
	{ 4, "virmgrpc.ListIPUAttributesReply.Entry.Attributes", 2 },
	{ 4, "virmgrpc.PartitionReadyState", 2 },
	{ 4, "google.protobuf.Timestamp", 1 },
	{ 4, "grpc.health.v1.HealthCheckResponse.ServingStatus", 1 },
	{ 4, "grpc.health.v1.Health.Watch", 1 },
	{ 4, "virmgrpc", -5 },
	{ 4, "virmgrpc.", -5 },
	{ 4, "", -5 },
	{ 6, "virmgrpc.Partition", -5 }
};

static void
test_reflection(struct rpc_client *c)
{
	static const char				wanted[] =
	    "test.Echo grpc.health.v1.Health "
	    "grpc.reflection.v1.ServerReflection "
	    "grpc.reflection.v1alpha.ServerReflection ";
	grpc_reflection_v1_ServerReflectionResponse	a;
	int						files;
	size_t						i;

	is_str(services(c, "v1"), wanted, "the services");
	is_str(services(c, "v1alpha"), wanted, "in the older version, too");
	for (i = 0; i < ARRAY_SIZE(finds); i++) {
		if (explore(c, "v1", finds[i].field, finds[i].text, &a) != 0) {
			ok(false, finds[i].text);
			continue;
		}
		files = a.which_message_response == 7 ?
		    -a.message_response.error_response.error_code :
		    (int)a.message_response.file_descriptor_response.
		    file_descriptor_proto_count;
		is_int(files, finds[i].files, finds[i].text);
		rpc_message_release(
		    grpc_reflection_v1_ServerReflectionResponse_fields, &a);
	}
	is_int(explore(c, "v1", 9, "x", &a), 0, "a request that asks nothing");
	is_int(a.message_response.error_response.error_code, 3,
	    "is not valid");
	rpc_message_release(grpc_reflection_v1_ServerReflectionResponse_fields,
	    &a);
}

int
main(void)
{
	struct rpc_process	 p;
	struct rpc_client	*c;
	unsigned char		*answer;
	size_t			 size;
	struct error		 e;

	rpc_process_start(&p, NULL, NULL);
	c = rpc_process_client(&p);
	test_health(c);
	test_reflection(c);
	is_int(rpc_stream_call(c, "/grpc.health.v1.Health/Check", NULL,
	    WAIT_MS, "\x0a\x05x", 3, &answer, &size, &e), -1,
	    "a message that is cut");
	is_int(e.code, ERROR_INVALID, "is refused");
	is_int(rpc_stream_call(c, "/grpc.health.v1.Health/Check", NULL,
	    WAIT_MS, "\x0a\x01\xff", 3, &answer, &size, &e), -1,
	    "a text that is not UTF-8");
	is_int(e.code, ERROR_INVALID, "is refused");
	rpc_client_close(c);
	rpc_process_ask(&p);
	is_int(rpc_process_wait(&p), 0, "the server ends");
	return tap_done();
}
