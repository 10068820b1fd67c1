/*
 * A client of vipu-server, for what calls cost there.
 *
 *	calls SOCKET create|status|reset|remove FIRST COUNT
 *	calls SOCKET list COUNT
 *	calls SOCKET burst CONNECTIONS COUNT
 *	calls SOCKET idle CONNECTIONS
 *
 * Calls of partitions pFIRST to pFIRST+COUNT-1, of 16 IPUs each, one behind the
 * other; lists, one behind the other, or so many at once on each connection:
 * the median and the 99th percentile of one call in microseconds.  `idle` opens
 * its connections, says so in a line, and ends with its standard input.
 */
#include <virmgrpc.pb.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/server/rpc/rpc.h"

enum { CALL_MS = 60000, SIZE = 16, CONNECTIONS_MAX = 1000 };

static const char *address;

static void
fail(const struct error *e)
{
	fprintf(stderr, "calls: %s\n", e->text);
	exit(1);
}

static struct rpc_client *
connect_client(void)
{
	const struct rpc_client_options o = { .path = address,
		.connect_ms = CALL_MS };
	struct error e;
	struct rpc_client *c = rpc_client_open(&o, &e);

	if (c == NULL)
		fail(&e);
	return c;
}

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The median and the 99th percentile of what was taken. */
static void
print_times(int64_t *ns, long long count)
{
	qsort(ns, (size_t)count, sizeof(*ns), compare);
	printf("%.1f %.1f\n", (double)ns[count / 2] / 1e3,
	    (double)ns[count * 99 / 100] / 1e3);
}

/* One call, and its answer thrown away. */
static void
call(struct rpc_client *c, const char *method, const pb_msgdesc_t *type,
    const void *message)
{
	char path[80];
	struct error e;
	unsigned char *bytes, *answer = NULL;
	size_t size, answer_size;

	(void)snprintf(path, sizeof(path), "/virmgrpc.UserService/%s", method);
	bytes = rpc_message_encode(type, message, &size, &e);
	if (bytes == NULL ||
	    rpc_stream_call(c, path, NULL, CALL_MS, bytes, size, &answer,
		&answer_size, &e) != 0)
		fail(&e);
	free(answer);
	free(bytes);
}

static void
call_create(struct rpc_client *c, char *name)
{
	virmgrpc_CreatePartitionRequest m =
	    virmgrpc_CreatePartitionRequest_init_zero;

	m.has_requirements = true;
	m.requirements.id = name;
	m.requirements.size = SIZE;
	call(c, "CreatePartition", virmgrpc_CreatePartitionRequest_fields, &m);
}

static void
call_status(struct rpc_client *c, char *name)
{
	virmgrpc_GetPartitionStatusRequest m = { .partition_id = name };

	call(c, "GetPartitionStatus", virmgrpc_GetPartitionStatusRequest_fields,
	    &m);
}

static void
call_reset(struct rpc_client *c, char *name)
{
	virmgrpc_ResetPartitionRequest m = { .partition_id = name };

	call(c, "ResetPartition", virmgrpc_ResetPartitionRequest_fields, &m);
}

static void
call_remove(struct rpc_client *c, char *name)
{
	virmgrpc_RemovePartitionRequest m = { .partition_id = name };

	call(c, "RemovePartition", virmgrpc_RemovePartitionRequest_fields, &m);
}

static void
call_list(struct rpc_client *c, char *name)
{
	virmgrpc_ListPartitionsRequest m =
	    virmgrpc_ListPartitionsRequest_init_zero;

	(void)name;
	call(c, "ListPartitions", virmgrpc_ListPartitionsRequest_fields, &m);
}

static const struct {
	const char *name;
	void (*call)(struct rpc_client *, char *name);
} verbs[] = { { "create", call_create }, { "status", call_status },
	{ "reset", call_reset }, { "remove", call_remove },
	{ "list", call_list }, { NULL, NULL } };

static void
run(void (*one)(struct rpc_client *, char *), long long first, long long count)
{
	struct rpc_client *c = connect_client();
	int64_t *took = xcalloc((size_t)count, sizeof(*took));
	int64_t before;
	char name[24];
	long long i;

	for (i = 0; i < count; i++) {
		(void)snprintf(name, sizeof(name), "p%lld", first + i);
		before = clock_monotonic_ns();
		one(c, name);
		took[i] = clock_monotonic_ns() - before;
	}
	print_times(took, count);
	free(took);
	rpc_client_close(c);
}

/* So many lists at once, spread over the connections. */
static void
burst(long long connections, long long count)
{
	struct rpc_client **c = xcalloc((size_t)connections, sizeof(*c));
	struct rpc_stream **s = xcalloc((size_t)count, sizeof(*s));
	int64_t *took = xcalloc((size_t)count, sizeof(*took));
	const unsigned char *bytes;
	struct error e;
	size_t size;
	long long i;
	int64_t before;

	for (i = 0; i < connections; i++)
		c[i] = connect_client();
	before = clock_monotonic_ns();
	for (i = 0; i < count; i++) {
		s[i] = rpc_stream_begin(c[i % connections],
		    "/virmgrpc.UserService/ListPartitions", NULL, CALL_MS, &e);
		if (s[i] == NULL)
			fail(&e);
		rpc_stream_send(s[i], "", 0);
		rpc_stream_half_close(s[i]);
	}
	for (i = 0; i < count; i++) {
		if (rpc_stream_receive(s[i], -1, &bytes, &size, &e) !=
		    RPC_MESSAGE)
			fail(&e);
		took[i] = clock_monotonic_ns() - before;
		rpc_stream_drop(s[i]);
	}
	print_times(took, count);
	for (i = 0; i < connections; i++)
		rpc_client_close(c[i]);
	free(took);
	free(s);
	free(c);
}

static void
idle(long long connections)
{
	char c;

	for (; connections > 0; connections--)
		(void)connect_client();
	printf("open\n");
	(void)fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		continue;
}

int
main(int argc, char **argv)
{
	struct error e;
	long long a = 1, b = 1;
	size_t i;

	if (argc < 4 ||
	    parse_number("number", argv[3], 0, 1000000, &a, &e) != 0 ||
	    (argc > 4 &&
		parse_number("number", argv[4], 1, 1000000, &b, &e) != 0))
		return 2;
	address = argv[1];
	if (strcmp(argv[2], "idle") == 0 && a <= CONNECTIONS_MAX)
		idle(a);
	if (strcmp(argv[2], "burst") == 0 && a >= 1 && a <= CONNECTIONS_MAX)
		burst(a, b);
	for (i = 0; verbs[i].name != NULL; i++)
		if (strcmp(verbs[i].name, argv[2]) == 0)
			run(verbs[i].call, a, argc > 4 ? b : a);
	return 0;
}
