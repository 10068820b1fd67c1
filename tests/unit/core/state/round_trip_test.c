/*
 * What the files keep: each field of a partition and of a machine, set to what
 * it is in no other test, comes back when the registry is gone, to the byte.
 *
 * The tables below must cover the structs: a new field that stands in no row
 * fails the test, and with its row it must be in its file.  The texts of the
 * files are those of tests/golden/state, to the byte: other releases of ipubox
 * read them.
 */
#include <bsd/string.h>

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "core/state/object.h"
#include "core/state/state.h"
#include "core/state/state_internal.h"
#include "core/state/store.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { MACHINE = 14 }; /* of cluster b and its allocation */

static const char pod_text[] =
    "[pod]\nname = two\n"
    "[cluster a]\nagents = a[01-08]\nilds = 2\ntopology = mesh\n"
    "gateway = switched\n"
    "[cluster b]\nagents = b[01-08]\nilds = 4\ntopology = torus\n"
    "gateway = looped\nmodel = BOW-2000\naddress = 10.2.5.1\n"
    "[allocation first]\ncluster = a\nagents = a[01-04]\n"
    "[allocation second]\ncluster = b\nagents = b[01-08]\n";

/* A field and a value of it that is not what it is by itself. */
struct field {
	const char *name;
	size_t offset;
	size_t size;
	int64_t number;
	const char *text; /* made as long as the field holds */
};

#define ROW(type, member, n, t) \
	{ \
#member, offsetof(struct type, member), \
		    sizeof(((struct type *)NULL)->member), (n), (t) \
	}
#define NUMBER(member, n) ROW(partition, member, n, NULL)
#define TEXT(member, t) ROW(partition, member, 0, t)

static const struct field partition_fields[] = {
	TEXT(name, "P.1_2-"),
	{ "id, bytes 0 to 7", offsetof(struct partition, id), 8,
	    0x0123456789abcdef, NULL },
	{ "id, bytes 8 to 15", offsetof(struct partition, id) + 8, 8,
	    INT64_MIN + 1, NULL },
	NUMBER(placement.cluster, 1),
	NUMBER(placement.first_ild, 1),
	NUMBER(placement.ild_count, 2),
	NUMBER(placement.offset, 4),
	NUMBER(placement.per_ild, 2),
	NUMBER(allocation, 1),
	NUMBER(num_gcds, 2),
	NUMBER(num_replicas, 4096),
	NUMBER(routing, IRT_RINGSWNC),
	NUMBER(gateway_routing, GRT_SWRING),
	NUMBER(sync_type, ST_POD_NATIVE_REPLICATED_PIPELINE),
	NUMBER(state, PS_ERROR),
	NUMBER(operation, POS_FAILED),
	NUMBER(owner, UINT32_MAX),
	NUMBER(owner_kind, PO_IPUJOB),
	TEXT(owner_text, "poprun, pid 1 on h; # = \t\"%"),
	TEXT(user, "U.1_2-"),
	NUMBER(reconfigurable, 1),
	NUMBER(relocatable, 1),
	NUMBER(no_auto_reset, 1),
	NUMBER(moves, UINT8_MAX),
	NUMBER(attempts, INT32_MAX),
	NUMBER(resets, INT32_MAX - 1),
	NUMBER(created, -1),
	NUMBER(changed_ms, INT64_MAX),
	NUMBER(due_ms, INT64_MAX - 1),
	NUMBER(reset_ms, INT64_MAX - 2),
	NUMBER(error_ms, INT64_MAX - 3),
	NUMBER(expires_ms, INT64_MAX - 4),
	TEXT(last_error, " \xc3\xa9 = ;%#\n\t\"\\ "),
	TEXT(ipuof_directory, "/a b/ ; [c]\r\n%41"),
};

#undef NUMBER
#undef TEXT
#define NUMBER(member, n) ROW(agent, member, n, NULL)
#define TEXT(member, t) ROW(agent, member, 0, t)

static const struct field agent_fields[] = {
	TEXT(name, "M.1_2-"),
	TEXT(host, "fd00::fffe"),
	TEXT(address, "10.77.5.1"),
	NUMBER(port, UINT16_MAX),
	NUMBER(serial, INT32_MAX),
	NUMBER(lot, INT32_MAX - 1),
	NUMBER(model, MACHINE_M2000),
	NUMBER(cluster, 1),
	NUMBER(allocation, 1),
	NUMBER(state, MACHINE_REBOOTING),
	NUMBER(fail_config, INT32_MAX - 2),
	NUMBER(slow_ms, INT32_MAX - 3),
	NUMBER(changed_ms, INT64_MAX),
	NUMBER(up_ms, INT64_MAX - 1),
};

#define COUNT(rows) (ARRAY_SIZE(rows))

/* All bytes of a struct that are a value's, and not padding, become 0xff. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define CLEAR_PADDING(p) __builtin_clear_padding(p)
#endif
#endif
#ifndef CLEAR_PADDING
#define CLEAR_PADDING(p) (void)(p) /* all count: there is none so far */
#endif

/* Each byte of a value stands in exactly one row. */
static void
check_table(const void *values, size_t size, const struct field *fields,
    size_t count, const char *name)
{
	unsigned char rest[4096];
	size_t i, j, missing = 0;
	bool once = true;

	memcpy(rest, values, size);
	for (i = 0; i < count; i++)
		for (j = 0; j < fields[i].size; j++) {
			once &= rest[fields[i].offset + j] == 0xff;
			rest[fields[i].offset + j] = 0;
		}
	for (i = 0; i < size; i++)
		if (rest[i] != 0 && missing++ == 0)
			printf("# byte %zu is of a field without a row\n", i);
	ok(once && missing == 0, name);
}

static void
check_tables(void)
{
	struct partition p;
	struct agent a;

	memset(&p, 0xff, sizeof(p));
	CLEAR_PADDING(&p);
	check_table(&p, sizeof(p), partition_fields, COUNT(partition_fields),
	    "every field of a partition has a row");
	memset(&a, 0xff, sizeof(a));
	CLEAR_PADDING(&a);
	check_table(&a, sizeof(a), agent_fields, COUNT(agent_fields),
	    "every field of a machine has one");
}

/* A number's low bytes, or the text and x as far as there is room. */
static void
set(void *target, const struct field *f)
{
	char *to = (char *)target + f->offset;

	if (f->text == NULL) {
		memcpy(to, &f->number, f->size);
		return;
	}
	memset(to, 'x', f->size);
	memcpy(to, f->text, strlen(f->text));
	to[f->size - 1] = '\0';
}

/* As the files have it: through a registry that is made for it. */
static struct snapshot
from_files(void)
{
	struct snapshot snap;
	struct state s;
	struct error e;

	(void)unlink(test_paths.registry);
	must(state_open(&s, &e), &e);
	must(snapshot_take(&s.registry, &snap, &e), &e);
	state_close(&s);
	return snap;
}

static void
check_partition(const struct partition *p, const char *name)
{
	struct snapshot snap;
	struct state s;
	struct error e;

	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(state_add_partition(&s, p, &e), &e);
	state_close(&s);
	snap = from_files();
	ok(snap.damaged == 0 && snap.partition_count == 1 &&
		memcmp(snap.partitions, p, sizeof(*p)) == 0,
	    name);
	if (snap.damaged != 0)
		printf("# %s\n", snap.damage);
	snapshot_release(&snap);
	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(state_remove_partition(&s, p->name, &e), &e);
	state_close(&s);
}

/* A partition whose file has only the keys that all files have. */
static struct partition
small_partition(void)
{
	struct partition p = { .name = "p" };

	p.id[PARTITION_ID_SIZE - 1] = 7;
	p.placement.ild_count = 1;
	p.placement.per_ild = 4;
	p.num_gcds = p.num_replicas = 1;
	p.allocation = -1;
	return p;
}

/* One field after the other, and all of them. */
static void
test_partition(void)
{
	struct partition base = small_partition(), one, all;
	size_t i;

	check_partition(&base, "a partition with little in it");
	all = base;
	for (i = 0; i < COUNT(partition_fields); i++) {
		one = base;
		set(&one, &partition_fields[i]);
		set(&all, &partition_fields[i]);
		if (memcmp(&one, &base, sizeof(base)) == 0)
			is_str(partition_fields[i].name, "", "is as before");
		check_partition(&one, partition_fields[i].name);
	}
	check_partition(&all, "all at once");
}

/* Under the lock: another pod in place of the one there is. */
static void
change_pod(struct snapshot *snap)
{
	struct inventory in = { &snap->pod, snap->partitions,
		snap->partition_count };
	struct state s;
	struct error e;

	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(new_pod_replace(&s, &in, &e), &e);
	state_close(&s);
}

static bool
same_pod(const struct pod *a, const struct pod *b)
{
	return a->agent_count == b->agent_count &&
	    a->cluster_count == b->cluster_count &&
	    a->allocation_count == b->allocation_count &&
	    strcmp(a->name, b->name) == 0 &&
	    memcmp(a->agents, b->agents,
		(size_t)a->agent_count * sizeof(*a->agents)) == 0 &&
	    memcmp(a->clusters, b->clusters,
		(size_t)a->cluster_count * sizeof(*a->clusters)) == 0 &&
	    memcmp(a->allocations, b->allocations,
		(size_t)a->allocation_count * sizeof(*a->allocations)) == 0;
}

static void
check_machine(const struct agent *a, const char *name)
{
	struct snapshot wanted = from_files(), got;

	wanted.pod.agents[MACHINE] = *a;
	change_pod(&wanted);
	got = from_files();
	ok(same_pod(&got.pod, &wanted.pod), name);
	snapshot_release(&got);
	snapshot_release(&wanted);
}

static void
test_machine(void)
{
	struct snapshot snap = from_files();
	struct agent base = snap.pod.agents[MACHINE], one, all = base;
	size_t i;

	is_int(base.cluster, 1, "a machine of the second cluster");
	snapshot_release(&snap);
	for (i = 0; i < COUNT(agent_fields); i++) {
		one = base;
		set(&one, &agent_fields[i]);
		set(&all, &agent_fields[i]);
		check_machine(&one, agent_fields[i].name);
	}
	check_machine(&all, "all of a machine at once");
}

/* No number of the second cluster and its allocation is 0, by itself. */
static void
test_groups(const struct pod *pod)
{
	struct snapshot snap = from_files();
	int32_t numbers[(sizeof(struct cluster) - NAME_SIZE) / sizeof(int32_t)];
	size_t i;

	memcpy(numbers, (const char *)&pod->clusters[1] + NAME_SIZE,
	    sizeof(numbers));
	for (i = 0; i < COUNT(numbers); i++)
		ok(numbers[i] != 0, "a field of a cluster");
	is_int(pod->allocations[1].cluster, 1, "and of an allocation");
	is_int(sizeof(struct allocation), NAME_SIZE + sizeof(int32_t),
	    "which has no other");
	ok(same_pod(pod, &snap.pod), "a pod comes back");
	snapshot_release(&snap);
}

/* Compares a text, which it frees, with the golden one. */
static void
check_text(char *text, const char *name)
{
	const char *tests = getenv("TESTDIR");
	char path[256], *wanted;
	size_t size;
	struct error e;

	(void)snprintf(path, sizeof(path), "%s/golden/state/%s.ini",
	    tests != NULL ? tests : "tests", name);
	wanted = file_read(path, 4096, &size, &e);
	is_str(text, wanted != NULL ? wanted : e.text, name);
	free(wanted);
	free(text);
}

static void
check_identity(const struct store_identity *identity, const char *name)
{
	struct error e;
	size_t size;

	must(store_write_identity(directory_at(test_paths.directory), identity,
		 &e),
	    &e);
	check_text(file_read_at(directory_at(test_paths.directory), "pod.ini",
		       4096, &size, &e),
	    name);
}

static void
test_texts(const struct pod *pod)
{
	struct partition p = small_partition();
	struct agent a = pod->agents[MACHINE];
	struct user u = { .name = "ann", .hash = "0a1b" };
	struct store_identity identity = { .name = "two", .id = { 1, 255 } };
	struct error e;
	size_t i;

	check_text(object_partition_text(pod, &p), "partition-small");
	for (i = 0; i < COUNT(partition_fields); i++)
		set(&p, &partition_fields[i]);
	check_text(object_partition_text(pod, &p), "partition");
	check_text(object_agent_text(pod, 3, &a), "agent-small");
	for (i = 0; i < COUNT(agent_fields); i++)
		set(&a, &agent_fields[i]);
	check_text(object_agent_text(pod, MACHINE, &a), "agent");
	a.cluster = a.allocation = -1;
	check_text(object_agent_text(pod, 0, &a), "agent-spare");
	check_text(object_cluster_text(pod, 1), "cluster");
	check_text(object_allocation_text(pod, 1), "allocation");
	check_text(user_store_text(&u), "user-small");
	must(user_set_allocations(&u, "first,second", &e), &e);
	check_text(user_store_text(&u), "user");
	check_identity(&identity, "pod-small");
	identity.staged = identity.patched = identity.secure = true;
	check_identity(&identity, "pod");
}

int
main(void)
{
	struct error e;
	struct pod pod;

	(void)alarm(120);
	check_tables();
	use_state("round-trip");
	must(pod_file_parse(&pod, "two", pod_text, &e), &e);
	must(new_pod_init(&test_paths, &pod,
		 &(struct new_pod){ .force = false }, &e),
	    &e);
	test_groups(&pod);
	test_partition();
	test_machine();
	test_texts(&pod);
	pod_release(&pod);
	return state_util_done();
}
