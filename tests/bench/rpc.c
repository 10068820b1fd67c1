/*
 * A server whose ListPartitions always answers with 16 partitions, for h2load:
 * what the transport and the messages cost, without a pod behind them; Kept has
 * the same answer, and it is encoded once: what the transport costs.  Prints
 * its port and the bytes of an answer, and serves until its standard input
 * ends.
 */
#include <virmgrpc.pb.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/server/rpc/rpc.h"

enum { PARTITIONS = 16, IPUS = 4 };

static virmgrpc_Partition partitions[PARTITIONS];
static virmgrpc_PartitionIpu ipus[PARTITIONS][IPUS];
static char names[PARTITIONS][16];
static char cluster[] = "cl0", version[] = "1.9.0";

static const virmgrpc_ListPartitionsReply reply = {
	.partitions_count = PARTITIONS, .partitions = partitions
};

static void
fill(void)
{
	unsigned i, j;

	for (i = 0; i < PARTITIONS; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "partition%u", i);
		for (j = 0; j < IPUS; j++) {
			ipus[i][j].topology_id = i * IPUS + j;
			ipus[i][j].routing_id = j;
		}
		partitions[i] = (virmgrpc_Partition){ .id = names[i],
			.has_spec = true,
			.ready_state = virmgrpc_PartitionReadyState_PS_ACTIVE,
			.ipuof_server_version = version,
			.spec = { .cluster_id = cluster,
			    .ipus_count = IPUS,
			    .ipus = ipus[i],
			    .num_gcds = 1,
			    .num_ipulink_segments = 1,
			    .num_replicas = 1 } };
	}
}

static void
list(struct rpc_call *call, const void *bytes, size_t size)
{
	virmgrpc_ListPartitionsRequest request;

	if (rpc_message_take(call, virmgrpc_ListPartitionsRequest_fields, bytes,
		size, &request) != 0)
		return;
	rpc_message_release(virmgrpc_ListPartitionsRequest_fields, &request);
	rpc_message_reply(call, virmgrpc_ListPartitionsReply_fields, &reply);
}

/* The bytes of the answer, encoded once. */
static unsigned char *kept;
static size_t kept_size;

static void
list_kept(struct rpc_call *call, const void *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	rpc_call_reply(call, kept, kept_size);
}

static void stop(void *server, uint32_t events);

static struct rpc_watch input = { .fd = STDIN_FILENO, .ready = stop };

static void
stop(void *server, uint32_t events)
{
	(void)events;
	rpc_loop_remove(rpc_server_loop(server), &input);
	rpc_server_stop(server);
}

int
main(void)
{
	static const struct rpc_method methods[] = {
		{ .path = "/virmgrpc.UserService/ListPartitions",
		    .take = list },
		{ .path = "/virmgrpc.UserService/Kept", .take = list_kept },
	};
	const struct rpc_server_options options = { .methods = methods,
		.method_count = 2 };
	struct error e;
	struct rpc_server *s;
	int port;

	fill();
	kept = rpc_message_encode(virmgrpc_ListPartitionsReply_fields, &reply,
	    &kept_size, &e);
	s = rpc_server_new(&options, &e);
	if (s == NULL ||
	    (port = rpc_server_listen_tcp(s, "127.0.0.1", 0, &e)) == -1) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	input.context = s;
	if (rpc_loop_add(rpc_server_loop(s), &input, EPOLLIN, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	printf("%d %zu\n", port, kept_size);
	(void)fflush(stdout);
	while (rpc_server_turn(s, -1))
		continue;
	rpc_server_free(s);
	free(kept);
	return 0;
}
