/*
 * vipu-admin list agents, vipu-admin get agent: the machines.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/output.h"
#include "core/base/clock.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "ipu/device/device.h"

/* Properties of every emulated machine, as in the guide's example. */
#define PLATFORM "ipum-p2"
#define MANUFACTURER "Graphcore"
#define DISCOVERY_MODE "DM_GCDA"
#define PART_NUMBER "GC-ADA2-00-ES1 Rev. C"
#define HDF_VERSION "1.0.1"
#define HDF_HASH "1275acb46311f7a46e05f721d73d180c44975e7e"

enum { NUM_TILES = 1472 };

/* Some machines of a pod, at one moment. */
struct agents_view {
	struct registry registry;
	struct snapshot snapshot;
	int64_t now_ms;
	int first, count;
	const struct versions *versions;
};

/* Return the snapshot's pod. */
static const struct pod *
pod_of(const struct agents_view *q)
{
	return &q->snapshot.pod;
}

/* Return V-IPU's version, or ours if the release has none. */
static const char *
vipu_version(const struct agents_view *q)
{
	return q->versions->vipu != NULL ? q->versions->vipu : IPUBOX_VERSION;
}

/* Return the cluster's name, or "" for a machine outside all clusters. */
static const char *
agents_cluster_name(const struct pod *pod, const struct agent *a)
{
	return a->cluster == -1 ? "" : pod->clusters[a->cluster].name;
}

static const char *
agents_allocation_name(const struct pod *pod, const struct agent *a)
{
	return a->allocation == -1 ? "" : pod->allocations[a->allocation].name;
}

/* Write the serial number for both boards of a machine; the middle field is the
   board's. */
static void
machine_serial(const struct agent *a, char *text, size_t size)
{
	(void)snprintf(text, size, "%04u.xxxx.%07u", a->lot, a->serial);
}

/*
 * Return the state by the clock: a rebooting machine is up again when its time
 * has come, without a change of the registry.
 */
static const char *
status_name(const struct agent *a, int64_t now_ms)
{
	if (pod_machine_is_up(a, now_ms))
		return "Up";
	return a->state == MACHINE_REBOOTING ? "Rebooting" : "Down";
}

static enum terminal_tone
status_tone(const struct agent *a, int64_t now_ms)
{
	if (pod_machine_is_up(a, now_ms))
		return TONE_GOOD;
	return a->state == MACHINE_REBOOTING ? TONE_WARNING : TONE_BAD;
}

/* Add a row for each machine, for the table and the CSV. */
static void
agents_lines_under(const struct agents_view *q, struct table *t,
    const char *const *headers)
{
	const struct pod *pod = pod_of(q);
	const struct agent *a = pod->agents + q->first;
	char serial[32];

	table_init(t, headers);
	for (; a < pod->agents + q->first + q->count; a++) {
		machine_serial(a, serial, sizeof(serial));
		table_add(t, "%s", a->name);
		table_add(t, "%s", agents_cluster_name(pod, a));
		table_add(t, "%s", agents_allocation_name(pod, a));
		table_add(t, "%s", a->host);
		table_add(t, "%u", a->port);
		table_add(t, "%s", a->address);
		table_add(t, "%s", pod_machine_words[a->model]);
		table_add(t, "%s", serial);
		table_add(t, "%s", status_name(a, q->now_ms));
		table_tone(t, status_tone(a, q->now_ms));
	}
}

static void
agents_lines(const void *source, struct table *t)
{
	static const char *const headers[] = { "Agent", "Cluster", "Allocation",
		"Host", "Port", "IPUoF Address", "Type", "Serial", "Status",
		NULL };
	static const struct fit_rule rules[] = { { 1, 8, 0, FIT_KEEP_END },
		{ 2, 7, 3, FIT_KEEP_END }, { 3, 10, 5, FIT_KEEP_END },
		{ 4, 15, 0, FIT_KEEP_END }, { 0, 0, 4, FIT_KEEP_START },
		{ 5, 15, 6, FIT_KEEP_END }, { 0, 0, 2, FIT_KEEP_START },
		{ 0, 0, 1, FIT_KEEP_START }, { 0, 0, 0, FIT_KEEP_START } };

	agents_lines_under(source, t, headers);
	t->rules = rules;
}

static void
agents_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "cluster_id",
		"allocation_id", "host", "port", "ipuof_address", "type",
		"serial", "status", NULL };

	agents_lines_under(source, t, headers);
}

/* Add the fields of the list; get adds the fields of the page to the object. */
static yyjson_mut_val *
agent_json(const struct agents_view *q, const struct agent *a,
    yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct pod *pod = pod_of(q);
	yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, list);
	char serial[32];

	machine_serial(a, serial, sizeof(serial));
	yyjson_mut_obj_add_str(doc, o, "id", a->name);
	yyjson_mut_obj_add_str(doc, o, "cluster_id",
	    agents_cluster_name(pod, a));
	yyjson_mut_obj_add_str(doc, o, "allocation_id",
	    agents_allocation_name(pod, a));
	yyjson_mut_obj_add_str(doc, o, "host", a->host);
	yyjson_mut_obj_add_uint(doc, o, "port", a->port);
	yyjson_mut_obj_add_str(doc, o, "ipuof_address", a->address);
	yyjson_mut_obj_add_str(doc, o, "type", pod_machine_words[a->model]);
	yyjson_mut_obj_add_strcpy(doc, o, "serial", serial);
	yyjson_mut_obj_add_str(doc, o, "status", status_name(a, q->now_ms));
	return o;
}

static void
list_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct agents_view *q = source;
	int i;

	for (i = q->first; i < q->first + q->count; i++)
		(void)agent_json(q, &pod_of(q)->agents[i], doc, list);
}

/* ---- one machine ---- */

/* Fill the guide's page about a machine. */
static void
agents_page(const void *source, struct table *t)
{
	const struct agents_view *q = source;
	const struct pod *pod = pod_of(q);
	const struct agent *a = &pod->agents[q->first];

#define ROW(key, ...) (table_add(t, "%s", (key)), table_add(t, __VA_ARGS__))
	table_init(t, NULL);
	ROW("Agent ID", "%s", a->name);
	ROW("Host", "%s", a->host);
	ROW("Port", "%u", a->port);
	ROW("Status", "%s", status_name(a, q->now_ms));
	table_tone(t, status_tone(a, q->now_ms));
	ROW("Exporter",
	    strchr(a->host, ':') != NULL ? "http://[%s]:%d/metrics" :
					   "http://%s:%d/metrics",
	    a->host, EXPORTER_PORT);
	ROW("Platform", PLATFORM);
	ROW("Manufacturer", MANUFACTURER);
	ROW("Discovery Mode", DISCOVERY_MODE);
	ROW("Virm version", "%s", vipu_version(q));
	ROW("Runtime version", "%s", q->versions->machine);
	ROW("Board serial number", "%07u-%04u", a->serial, a->lot);
	ROW("Part number", PART_NUMBER);
	ROW("GWSW Version", "%s", q->versions->gateway);
	ROW("IPUoF server version", "%s%s",
	    q->versions->ipuof_server[0] != '\0' ? "v" : "",
	    q->versions->ipuof_server);
	ROW("HDF Version", HDF_VERSION);
	ROW("HDF Hash", HDF_HASH);
	ROW("Num of IPUs", "%d", IPUS_PER_MACHINE);
	ROW("Type", "%s", pod_machine_words[a->model]);
	ROW("IPUoF Address", "%s", a->address);
	ROW("Cluster", "%s", agents_cluster_name(pod, a));
	ROW("Allocation", "%s", agents_allocation_name(pod, a));
#undef ROW
}

/* The facts about an IPU, in the words of gc-info. */
struct ipu_facts {
	struct attributes attributes;
	char name[NAME_SIZE + 16];
	char pci[32];
	const char *partition; /* "" if none */
};

/* Return an attribute, or "" if the IPU does not have it. */
static const char *
fact(const struct ipu_facts *f, const char *key)
{
	const char *value = attributes_get(&f->attributes, key);

	return value != NULL ? value : "";
}

/*
 * IPUs are numbered through all machines: those of machine m start at m x
 * IPUS_PER_MACHINE.
 */
static void
agents_read_ipu(const struct agents_view *q, int index, struct ipu_facts *f)
{
	int ipu = q->first * IPUS_PER_MACHINE + index;
	int owner = q->snapshot.owner[ipu];

	attributes_read_ipu(&f->attributes, &q->registry, pod_of(q), ipu,
	    q->now_ms * 1000000, gcda_monitoring(), q->versions);
	pod_ipu_name(pod_of(q), ipu, f->name, sizeof(f->name));
	/* The domain is the IPU's number in its machine, as in gc-info. */
	(void)snprintf(f->pci, sizeof(f->pci), "%04d:01:00.0",
	    IPUS_PER_MACHINE - 1 - index);
	f->partition = owner == -1 ? "" : q->snapshot.partitions[owner].name;
}

static const char *
device_name(const struct agent *a)
{
	return a->model == MACHINE_BOW2000 ? "Bow" : "GC200";
}

/* Fill the second half of the guide's page. */
static void
ipus_table(const struct agents_view *q, struct table *t)
{
	static const char *const headers[] = { "IPU", "PCI", "Device",
		"Firmware", "Architecture", "Num Tiles", "Clock", "State",
		"Partition", NULL };
	static const struct fit_rule rules[] = { { 1, 8, 0, FIT_KEEP_END },
		{ 0, 0, 5, FIT_KEEP_START }, { 0, 0, 6, FIT_KEEP_START },
		{ 0, 0, 3, FIT_KEEP_START }, { 0, 0, 1, FIT_KEEP_START },
		{ 0, 0, 2, FIT_KEEP_START }, { 0, 0, 4, FIT_KEEP_START },
		{ 3, 10, 0, FIT_WRAP }, { 2, 12, 0, FIT_KEEP_END } };
	struct ipu_facts f;
	int i;

	table_init(t, headers);
	t->rules = rules;
	for (i = 0; i < IPUS_PER_MACHINE; i++) {
		agents_read_ipu(q, i, &f);
		table_add(t, "%s", f.name);
		table_add(t, "%s", f.pci);
		table_add(t, "%s", device_name(&pod_of(q)->agents[q->first]));
		table_add(t, "%s", fact(&f, "firmware version"));
		table_add(t, "%s", fact(&f, "ipu architecture"));
		table_add(t, "%d", NUM_TILES);
		table_add(t, "%s", fact(&f, "clock"));
		table_add(t, "%s", fact(&f, "ipu error state"));
		table_add(t, "%s", f.partition);
	}
}

/* Add the page's versions; they are equal for every emulated machine. */
static void
add_versions(yyjson_mut_doc *doc, yyjson_mut_val *o,
    const struct agents_view *q)
{
	yyjson_mut_obj_add_str(doc, o, "platform", PLATFORM);
	yyjson_mut_obj_add_str(doc, o, "manufacturer", MANUFACTURER);
	yyjson_mut_obj_add_str(doc, o, "discovery_mode", DISCOVERY_MODE);
	yyjson_mut_obj_add_str(doc, o, "virm_version", vipu_version(q));
	yyjson_mut_obj_add_str(doc, o, "runtime_version", q->versions->machine);
	yyjson_mut_obj_add_str(doc, o, "part_number", PART_NUMBER);
	yyjson_mut_obj_add_str(doc, o, "gwsw_version", q->versions->gateway);
	yyjson_mut_obj_add_str(doc, o, "ipuof_server_version",
	    q->versions->ipuof_server);
	yyjson_mut_obj_add_str(doc, o, "hdf_version", HDF_VERSION);
	yyjson_mut_obj_add_str(doc, o, "hdf_hash", HDF_HASH);
}

static void
one_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct agents_view *q = source;
	const struct agent *a = &pod_of(q)->agents[q->first];
	yyjson_mut_val *o = agent_json(q, a, doc, list), *ipus, *ipu;
	struct ipu_facts f;
	int i;

	add_versions(doc, o, q);
	ipus = yyjson_mut_obj_add_arr(doc, o, "ipus");
	for (i = 0; i < IPUS_PER_MACHINE; i++) {
		agents_read_ipu(q, i, &f);
		ipu = yyjson_mut_arr_add_obj(doc, ipus);
		yyjson_mut_obj_add_strcpy(doc, ipu, "id", f.name);
		yyjson_mut_obj_add_strcpy(doc, ipu, "pci", f.pci);
		yyjson_mut_obj_add_str(doc, ipu, "device", device_name(a));
		yyjson_mut_obj_add_strcpy(doc, ipu, "firmware",
		    fact(&f, "firmware version"));
		yyjson_mut_obj_add_strcpy(doc, ipu, "architecture",
		    fact(&f, "ipu architecture"));
		yyjson_mut_obj_add_int(doc, ipu, "num_tiles", NUM_TILES);
		yyjson_mut_obj_add_strcpy(doc, ipu, "clock", fact(&f, "clock"));
		yyjson_mut_obj_add_strcpy(doc, ipu, "state",
		    fact(&f, "ipu error state"));
		yyjson_mut_obj_add_str(doc, ipu, "partition_id", f.partition);
	}
}

/* ---- the commands ---- */

/* An administrator sees everything, so the registry is read directly. */
static int
agents_begin(const struct call *call, struct agents_view *q)
{
	struct error error;
	int status;

	q->now_ms = clock_real_ms();
	q->versions = &call->versions;
	if ((status = call_read_registry(call, &q->registry)) != EXIT_DONE)
		return status;
	if (snapshot_take(&q->registry, &q->snapshot, &error) == 0)
		return EXIT_DONE;
	registry_close(&q->registry);
	return call_failed(call, &error);
}

static void
agents_end(struct agents_view *q)
{
	snapshot_release(&q->snapshot);
	registry_close(&q->registry);
}

int
agents_list(const struct call *call)
{
	static const struct output_view l = { agents_lines, TABLE_SPACE,
		list_json, agents_csv };
	enum output_format format;
	struct agents_view q;
	int status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if ((status = agents_begin(call, &q)) != EXIT_DONE)
		return status;
	q.first = 0;
	q.count = pod_of(&q)->agent_count;
	output_list(call, format, &l, &q);
	agents_end(&q);
	return EXIT_DONE;
}

/* The page has two tables, one below the other. */
static void
print_page(const struct call *call, const struct agents_view *q)
{
	struct table_screen screen;
	struct table t;

	output_screen(call, &screen);
	agents_page(q, &t);
	table_show(stdout, &t, TABLE_SPACE | TABLE_TOP_RULE | TABLE_OPEN,
	    &screen);
	table_release(&t);
	ipus_table(q, &t);
	table_show(stdout, &t, TABLE_SPACE | TABLE_TOP_RULE, &screen);
	table_release(&t);
}

int
agents_get(const struct call *call)
{
	static const struct output_view l = { agents_page, TABLE_SPACE,
		one_json, agents_csv };
	enum output_format format;
	struct agents_view q;
	struct error error;
	int status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if ((status = agents_begin(call, &q)) != EXIT_DONE)
		return status;
	q.first = selection_find_agent(pod_of(&q), call->name, &error);
	q.count = 1;
	if (q.first == -1)
		status = call_failed(call, &error);
	else if (format == FORMAT_TABLE)
		print_page(call, &q);
	else
		output_get(call, format, &l, &q);
	agents_end(&q);
	return status;
}
