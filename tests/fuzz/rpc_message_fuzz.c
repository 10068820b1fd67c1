/*
 * Messages that anybody sends: the first byte says of which kind.  What is
 * taken comes out as bytes that say the same, and that nanopb writes as well.
 */
#include <health.pb.h>
#include <pb_encode.h>
#include <virmgrpc.pb.h>

#include <string.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"
#include "tests/fuzz/fuzz.h"

/* Room for the largest of them. */
union any {
	virmgrpc_CreatePartitionRequest create;
	virmgrpc_ListPartitionsReply list;
	virmgrpc_GetPartitionStatusReply status;
	virmgrpc_GetPartitionIpuofConfigRequest config;
	virmgrpc_GetPartitionIpuofConfigReply configs;
	virmgrpc_ListIPUAttributesRequest agents;
	virmgrpc_ListIPUAttributesReply attributes;
	grpc_health_v1_HealthCheckRequest health;
};

static const pb_msgdesc_t *const types[] = {
	virmgrpc_CreatePartitionRequest_fields,
	virmgrpc_ListPartitionsReply_fields,
	virmgrpc_GetPartitionStatusReply_fields,
	virmgrpc_GetPartitionIpuofConfigRequest_fields,
	virmgrpc_GetPartitionIpuofConfigReply_fields,
	virmgrpc_ListIPUAttributesRequest_fields,
	virmgrpc_ListIPUAttributesReply_fields,
	grpc_health_v1_HealthCheckRequest_fields,
};

/* What a message comes to by our encoder; NULL: it is not a message. */
static unsigned char *
again(const pb_msgdesc_t *type, const void *bytes, size_t size, size_t *out)
{
	union any message;
	unsigned char *result;

	if (rpc_message_decode(type, bytes, size, &message, NULL) != 0)
		return NULL;
	result = rpc_message_encode(type, &message, out, NULL);
	rpc_message_release(type, &message);
	require(result != NULL);
	return result;
}

/* And by nanopb's, which writes an empty text that was there, too. */
static unsigned char *
by_nanopb(const pb_msgdesc_t *type, const void *bytes, size_t size, size_t *out)
{
	union any message;
	pb_ostream_t to = PB_OSTREAM_SIZING;
	unsigned char *result;

	require(rpc_message_decode(type, bytes, size, &message, NULL) == 0 &&
	    pb_encode(&to, type, &message));
	*out = to.bytes_written;
	result = malloc(*out + 1);
	require(result != NULL);
	to = pb_ostream_from_buffer(result, *out);
	require(pb_encode(&to, type, &message));
	rpc_message_release(type, &message);
	return result;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const pb_msgdesc_t *type;
	unsigned char *once, *twice, *peer;
	size_t once_size, twice_size, peer_size;

	if (size == 0)
		return 0;
	type = types[data[0] % ARRAY_SIZE(types)];
	once = again(type, data + 1, size - 1, &once_size);
	if (once == NULL)
		return 0;
	peer = by_nanopb(type, data + 1, size - 1, &peer_size);
	twice = again(type, peer, peer_size, &twice_size);
	require(twice != NULL && twice_size == once_size &&
	    memcmp(once, twice, once_size) == 0);
	free(once);
	free(twice);
	free(peer);
	return 0;
}
