/* Health checking, as probes use it. */
#include <health.pb.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/server/rpc/rpc.h"
#include "tests/unit/rpc_util.h"
#include "tests/unit/tap.h"

enum { WAIT_MS = 5000 };

static const char watch[] = "/grpc.health.v1.Health/Watch";

/* The status of a service, or minus the code of the error. */
static int
check(struct rpc_client *c, const char *service)
{
	grpc_health_v1_HealthCheckResponse answer;
	unsigned char *bytes, request[64];
	size_t size = strlen(service);
	struct error e;

	/* Field 1, a text. */
	request[0] = 0x0a;
	request[1] = (unsigned char)size;
	memcpy(request + 2, service, size);
	if (rpc_stream_call(c, "/grpc.health.v1.Health/Check", NULL, WAIT_MS,
		request, size + 2, &bytes, &size, &e) != 0)
		return -(int)e.code;
	if (rpc_message_decode(grpc_health_v1_HealthCheckResponse_fields, bytes,
		size, &answer, &e) != 0)
		answer.status = -1;
	free(bytes);
	return (int)answer.status;
}

static int
receive_status(struct rpc_stream *s)
{
	grpc_health_v1_HealthCheckResponse answer = { .status = 0 };
	const unsigned char *bytes;
	size_t size = 0;
	struct error e;

	if (rpc_stream_receive(s, WAIT_MS, &bytes, &size, &e) != RPC_MESSAGE ||
	    rpc_message_decode(grpc_health_v1_HealthCheckResponse_fields, bytes,
		size, &answer, &e) != 0)
		return -1;
	return (int)answer.status;
}

static void
test_health(struct rpc_client *c)
{
	struct error e;
	struct rpc_stream *all = rpc_stream_begin(c, watch, NULL, 0, &e),
			  *none = rpc_stream_begin(c, watch, NULL, 0, &e),
			  *gone = rpc_stream_begin(c, watch, NULL, 0, &e);
	unsigned char *answer;
	size_t size;

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
		   &answer, &size, &e),
	    0, "the server falls ill");
	free(answer);
	is_int(receive_status(all), 2, "who watches learns it");
	is_int(check(c, "test.Echo"), 2, "and who asks");
	rpc_stream_drop(all);
	rpc_stream_drop(none);
}

int
main(void)
{
	struct rpc_process p;
	struct rpc_client *c;
	unsigned char *answer;
	size_t size;
	struct error e;

	rpc_process_start(&p, NULL, NULL);
	c = rpc_process_client(&p);
	test_health(c);
	is_int(rpc_stream_call(c, "/grpc.health.v1.Health/Check", NULL, WAIT_MS,
		   "\x0a\x05x", 3, &answer, &size, &e),
	    -1, "a message that is cut");
	is_int(e.code, ERROR_INVALID, "is refused");
	is_int(rpc_stream_call(c, "/grpc.health.v1.Health/Check", NULL, WAIT_MS,
		   "\x0a\x01\xff", 3, &answer, &size, &e),
	    -1, "a text that is not UTF-8");
	is_int(e.code, ERROR_INVALID, "is refused");
	rpc_client_close(c);
	rpc_process_ask(&p);
	is_int(rpc_process_wait(&p), 0, "the server ends");
	return tap_done();
}
