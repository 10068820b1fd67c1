/* What servers of the published contract say of partitions, and may not. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "core/server/remote_virm_list.h"
#include "tests/unit/tap.h"

enum { NOW_MS = 1000, IPUS = 8 };

static virmgrpc_PartitionIpu ipus[2][IPUS];
static virmgrpc_Partition partitions[2];

/* Two partitions: z over two ILDs, and a, which is being configured. */
static virmgrpc_ListPartitionsReply
two_partitions(void)
{
	static char z[] = "z", a[] = "a", cl[] = "cl0", lab[] = "lab";
	uint32_t i;

	memset(partitions, 0, sizeof(partitions));
	for (i = 0; i < IPUS; i++) {
		ipus[0][i] = (virmgrpc_PartitionIpu){ 2 + i / 4, i / 4,
			8 + i % 4, i };
		ipus[1][i] = (virmgrpc_PartitionIpu){ 0, 0, i, i };
	}
	for (i = 0; i < 2; i++) {
		partitions[i].id = i == 0 ? z : a;
		partitions[i].has_spec = true;
		partitions[i].spec.cluster_id = cl;
		partitions[i].spec.allocation_id = i == 0 ? lab : NULL;
		partitions[i].spec.ipus = ipus[i];
		partitions[i].spec.ipus_count = IPUS;
	}
	partitions[0].ready_state = virmgrpc_PartitionReadyState_PS_ACTIVE;
	partitions[0].spec.num_gcds = 2;
	partitions[1].ready_state = virmgrpc_PartitionReadyState_PS_PENDING;
	return (virmgrpc_ListPartitionsReply){ .partitions = partitions,
		.partitions_count = 2 };
}

static void
test_good(void)
{
	virmgrpc_ListPartitionsReply m = two_partitions();
	const struct partition *p;
	struct snapshot s;
	struct error e = { .text = "" };

	is_int(remote_virm_list_read(&m, NOW_MS, &s, &e), 0, "two are read");
	is_str(e.text, "", "without a word");
	is_str(s.partitions[0].name, "a", "sorted by name");
	p = &s.partitions[1];
	is_str(s.pod.clusters[p->placement.cluster].name, "cl0", "cluster");
	is_str(s.pod.allocations[p->allocation].name, "lab", "allocation");
	is_int(s.partitions[0].allocation, -1, "or none");
	is_int(p->placement.first_ild, 2, "first ILD");
	is_int(p->placement.ild_count, 2, "ILDs");
	is_int(p->placement.offset, 8, "place in each");
	is_int(p->placement.per_ild, 4, "IPUs in each");
	is_int(s.owner[placement_ipu(&s.pod, &p->placement, 7)], 1, "owner");
	is_int(p->num_gcds, 2, "GCDs");
	is_int(p->num_replicas, 2, "as many replicas, where none are said");
	is_int(s.partitions[0].num_gcds, 1, "one GCD, where none is said");
	is_int(p->operation, POS_IDLE, "an active one is idle");
	ok(s.partitions[0].due_ms > NOW_MS, "who waits looks again later");
	snapshot_release(&s);
}

/* Each makes one thing wrong. */
static void
no_name(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].id = NULL;
}

static void
path_name(virmgrpc_ListPartitionsReply *m)
{
	static char path[] = "../../etc/passwd";

	m->partitions[0].id = path;
}

static void
no_spec(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].has_spec = false;
}

static void
no_ipus(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].spec.ipus_count = 0;
}

static void
far_ipu(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].spec.ipus[0].topology_id = UINT32_MAX;
}

static void
far_ild(virmgrpc_ListPartitionsReply *m)
{
	pb_size_t i;

	for (i = 0; i < IPUS; i++)
		ipus[0][i].ipulink_domain_topology_id = 0x80000000U;
	(void)m;
}

static void
odd_gcds(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].spec.num_gcds = 3;
}

static void
many_gcds(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].spec.num_gcds = UINT32_MAX;
}

static void
bad_state(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].ready_state = (virmgrpc_PartitionReadyState)99;
}

static void
same_name(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].id = m->partitions[1].id;
}

static void
same_ipus(virmgrpc_ListPartitionsReply *m)
{
	m->partitions[0].spec.ipus = ipus[1];
}

static void
too_many(virmgrpc_ListPartitionsReply *m)
{
	m->partitions_count = PARTITIONS_MAX + 1;
}

static void
test_bad(void)
{
	static const struct {
		const char *what;
		void (*spoil)(virmgrpc_ListPartitionsReply *);
	} rows[] = {
		{ "a partition without a name", no_name },
		{ "a name that is a path", path_name },
		{ "no spec", no_spec },
		{ "no IPUs", no_ipus },
		{ "an IPU far away", far_ipu },
		{ "an ILD far away", far_ild },
		{ "GCDs that do not divide", odd_gcds },
		{ "more GCDs than IPUs", many_gcds },
		{ "a state that is none", bad_state },
		{ "two of one name", same_name },
		{ "two with the same IPUs", same_ipus },
		{ "more than there can be", too_many },
	};
	virmgrpc_ListPartitionsReply m;
	struct snapshot s;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		m = two_partitions();
		rows[i].spoil(&m);
		e = (struct error){ .text = "" };
		is_int(remote_virm_list_read(&m, NOW_MS, &s, &e), -1,
		    rows[i].what);
		is_int(e.code, ERROR_INVALID, e.text);
	}
}

static void
test_status(void)
{
	static char lost[] = "ag02 \033[2J lost";
	static char *errors[] = { lost };
	virmgrpc_GetPartitionStatusReply m =
	    virmgrpc_GetPartitionStatusReply_init_zero;
	struct partition p = { .name = "p" };
	struct error e;

	is_int(remote_virm_list_status(&m, &p, &e), -1, "no status");
	m.has_status = true;
	m.status.ready_state = virmgrpc_PartitionReadyState_PS_ERROR;
	m.status.operation_state = virmgrpc_PartitionOperationState_POS_FAILED;
	m.status.errors = errors;
	m.status.errors_count = 1;
	is_int(remote_virm_list_status(&m, &p, &e), 0, "a status");
	is_int(p.state, PS_ERROR, "the state");
	is_int(p.operation, POS_FAILED, "the operation");
	is_str(p.last_error, "ag02 \\x1b[2J lost", "fit for a terminal");
	ok(p.no_auto_reset, "no retries: it is not reset by itself");
}

/* A machine of two IPUs, the second one first, and one that is not named. */
static void
test_ipus(void)
{
	typedef virmgrpc_ListIPUAttributesReply_Entry entry;
	typedef virmgrpc_ListIPUAttributesReply_Entry_IpuAttributesEntry ipu;
	typedef virmgrpc_ListIPUAttributesReply_Entry_Attributes_AttributesEntry
	    attribute;
	static char far1[] = "far1", path[] = "../far", z[] = "z", a[] = "a",
		    clear[] = "\033[2J";
	attribute rows[] = { { z, clear }, { a, NULL } };
	ipu two[] = { { 1, false, { 0, NULL } }, { 0, true, { 2, rows } } };
	entry entries[] = { { far1, 2, two }, { NULL, 1, two } };
	virmgrpc_ListIPUAttributesReply m = { .entries = entries,
		.entries_count = 1 };
	struct ipu_listing l;
	struct error e;

	is_int(remote_virm_list_ipus(&m, &l, &e), 0, "a machine's IPUs");
	is_int((long)l.count, 2, "both of them");
	is_str(l.ipus[1].agent, "far1", "their machine");
	is_int((long)l.ipus[0].number, 0, "sorted by number");
	is_int((long)l.ipus[1].count, 0, "one without attributes");
	is_int((long)l.ipus[0].count, 2, "one with two");
	is_str(l.ipus[0].attributes[0].key, "a", "sorted by name");
	is_str(l.ipus[0].attributes[0].value, "", "one has no value");
	is_str(l.ipus[0].attributes[1].value, "\\x1b[2J", "fit for a terminal");
	controller_free_ipus(&l);
	m.entries_count = 2;
	is_int(remote_virm_list_ipus(&m, &l, &e), -1,
	    "a machine without a name");
	entries[1].agent = path;
	is_int(remote_virm_list_ipus(&m, &l, &e), -1, "a name that is a path");
	is_int(e.code, ERROR_INVALID, e.text);
}

int
main(void)
{
	test_good();
	test_bad();
	test_status();
	test_ipus();
	return tap_done();
}
