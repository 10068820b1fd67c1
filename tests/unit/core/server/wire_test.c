/*
 * Our structs as messages and back: every field of each, what a hostile peer
 * may not say, and pods as they are.
 */
#include <string.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"
#include "tests/unit/tap.h"
#include "tests/unit/wire_util.h"

static void
test_partition(void)
{
	struct partition p, back;
	ipubox_v1_Partition m = ipubox_v1_Partition_init_zero, got;
	struct pod pod;
	struct error e;

	wire_make_pod(&pod);
	p = wire_make_partition("part-1", 0, 2, 4, 4);
	wire_partition_put(&p, &m);
	THROUGH(ipubox_v1_Partition, m, got);
	is_int(wire_partition_get(&got, &pod, &back, &e), 0,
	    "a partition comes back");
	ok(memcmp(&p, &back, sizeof(p)) == 0, "every field of a partition");
	is_int(wire_partition_get(&got, NULL, &back, &e), 0,
	    "also without its pod");
	ok(memcmp(&p, &back, sizeof(p)) == 0, "... all of it");
	rpc_message_release(ipubox_v1_Partition_fields, &got);
	pod_release(&pod);
}

/* A path may be of any bytes; a message is not. */
static void
test_odd_bytes(void)
{
	struct partition p = wire_make_partition("p", 0, 1, 0, 4), back;
	ipubox_v1_Partition m = ipubox_v1_Partition_init_zero, got;
	struct error e;

	memset(p.owner_text, 0, sizeof(p.owner_text));
	memcpy(p.owner_text, "caf\xe9 \xc3\xa9", 7);
	memset(p.ipuof_directory, 0xe9, sizeof(p.ipuof_directory) - 1);
	wire_partition_put(&p, &m);
	THROUGH(ipubox_v1_Partition, m, got);
	is_int(wire_partition_get(&got, NULL, &back, &e), 0,
	    "texts that are not UTF-8");
	is_str(back.owner_text, "caf\\xe9 \xc3\xa9", "are escaped");
	is_int((long long)strlen(back.ipuof_directory), 252,
	    "and cut where they have no room");
	rpc_message_release(ipubox_v1_Partition_fields, &got);
}

/* What a peer may say of a partition and where it is too much. */
static const struct bad_row {
	size_t at, size; /* of the message's field */
	int64_t value;
	const char *text; /* NULL: it is allowed */
} bad_rows[] = {
#define ROW(field, value, text) \
	{ \
		offsetof(ipubox_v1_Partition, field), \
		    sizeof(((ipubox_v1_Partition *)NULL)->field), value, text \
	}
	ROW(allocation, 0, NULL),
	ROW(allocation, 3,
	    "partition part-1: is in an allocation that does not exist"),
	ROW(allocation, 257, "partition: allocation is 257, the limit is 256"),
	ROW(allocation, UINT32_MAX,
	    "partition: allocation is 4294967295, the limit is 256"),
	ROW(num_gcds, 0, "partition: num_gcds is 0, the minimum is 1"),
	ROW(num_gcds, 65536, NULL),
	ROW(num_gcds, 65537,
	    "partition: num_gcds is 65537, the limit is 65536"),
	ROW(num_replicas, 65537,
	    "partition: num_replicas is 65537, the limit is 65536"),
	ROW(routing, 5, "partition: routing is 5, the limit is 4"),
	ROW(gateway_routing, 4,
	    "partition: gateway_routing is 4, the limit is 3"),
	ROW(sync_type, 5, "partition: sync_type is 5, the limit is 4"),
	ROW(state, 5, "partition: state is 5, the limit is 4"),
	ROW(operation, 6, "partition: operation is 6, the limit is 5"),
	ROW(owner_kind, 5, "partition: owner_kind is 5, the limit is 4"),
	ROW(moves, 256, "partition: moves is 256, the limit is 255"),
	ROW(attempts, 2147483648,
	    "partition: attempts is 2147483648, the limit is 2147483647"),
	ROW(created, -1, "partition: created is -1, the minimum is 0"),
	ROW(expires_ms, INT64_MAX,
	    "partition: expires_ms is 9223372036854775807, the limit is "
	    "4611686018427387"),
	ROW(placement.cluster, 0,
	    "partition part-1: the placement is in no cluster"),
	ROW(placement.cluster, 3,
	    "partition part-1: the placement is in no cluster"),
	ROW(placement.cluster, 65,
	    "partition part-1: placement: cluster is 65, the limit is 64"),
	ROW(placement.first_ild, 1,
	    "partition part-1: the placement is in ILDs 1 to 2, but cluster "
	    "cl0 has 2"),
	ROW(placement.first_ild, UINT32_MAX,
	    "partition part-1: placement: first_ild is 4294967295, the limit "
	    "is 16384"),
	ROW(placement.per_ild, 13,
	    "partition part-1: the placement is on IPUs 4 to 16 of an ILD, but "
	    "cluster cl0 has 16"),
	ROW(placement.per_ild, 0,
	    "partition part-1: placement: per_ild is 0, the minimum is 1"),
#undef ROW
};

static void
test_bad_numbers(void)
{
	struct partition p, b;
	const struct bad_row *r = bad_rows;
	ipubox_v1_Partition m;
	struct pod pod;
	struct error e;
	uint32_t small;
	int status;

	wire_make_pod(&pod);
	p = wire_make_partition("part-1", 0, 2, 4, 4);
	for (; r < bad_rows + ARRAY_SIZE(bad_rows); r++) {
		memset(&m, 0, sizeof(m));
		wire_partition_put(&p, &m);
		small = (uint32_t)r->value;
		memcpy((char *)&m + r->at,
		    r->size == sizeof(small) ? (const void *)&small : &r->value,
		    r->size);
		status = wire_partition_get(&m, &pod, &b, &e);
		if (r->text == NULL)
			is_int(status, 0, "a number that is allowed");
		else
			is_str(status == 0 ? "" : e.text, r->text, r->text);
		rpc_message_release(ipubox_v1_Partition_fields, &m);
	}
	pod_release(&pod);
}

static void
test_bad_texts(void)
{
	struct partition p, b;
	ipubox_v1_Partition m = ipubox_v1_Partition_init_zero;
	char long_text[DIRECTORY_SIZE + 1];
	struct error e;

	p = wire_make_partition("part-1", 0, 2, 4, 4);
	wire_partition_put(&p, &m);
	wire_replace_text(&m.name, "../x");
	ok(wire_partition_get(&m, NULL, &b, &e) != 0 &&
		strstr(e.text, "only letters") != NULL,
	    "a name that is a path");
	wire_replace_text(&m.name, NULL);
	ok(wire_partition_get(&m, NULL, &b, &e) != 0, "no name");
	wire_replace_text(&m.name, "part-1");
	memset(long_text, 'x', sizeof(long_text));
	long_text[DIRECTORY_SIZE] = '\0';
	wire_replace_text(&m.ipuof_directory, long_text);
	(void)wire_partition_get(&m, NULL, &b, &e);
	is_str(e.text,
	    "partition: ipuof_directory has 256 bytes, the limit is 255",
	    "a text without room");
	is_int(e.code, ERROR_INVALID, "is not a valid message");
	wire_replace_text(&m.ipuof_directory, NULL);
	m.id->size = 15;
	(void)wire_partition_get(&m, NULL, &b, &e);
	is_str(e.text, "partition part-1: its id has 15 bytes instead of 16",
	    "an identity that is too short");
	rpc_message_release(ipubox_v1_Partition_fields, &m);
}

/* Each number of a machine says something. */
static void
fill_agent(struct agent *a)
{
	struct agent before = *a;

	memset(a, 1, sizeof(*a));
	memcpy(a->name, before.name, sizeof(a->name));
	memcpy(a->host, "10.9.8.7\0", 9);
	memset(a->host + 9, 0, sizeof(a->host) - 9);
	memcpy(a->address, before.address, sizeof(a->address));
	a->cluster = before.cluster;
	a->allocation = before.allocation;
	a->model = MACHINE_BOW2000;
	a->state = MACHINE_REBOOTING;
	a->changed_ms = 1700000000006;
	a->up_ms = 1700000000007;
}

static void
test_pod(void)
{
	ipubox_v1_Pod m = ipubox_v1_Pod_init_zero, got;
	struct pod pod, back;
	struct error e;
	int i;

	wire_make_pod(&pod);
	for (i = 0; i < pod.agent_count; i++)
		fill_agent(&pod.agents[i]);
	wire_pod_put(&pod, &m);
	THROUGH(ipubox_v1_Pod, m, got);
	is_int(wire_pod_get(&got, &back, &e), 0, "a pod comes back");
	ok(wire_pods_equal(&pod, &back), "every field of it");
	pod_release(&back);
	got.allocations[0].cluster = 3;
	(void)wire_pod_get(&got, &back, &e);
	is_str(e.text,
	    "the message's pod: allocation cl0 is in a cluster that does not "
	    "exist",
	    "an index that leads nowhere");
	ok(back.agents == NULL && back.agent_count == 0, "an empty pod then");
	got.allocations[0].cluster = 1;
	got.clusters[0].agent_count = UINT32_MAX;
	ok(wire_pod_get(&got, &back, &e) != 0, "machines behind the end");
	got.clusters[0].agent_count = 7;
	ok(wire_pod_get(&got, &back, &e) != 0, "a cluster that is not whole");
	got.clusters[0].agent_count = 8;
	got.agents[0].state = 3;
	ok(wire_pod_get(&got, &back, &e) != 0, "a state without a word");
	got.agents[0].state = 0;
	wire_replace_text(&got.agents[1].name, "ag01");
	ok(wire_pod_get(&got, &back, &e) != 0, "two machines of a name");
	wire_replace_text(&got.agents[1].name, "ag02");
	wire_replace_text(&got.clusters[1].name, "cl0");
	ok(wire_pod_get(&got, &back, &e) != 0, "two clusters of a name");
	rpc_message_release(ipubox_v1_Pod_fields, &got);
	pod_release(&pod);
}

static void
test_snapshot(void)
{
	ipubox_v1_Snapshot m = ipubox_v1_Snapshot_init_zero, got;
	struct snapshot s, back;
	struct error e;

	wire_make_snapshot(&s);
	wire_snapshot_put(&s, 77, &m);
	THROUGH(ipubox_v1_Snapshot, m, got);
	is_int((long long)got.now_ms, 77, "the server's clock");
	is_int(got.unseen_count, 2, "two ranges of unseen IPUs");
	is_int(wire_snapshot_get(&got, &back, &e), 0, "a snapshot");
	ok(wire_pods_equal(&s.pod, &back.pod), "its pod");
	is_int(back.partition_count, 2, "its partitions");
	ok(memcmp(s.partitions, back.partitions, 2 * sizeof(*s.partitions)) ==
		0,
	    "each of them");
	ok(memcmp(s.owner, back.owner,
	       (size_t)pod_ipu_count(&s.pod) * sizeof(*s.owner)) == 0,
	    "who has each IPU");
	ok(back.sequence == 4242 && back.damaged == 3 && back.limited &&
		strcmp(back.damage, "p.ini:7: odd") == 0,
	    "and the rest");
	snapshot_release(&back);
	rpc_message_release(ipubox_v1_Snapshot_fields, &got);
	snapshot_release(&s);
}

/* A snapshot as a server sends it to a client that only asks for partitions. */
static void
test_few(void)
{
	ipubox_v1_Snapshot m = ipubox_v1_Snapshot_init_zero;
	struct snapshot s, few, back;
	struct error e;
	uint32_t agents;

	wire_make_snapshot(&s);
	agents = (uint32_t)s.pod.agent_count;
	few = s;
	few.pod.agent_count = 0;
	wire_snapshot_put(&few, 0, &m);
	is_int(m.pod.agents_count + m.unseen_count, 0, "without them");
	ok(wire_snapshot_get_partitions(&m, &back, &e) != 0,
	    "no agents at all");
	m.pod.agent_count = agents;
	ok(wire_snapshot_get(&m, &back, &e) != 0,
	    "refused where agents are needed");
	is_int(wire_snapshot_get_partitions(&m, &back, &e), 0, "their number");
	is_int(back.pod.agent_count, (int)agents, "is that of the pod");
	is_int(back.partition_count, 2, "the partitions");
	ok(memcmp(s.partitions, back.partitions, 2 * sizeof(*s.partitions)) ==
		0,
	    "each of them");
	snapshot_release(&back);
	m.pod.clusters[0].first_agent = agents;
	(void)wire_snapshot_get_partitions(&m, &back, &e);
	is_str(e.text,
	    "the message's pod: cluster cl0: its machines do not exist",
	    "a cluster past the last agent");
	m.pod.clusters[0].first_agent = 0;
	m.pod.agent_count = POD_AGENTS_MAX + 1;
	ok(wire_snapshot_get_partitions(&m, &back, &e) != 0, "too many agents");
	rpc_message_release(ipubox_v1_Snapshot_fields, &m);
	snapshot_release(&s);
}

static void
test_bad_snapshot(void)
{
	ipubox_v1_Snapshot m = ipubox_v1_Snapshot_init_zero;
	struct snapshot s, back;
	struct error e;

	wire_make_snapshot(&s);
	wire_snapshot_put(&s, 0, &m);
	m.partitions[1].placement.offset = 0;
	(void)wire_snapshot_get(&m, &back, &e);
	is_str(e.text,
	    "partition b: one of its IPUs belongs to another partition",
	    "an IPU in two partitions");
	ok(back.partitions == NULL && back.owner == NULL &&
		back.partition_count == 0,
	    "leaves an empty snapshot");
	m.partitions[1].placement.offset = 4;
	wire_replace_text(&m.partitions[1].name, "a");
	(void)wire_snapshot_get(&m, &back, &e);
	is_str(e.text, "partition a: is not in the order of names",
	    "two partitions of a name");
	wire_replace_text(&m.partitions[1].name, "b");
	m.unseen[0].count = UINT32_MAX;
	ok(wire_snapshot_get(&m, &back, &e) != 0, "IPUs behind the end");
	m.unseen[0].count = 1;
	m.unseen[0].first = 0;
	(void)wire_snapshot_get(&m, &back, &e);
	is_str(e.text, "the IPUs from 0 on are listed twice, or do not exist",
	    "an unseen IPU of a partition");
	m.unseen[0].first = UINT32_MAX;
	ok(wire_snapshot_get(&m, &back, &e) != 0, "an IPU behind the end");
	m.partitions_count = PARTITIONS_MAX + 1;
	m.unseen_count = 0;
	ok(wire_snapshot_get(&m, &back, &e) != 0, "too many partitions");
	m.partitions_count = 2;
	m.unseen_count = 2;
	rpc_message_release(ipubox_v1_Snapshot_fields, &m);
	snapshot_release(&s);
}

/* Through bytes and back: every field of the slot, held or left. */
static void
test_ipu(bool is_held)
{
	struct registry_image_ipu i = { .ipu = 43,
		.is_held = is_held,
		.slot = { .soc_error = 6,
		    .pid = 7,
		    .uid = 1000,
		    .gcd = 1,
		    .attached_ns = 5,
		    .user = "ann",
		    .host = "h",
		    .command = "python x",
		    .pid_namespace = UINT64_MAX,
		    .flags = 3,
		    .busy_ns = UINT64_MAX,
		    .session_busy_ns = 9,
		    .exchange_bytes = 10,
		    .host_bytes = 11,
		    .last_busy_ns = 12 } };
	struct registry_image_ipu back;
	ipubox_v1_Ipu m = ipubox_v1_Ipu_init_zero, got;
	struct pod pod;
	struct error e;

	atomic_store(&i.slot.ring.words[63], 77);
	wire_make_pod(&pod);
	wire_snapshot_put_ipu(&i, &m);
	THROUGH(ipubox_v1_Ipu, m, got);
	is_int(wire_snapshot_get_ipu(&got, &pod, &back, &e), 0, "an IPU");
	ok(back.ipu == 43 && back.is_held == is_held,
	    "its number, whether it is held");
	ok(memcmp(&i.slot, &back.slot, sizeof(i.slot)) == 0,
	    "every field of its slot");
	got.number = 44;
	(void)wire_snapshot_get_ipu(&got, &pod, &back, &e);
	is_str(e.text, "IPU 44 does not exist: the pod has 44",
	    "an IPU that is not there");
	got.number = 43;
	got.counters.ring->size = 255;
	(void)wire_snapshot_get_ipu(&got, &pod, &back, &e);
	is_str(e.text, "ring has 255 bytes instead of 256", "a short ring");
	rpc_message_release(ipubox_v1_Ipu_fields, &got);
	pod_release(&pod);
}

static void
test_tells(void)
{
	struct registry_image_ipu i = { .ipu = 1 };

	ok(!wire_snapshot_has_report(&i), "an IPU that shows nothing");
	atomic_store(&i.slot.soc_error, 2);
	ok(wire_snapshot_has_report(&i), "one with an error");
	atomic_store(&i.slot.soc_error, 0);
	i.slot.pid = 1;
	ok(wire_snapshot_has_report(&i), "one with words");
	i.slot.pid = 0;
	atomic_store(&i.slot.exchange_bytes, 1);
	ok(wire_snapshot_has_report(&i), "one with a counter");
}

int
main(void)
{
	test_partition();
	test_odd_bytes();
	test_bad_numbers();
	test_bad_texts();
	test_pod();
	test_snapshot();
	test_few();
	test_bad_snapshot();
	test_ipu(true);
	test_ipu(false);
	test_tells();
	return tap_done();
}
