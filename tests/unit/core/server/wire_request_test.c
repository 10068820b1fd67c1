/*
 * What is asked of a controller as messages and back: every field of each, and
 * what a hostile peer may not say.
 */
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"
#include "tests/unit/tap.h"
#include "tests/unit/wire_util.h"

/* The numbers that a client of another release has to understand. */
#define SAME(code) \
	_Static_assert((int)(code) == (int)ipubox_v1_ErrorCode_##code, \
	    "ipubox_v1.proto and error.h say the same")
SAME(ERROR_NONE);
SAME(ERROR_FAILED);
SAME(ERROR_INVALID);
SAME(ERROR_NOT_FOUND);
SAME(ERROR_EXISTS);
SAME(ERROR_DENIED);
SAME(ERROR_UNAUTHENTICATED);
SAME(ERROR_BUSY);
SAME(ERROR_UNSAFE);
SAME(ERROR_NO_ROOM);
SAME(ERROR_IO);
SAME(ERROR_STALE);
SAME(ERROR_UNAVAILABLE);
SAME(ERROR_UNCONFIRMED);
SAME(ERROR_TIMED_OUT);
SAME(ERROR_INTERRUPTED);
SAME(ERROR_DAMAGED);
SAME(ERROR_UNSUPPORTED);

static struct partition_request
make_request(const char *name)
{
	struct partition_request r;

	memset(&r, 0, sizeof(r));
	memcpy(r.name, name, strlen(name));
	memcpy(r.cluster, "cl0", 4);
	memcpy(r.allocation, "al", 3);
	memcpy(r.first_ipu, "ag01:0", 7);
	memcpy(r.ipuof_directory, "/d", 3);
	r.size = 8;
	r.index = 5;
	r.num_gcds = 2;
	r.num_replicas = 4;
	r.num_ilds = 2;
	r.routing = IRT_SWNC;
	r.gateway_routing = GRT_SWRING;
	r.sync_type = ST_POD_NATIVE_DEFAULT;
	r.relocatable = r.no_auto_reset = true;
	r.ttl_ms = 3600000;
	return r;
}

static void
test_request(void)
{
	struct partition_request r = make_request("p"), back;
	ipubox_v1_PartitionRequest m, got;
	struct error e;
	int pass;

	for (pass = 0; pass < 2; pass++) {
		memset(&m, 0, sizeof(m));
		wire_partition_put_request(&r, &m);
		THROUGH(ipubox_v1_PartitionRequest, m, got);
		is_int(wire_partition_get_request(&got, &back, &e), 0,
		    "a request");
		ok(memcmp(&r, &back, sizeof(r)) == 0, "every field of it");
		rpc_message_release(ipubox_v1_PartitionRequest_fields, &got);
		/* Nothing is asked for, but for one. */
		request_init(&r);
		r.reconfigurable = true;
	}
	memset(&m, 0, sizeof(m));
	m.size = UINT32_MAX;
	(void)wire_partition_get_request(&m, &back, &e);
	is_str(e.text,
	    "the request: size is 4294967295, the limit is 2147483647",
	    "a size that is no int");
}

static void
test_wait_and_owner(void)
{
	static const int64_t rows[] = { -1, 0, 1, 86400000 };
	ipubox_v1_Wait m;
	ipubox_v1_Owner owner = ipubox_v1_Owner_init_zero, got;
	char text[OWNER_TEXT_SIZE];
	int64_t back;
	size_t i;
	struct error e;
	int kind;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(&m, 0, sizeof(m));
		wire_partition_put_wait(rows[i], &m);
		is_int(wire_partition_get_wait(&m, &back, &e), 0, "a wait");
		is_int(back, rows[i], "as long as it was");
	}
	m.wait_ms = -5;
	ok(wire_partition_get_wait(&m, &back, &e) != 0, "not before now");
	wire_partition_put_owner(PO_LEASE, "poprun on h", &owner);
	THROUGH(ipubox_v1_Owner, owner, got);
	is_int(wire_partition_get_owner(&got, &kind, text, &e), 0, "an owner");
	ok(kind == PO_LEASE && strcmp(text, "poprun on h") == 0, "all of it");
	got.kind = (ipubox_v1_OwnerKind)99;
	(void)wire_partition_get_owner(&got, &kind, text, &e);
	is_str(e.text, "the owner's kind is 99, the limit is 4",
	    "a kind that is not there");
	rpc_message_release(ipubox_v1_Owner_fields, &got);
}

/* The inventory that an administrator sends over the one that there is. */
static void
test_inventory(void)
{
	ipubox_v1_Inventory m = ipubox_v1_Inventory_init_zero, got;
	unsigned char one[SHA512_DIGEST_LENGTH];
	unsigned char two[SHA512_DIGEST_LENGTH];
	struct snapshot s, now;
	struct inventory wanted, there;
	struct error e;

	wire_make_snapshot(&s);
	wire_make_snapshot(&now);
	wanted = (struct inventory){ &s.pod, s.partitions, 2 };
	there = (struct inventory){ &now.pod, now.partitions, 2 };
	wire_inventory_digest(&wanted, one);
	wire_inventory_digest(&there, two);
	ok(memcmp(one, two, sizeof(one)) == 0, "the same pod, one digest");
	s.pod.agents[10].port = 4711;
	s.partitions[1].placement = (struct placement){ 1, 0, 1, 0, 8 };
	s.partitions[1].allocation = 1;
	wire_inventory_digest(&wanted, two);
	ok(memcmp(one, two, sizeof(one)) != 0, "another pod has another");
	now.partitions[1].resets = 9;
	wire_inventory_put(&wanted, &m);
	THROUGH(ipubox_v1_Inventory, m, got);
	is_int(wire_inventory_get(&got, &there, &e), 0, "it takes its place");
	ok(wire_pods_equal(&s.pod, &now.pod), "the pod");
	ok(now.partitions[1].placement.cluster == 1 &&
		now.partitions[1].allocation == 1,
	    "and its partitions move");
	is_int(now.partitions[1].resets, 9, "what else they are stays");
	got.seats[1].allocation = 4;
	ok(wire_inventory_get(&got, &there, &e) != 0, "in no allocation");
	got.seats[1].allocation = 1;
	wire_replace_text(&got.seats[0].name, "x");
	(void)wire_inventory_get(&got, &there, &e);
	is_str(e.text, "partition a has no place in the wanted pod",
	    "a partition without a place");
	got.seats_count = 1;
	(void)wire_inventory_get(&got, &there, &e);
	is_str(e.text, "1 places for 2 partitions", "a place too few");
	ok(wire_pods_equal(&s.pod, &now.pod), "a refusal changes nothing");
	got.seats_count = 2;
	rpc_message_release(ipubox_v1_Inventory_fields, &got);
	snapshot_release(&s);
	snapshot_release(&now);
}

static void
test_user(void)
{
	struct user u = { .name = "ann",
		.hash = "$secret",
		.allocation_count = 2,
		.allocations = { "x", "y" } },
		    back;
	const struct user_change change = { .add = "", .key = "k" };
	struct user_change changed;
	ipubox_v1_User m = ipubox_v1_User_init_zero, got;
	ipubox_v1_UserChange c = ipubox_v1_UserChange_init_zero, c_got;
	struct error e;

	wire_user_put(&u, &m);
	THROUGH(ipubox_v1_User, m, got);
	is_int(wire_user_get(&got, &back, &e), 0, "a user");
	memset(u.hash, 0, sizeof(u.hash));
	ok(memcmp(&u, &back, sizeof(u)) == 0, "all but the key's hash");
	got.allocations_count = 1000;
	ok(wire_user_get(&got, &back, &e) != 0, "too many allocations");
	got.allocations_count = 2;
	wire_replace_text(&got.allocations[1], "a b");
	ok(wire_user_get(&got, &back, &e) != 0, "one that is not a name");
	rpc_message_release(ipubox_v1_User_fields, &got);

	wire_user_put_change(&change, &c);
	THROUGH(ipubox_v1_UserChange, c, c_got);
	wire_user_get_change(&c_got, &changed);
	ok(changed.allocations == NULL && changed.remove == NULL,
	    "what is not said of a user stays so");
	is_str(changed.add, "", "an empty list is said");
	is_str(changed.key, "k", "and a key");
	rpc_message_release(ipubox_v1_UserChange_fields, &c_got);
}

static void
test_trial(void)
{
	struct cluster_test results[WIRING_TESTS], back[WIRING_TESTS];
	ipubox_v1_TestClusterReply m, got;
	const struct injection in = { "ag01:2", FAULT_SOC_ERROR, 9,
		0xfffffffe };
	struct injection in_back;
	ipubox_v1_InjectFaultRequest f = ipubox_v1_InjectFaultRequest_init_zero,
				     f_got;
	struct error e;
	int t, same = 0;

	memset(results, 0, sizeof(results));
	for (t = 0; t < WIRING_TESTS; t++) {
		results[t].result.passed = t;
		results[t].result.total = t + 1;
		results[t].duration_ns = 5000000000 + t;
		memcpy(results[t].result.summary, "All Links Passed", 17);
	}
	memset(&m, 0, sizeof(m));
	wire_trial_put_results(results, &m);
	THROUGH(ipubox_v1_TestClusterReply, m, got);
	is_int(wire_trial_get_results(&got, back, &e), 0, "results");
	for (t = 0; t < WIRING_TESTS; t++)
		same += back[t].duration_ns == results[t].duration_ns &&
		    memcmp(&back[t].result, &results[t].result,
			sizeof(back[t].result)) == 0;
	is_int(same, WIRING_TESTS, "all of them");
	got.results_count--;
	ok(wire_trial_get_results(&got, back, &e) != 0, "one is not there");
	got.results_count++;
	rpc_message_release(ipubox_v1_TestClusterReply_fields, &got);

	wire_trial_put_injection(&in, &f);
	THROUGH(ipubox_v1_InjectFaultRequest, f, f_got);
	is_int(wire_trial_get_injection(&f_got, &in_back, &e), 0, "a fault");
	ok(strcmp(in_back.target, in.target) == 0 &&
		in_back.fault == in.fault && in_back.value == 9 &&
		in_back.soc_errors == in.soc_errors,
	    "all of it");
	f_got.fault = (ipubox_v1_Fault)6;
	ok(wire_trial_get_injection(&f_got, &in_back, &e) != 0,
	    "a fault that is not there");
	rpc_message_release(ipubox_v1_InjectFaultRequest_fields, &f_got);
}

int
main(void)
{
	test_request();
	test_wait_and_owner();
	test_inventory();
	test_user();
	test_trial();
	return tap_done();
}
