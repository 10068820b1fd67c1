/*
 * Messages of ipubox.v1 from a hostile peer: the first byte says of which kind.
 * What becomes one of our structs is inside all limits, so that it can be gone
 * through, and it is the same message again on its way back.
 */
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"
#include "tests/fuzz/fuzz.h"

/* Who goes through a snapshot finds what it has. */
static void
walk(const struct snapshot *s)
{
	const struct partition *p = s->partitions;
	int i;

	for (; p < s->partitions + s->partition_count; p++) {
		require(snapshot_find(s, p->name) == p - s->partitions);
		require(p->allocation < s->pod.allocation_count);
		for (i = 0; i < partition_size(p); i++)
			require(s->owner[placement_ipu(&s->pod, &p->placement,
				    i)] == p - s->partitions);
	}
}

static int
take_snapshot(const void *in, void *out)
{
	struct snapshot s;

	if (wire_snapshot_get_partitions(in, &s, NULL) == 0) {
		walk(&s);
		snapshot_release(&s);
	}
	if (wire_snapshot_get(in, &s, NULL) != 0)
		return -1;
	walk(&s);
	wire_snapshot_put(&s, 0, out);
	snapshot_release(&s);
	return 0;
}

static int
take_partition(const void *in, void *out)
{
	struct partition p;

	if (wire_partition_get(in, NULL, &p, NULL) != 0)
		return -1;
	require(partition_size(&p) > 0 && partition_gcd_size(&p) >= 0);
	wire_partition_put(&p, out);
	return 0;
}

static int
take_request(const void *in, void *out)
{
	struct partition_request r;

	if (wire_partition_get_request(in, &r, NULL) != 0)
		return -1;
	wire_partition_put_request(&r, out);
	(void)request_check(&r, NULL);
	return 0;
}

/* Over a pod without partitions. */
static int
take_inventory(const void *in, void *out)
{
	struct pod pod;
	struct inventory v = { .pod = &pod };
	int status;

	pod_init(&pod);
	status = wire_inventory_get(in, &v, NULL);
	if (status == 0)
		wire_inventory_put(&v, out);
	pod_release(&pod);
	return status;
}

static int
take_user(const void *in, void *out)
{
	struct user u;

	if (wire_user_get(in, &u, NULL) != 0)
		return -1;
	wire_user_put(&u, out);
	return 0;
}

static int
take_results(const void *in, void *out)
{
	struct cluster_test results[WIRING_TESTS];

	if (wire_trial_get_results(in, results, NULL) != 0)
		return -1;
	wire_trial_put_results(results, out);
	return 0;
}

/* Take a message and make it again; -1: it was refused. */
static const struct {
	const pb_msgdesc_t *type;
	int (*take)(const void *in, void *out);
} kinds[] = {
	{ ipubox_v1_Snapshot_fields, take_snapshot },
	{ ipubox_v1_Partition_fields, take_partition },
	{ ipubox_v1_PartitionRequest_fields, take_request },
	{ ipubox_v1_Inventory_fields, take_inventory },
	{ ipubox_v1_User_fields, take_user },
	{ ipubox_v1_TestClusterReply_fields, take_results },
};

/* Room for the largest of them. */
union any {
	ipubox_v1_Snapshot snapshot;
	ipubox_v1_Partition partition;
	ipubox_v1_PartitionRequest request;
	ipubox_v1_Inventory inventory;
	ipubox_v1_User user;
	ipubox_v1_TestClusterReply results;
};

/* The bytes of what a message becomes; NULL: it is refused. */
static unsigned char *
again(int kind, const void *bytes, size_t size, size_t *out_size)
{
	const pb_msgdesc_t *type = kinds[kind].type;
	union any in, out;
	unsigned char *result = NULL;

	if (rpc_message_decode(type, bytes, size, &in, NULL) != 0)
		return NULL;
	memset(&out, 0, sizeof(out));
	if (kinds[kind].take(&in, &out) == 0) {
		result = rpc_message_encode(type, &out, out_size, NULL);
		require(result != NULL);
	}
	rpc_message_release(type, &in);
	rpc_message_release(type, &out);
	return result;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *once, *twice;
	size_t once_size, twice_size;
	int kind;

	if (size == 0)
		return 0;
	kind = data[0] % (int)ARRAY_SIZE(kinds);
	once = again(kind, data + 1, size - 1, &once_size);
	if (once == NULL)
		return 0;
	twice = again(kind, once, once_size, &twice_size);
	require(twice != NULL && once_size == twice_size &&
	    memcmp(once, twice, once_size) == 0);
	free(once);
	free(twice);
	return 0;
}
