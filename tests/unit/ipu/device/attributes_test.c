/* What gc-info --device-info says of a device. */
#include "ipu/device/device.h"

#include <bsd/string.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

#define SECOND INT64_C(1000000000)

static struct registry registry;

static void
prepare(void)
{
	struct partition one = make_partition("one", 0, 4);
	struct partition two = make_partition("two", 4, 4);
	struct state s;
	struct error e;

	(void)unsetenv("GCDA_MONITOR");
	(void)unsetenv("GCDA_OPTIONS");
	(void)unsetenv("IPUOF_VIPU_API_HOST");
	(void)unsetenv("IPUOF_VIPU_API_GCD_ID");
	(void)unsetenv("POPDIST_NUM_TOTAL_REPLICAS");
	use_state("attributes");
	one.reconfigurable = 1;
	one.sync_type = ST_GS2_DEFAULT;
	two.num_gcds = two.num_replicas = 2;
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &one, &e) == 0 &&
		state_add_partition(&s, &two, &e) == 0,
	    "two partitions");
	state_unlock(&s);
	state_close(&s);
	is_int(state_open_reader(&registry, &e), 0, "the registry");
}

static void
read_device(struct attributes *a, const char *partition, int id, int64_t now_ns,
    bool monitor)
{
	struct visible_name name = { .reference = { .gcd = -1 } };
	struct visible_devices v;
	struct device device;
	struct error e;

	(void)strlcpy(name.reference.partition, partition,
	    sizeof(name.reference.partition));
	if (visible_devices_open_name(&v, &registry, &name, &e) != 0 ||
	    device_by_id(v.partition, -1, id, &device) != 0)
		abort();
	attributes_read(a, &registry, &v.snapshot.pod, v.partition, &device,
	    now_ns, monitor, versions_at(0));
	visible_devices_release(&v);
}

struct row {
	const char *key;
	const char *value; /* NULL: there is none */
};

static void
check(const struct attributes *a, const struct row *row)
{
	for (; row->key != NULL; row++)
		is_str(attributes_get(a, row->key), row->value, row->key);
}

static void
test_free(void)
{
	static const struct row single[] = {
		{ "id", "0" },
		{ "target", "Fabric" },
		{ "average board temp", "N/A" },
		{ "average die temp", "N/A" },
		{ "board ipu index", "3" },
		{ "board type", "M2000" },
		{ "clock", "1330MHz" },
		{ "driver version", "1.0.56" },
		{ "firmware version", "2.4.4" },
		{ "gateway software version", "2.4.2" },
		{ "hexoatt total size (bytes)", "34082914304" },
		{ "hexopt total size (bytes)", "268435456" },
		{ "ipu architecture", "ipu2" },
		{ "ipu error state", "no errors" },
		{ "ipu power", "N/A" },
		{ "ipu utilisation", "0.00%" },
		{ "ipu utilisation (session)", "0.00%" },
		{ "ipuof partition id", "one" },
		{ "ipuof routing id", "0" },
		{ "ipuof routing type", "DNC" },
		{ "ipuof server version", "1.9.0" },
		{ "link speed", "16 GT/s" },
		{ "link width", "8" },
		{ "number of replicas", "1" },
		{ "partition sync type", "c2-compatible" },
		{ "pci id", "3" },
		{ "reconfigurable partition", "true" },
		{ "total board power", "N/A" },
		{ "GCD Id", NULL },
		{ "Num GCDs", NULL },
		{ "user name", NULL },
		{ "user process id", NULL },
		{ "process start time", NULL },
		{ "user executable", NULL },
		{ NULL, NULL },
	};
	static const struct row gcd[] = {
		{ "id", "5" },
		{ "target", "Multi IPU" },
		{ "GCD Id", "1" },
		{ "Num GCDs", "2" },
		{ "reconfigurable partition", "false" },
		{ "pci id", NULL },
		{ "board serial number", NULL },
		{ NULL, NULL },
	};
	struct attributes a;
	const char *serial;

	read_device(&a, "one", 0, SECOND, false);
	check(&a, single);
	serial = attributes_get(&a, "board serial number");
	ok(strstr(serial, ".0002.") == serial + 4, "IPU# 3: board 0002");
	read_device(&a, "one", 3, SECOND, false);
	serial = attributes_get(&a, "board serial number");
	ok(strstr(serial, ".0001.") == serial + 4, "IPU# 0: board 0001");
	is_str(attributes_get(&a, "pci id"), "0", "IPU# 0 is the last");
	read_device(&a, "two", 5, SECOND, false);
	check(&a, gcd);
}

/* An IPU of no partition: what the hardware is, and no more. */
static void
test_ipu(void)
{
	static const struct row ipu[] = {
		{ "average die temp", "N/A" },
		{ "board ipu index", "2" },
		{ "board serial number", "0024.0002.8203336" },
		{ "board type", "M2000" },
		{ "clock", "1330MHz" },
		{ "ipuof host", "10.1.5.16" },
		{ "link width", "8" },
		{ "id", NULL },
		{ "target", NULL },
		{ "ipuof routing id", NULL },
		{ "ipuof partition id", NULL },
		{ NULL, NULL },
	};
	static const struct row versions[] = {
		{ "driver version", "7.8" },
		{ "firmware version", "10.2.33" },
		{ "firmware major version", "10" },
		{ "firmware minor version", "2" },
		{ "firmware patch version", "33" },
		{ "gateway software version", "4.5" },
		{ "ipuof server version", "6" },
		{ NULL, NULL },
	};
	static const struct row no_versions[] = {
		{ "driver version", "7.8" },
		{ "firmware version", NULL },
		{ "firmware major version", NULL },
		{ "gateway software version", NULL },
		{ NULL, NULL },
	};
	struct versions v;
	struct snapshot s;
	struct attributes a;
	struct error e;
	int i, unsorted = 0;

	is_int(snapshot_take(&registry, &s, &e), 0, "the pod");
	attributes_read_ipu(&a, &registry, &s.pod, 61, SECOND, false,
	    versions_at(0));
	check(&a, ipu);
	for (i = 1; i < a.count; i++)
		unsorted += strcmp(a.rows[i - 1].key, a.rows[i].key) >= 0;
	is_int(unsorted, 0, "by name, each once");
	attributes_read_ipu(&a, &registry, &s.pod, 61, SECOND, true,
	    versions_at(0));
	ok(strcmp(attributes_get(&a, "average die temp"), "N/A") != 0,
	    "monitored");
	versions_guide(&v);
	(void)strlcpy(v.driver, "7.8", sizeof(v.driver));
	(void)strlcpy(v.firmware, "10.2.33", sizeof(v.firmware));
	(void)strlcpy(v.gateway, "4.5", sizeof(v.gateway));
	(void)strlcpy(v.ipuof_server, "6", sizeof(v.ipuof_server));
	attributes_read_ipu(&a, &registry, &s.pod, 61, SECOND, false, &v);
	check(&a, versions);
	(void)strlcpy(v.firmware, "", sizeof(v.firmware));
	(void)strlcpy(v.gateway, "", sizeof(v.gateway));
	attributes_read_ipu(&a, &registry, &s.pod, 61, SECOND, false, &v);
	check(&a, no_versions);
	snapshot_release(&s);
}

static void
test_order(void)
{
	struct attributes a;
	int i;

	read_device(&a, "two", 0, SECOND, false);
	is_str(a.rows[0].key, "id", "id first");
	is_str(a.rows[1].key, "target", "then target");
	for (i = 3; i < a.count; i++)
		if (!ok(strcmp(a.rows[i - 1].key, a.rows[i].key) < 0,
			"then by name"))
			printf("# %s\n", a.rows[i].key);
}

/* The session began at 22:46:48; it is half busy, a minute later. */
static void
test_attached(void)
{
	static const struct row used[] = {
		{ "process start time", "20211122T224648Z" },
		{ "user executable", "gc-hosttraffictest" },
		{ "user name", "justina" },
		{ "ipu utilisation", "50.00%" },
		{ "ipu utilisation (session)", "50.00%" },
		{ "ipu power", "82.5 W" },
		{ "average die temp", "43.1 C" },
		{ "total board power", "195.0 W" }, /* 30 + 2 x 82.5 */
		{ NULL, NULL },
	};
	static const struct row pair[] = {
		{ "ipu utilisation", "50.00%" },
		{ "ipu power", "165.0 W" },
		{ "total board power", "195.0 W" },
		{ "user name", "justina" },
		{ NULL, NULL },
	};
	static const struct row unmeasured[] = {
		{ "user name", "justina" },
		{ "ipu utilisation", "N/A" },
		{ "ipu utilisation (session)", "N/A" },
		{ "ipu power", "N/A" },
		{ "average board temp", "N/A" },
		{ NULL, NULL },
	};
	const int64_t start = INT64_C(1637621208) * SECOND;
	struct attachment a;
	struct attributes attributes;
	struct error e = { .text = "" };
	char pid[32];
	int i, k;

	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "one", 1);
	ok(attach(&a, 2, -1, "gc-hosttraffictest", &e) == 0, "attach");
	for (i = 0; i < 2; i++) {
		struct ipu_slot *slot = attach_slot(&a, i);

		slot->attached_ns = start;
		(void)strlcpy(slot->user, "justina", sizeof(slot->user));
		atomic_store(&slot->session_busy_ns, 30 * SECOND);
		atomic_store(&slot->last_busy_ns, start + 60 * SECOND);
		for (k = 0; k < 120; k += 2)
			busy_ring_add(&slot->ring, start + k * SECOND / 2,
			    start + (k + 1) * SECOND / 2);
	}
	read_device(&attributes, "one", 0, start + 60 * SECOND, true);
	check(&attributes, used);
	(void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
	is_str(attributes_get(&attributes, "user process id"), pid, "its pid");
	read_device(&attributes, "one", 4, start + 60 * SECOND, true);
	check(&attributes, pair);
	read_device(&attributes, "one", 6, start + 60 * SECOND, true);
	is_str(attributes_get(&attributes, "ipu utilisation"), "25.00%",
	    "half of a group at half load");
	read_device(&attributes, "one", 0, start + 60 * SECOND, false);
	is_str(attributes_get(&attributes, "ipu power"), "N/A",
	    "the holder asked for no sensors");
	attach_slot(&a, 0)->flags |= SLOT_UNMEASURED;
	read_device(&attributes, "one", 0, start + 60 * SECOND, true);
	check(&attributes, unmeasured);
	read_device(&attributes, "one", 4, start + 60 * SECOND, true);
	is_str(attributes_get(&attributes, "ipu utilisation"), "N/A",
	    "nor is a group with it measured");
	attach_end(&a);
	read_device(&attributes, "one", 0, start + 60 * SECOND, true);
	is_str(attributes_get(&attributes, "user name"), NULL, "free again");
	is_str(attributes_get(&attributes, "ipu power"), "41.0 W", "and idle");
}

int
main(void)
{
	prepare();
	test_free();
	test_ipu();
	test_order();
	test_attached();
	registry_close(&registry);
	return state_util_done();
}
