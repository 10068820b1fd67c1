/*
 * The attributes of a device.  A table has the constant ones; the others come
 * from the pod, the partition and the slots of its IPUs.
 *
 * A group of IPUs has the attributes that its IPUs have in common, and: mean
 * temperatures and utilisation, total power, the process that holds one of its
 * IPUs, and all errors of its IPUs.
 */

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/listing.h"
#include "ipu/device/status.h"

enum { FIXED_ROWS = 2 }; /* id and target stay first */

/* Equal on all IPUs of an emulated machine. */
static const struct attribute constant[] = {
	{ "graph streaming", "true" },
	{ "hexoatt active size (bytes)", "0" },
	{ "hexoatt total size (bytes)", "34082914304" },
	{ "hexopt active size (bytes)", "0" },
	{ "hexopt total size (bytes)", "268435456" },
	{ "host link correctable error count", "0" },
	{ "ipu architecture", IPU_ARCHITECTURE },
	{ "link correctable error count", "0" },
	{ "link width", ATTRIBUTES_LINK_WIDTH },
	{ "remote buffers supported", "1" },
};

/* Added by the newest release. */
static const struct attribute constant_new[] = {
	{ "icu bootloader version", "2.6.2" },
	{ "link correctable error count (session)", "0" },
	{ "parity error count threshold", "4" },
	{ "parity error threshold interval", "7776000 seconds" },
	{ "parity initialised", "1" },
};

static void attributes_add(struct attributes *, const char *, const char *, ...)
    __attribute__((format(printf, 3, 4)));

/* Add a value that lives as long as the program. */
static void
attributes_add_word(struct attributes *a, const char *key, const char *value)
{
	assert(a->count < ATTRIBUTES_MAX);
	a->rows[a->count++] = (struct attribute){ key, value };
}

/* Return the place for the next value that is not constant. */
static char *
attributes_room(struct attributes *a)
{
	assert(a->count < ATTRIBUTES_MAX);
	return a->texts[a->count];
}

static void
attributes_add_text(struct attributes *a, const char *key, const char *value)
{
	char *text = attributes_room(a);

	(void)strlcpy(text, value, sizeof(a->texts[0]));
	attributes_add_word(a, key, text);
}

static void
attributes_add(struct attributes *a, const char *key, const char *fmt, ...)
{
	char *text = attributes_room(a);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(a->texts[0]), fmt, ap);
	va_end(ap);
	attributes_add_word(a, key, text);
}

/* Add the attributes of a single IPU that a group lacks. */
static void
add_place(struct attributes *a, const struct pod *pod, int ipu)
{
	int number = listing_ipu_number(ipu);
	const struct agent *agent = &pod->agents[listing_ipu_machine(ipu)];
	char serial[SERIAL_SIZE];

	status_serial(agent, number, serial);
	attributes_add(a, "board ipu index", "%d", number);
	attributes_add_text(a, "board serial number", serial);
	attributes_add_text(a, "ipuof host", agent->address);
	attributes_add(a, "pci id", "%d", number);
	attributes_add(a, "pcie physical slot", "%d", number);
}

/* Return a stable number for the partition.  The real driver shows an address
   in its memory; this one looks alike: a multiple of 16 below
   0x560000000000. */
static uint64_t
config_domain(const struct partition *p)
{
	return (UINT64_C(0x55) << 40) |
	    (identity_number(p->id) & ~UINT64_C(15));
}

static void
attributes_add_partition(struct attributes *a, const struct partition *p,
    const struct device *d)
{
	if (p->num_gcds > 1) {
		attributes_add(a, "GCD Id", "%d", d->gcd);
		attributes_add(a, "Num GCDs", "%d", p->num_gcds);
	}
	attributes_add(a, "config domain", "%" PRIu64, config_domain(p));
	attributes_add_text(a, "ipuof partition id", p->name);
	attributes_add_text(a, "ipuof routing type",
	    partition_link_routing_name(p->routing));
	attributes_add(a, "number of replicas", "%d", p->num_replicas);
	attributes_add_text(a, "partition sync type",
	    partition_sync_type_name(p->sync_type));
	attributes_add_text(a, "reconfigurable partition",
	    p->reconfigurable ? "true" : "false");
}

/* Show a process id only to readers for which it means that process. */
static void
attributes_add_process(struct attributes *a, const struct registry *r,
    const struct ipu_slot *holder)
{
	time_t seconds = (time_t)(holder->attached_ns / 1000000000);
	struct tm tm;
	char start[32], command[SLOT_COMMAND_SIZE];
	char user[SLOT_USER_SIZE];
	struct holder_place here;

	if (gmtime_r(&seconds, &tm) == NULL ||
	    strftime(start, sizeof(start), "%Y%m%dT%H%M%SZ", &tm) == 0)
		(void)strlcpy(start, "N/A", sizeof(start));
	holder_program(holder->command, command, sizeof(command));
	text_printable(holder->user, user, sizeof(user));
	attributes_add_text(a, "process start time", start);
	attributes_add_text(a, "user executable", command);
	attributes_add_text(a, "user name", user);
	holder_place_of(&here, r);
	if (holder_is_here(&here, holder))
		attributes_add(a, "user process id", "%d", holder->pid);
}

/* Return an equal number for the two IPUs of a board. */
static int
board_of(int ipu)
{
	return ipu / SENSORS_BOARD_IPUS;
}

/* Sums over the device's IPUs. */
struct totals {
	struct ipu_status status; /* monitored, measured: true if true of all */
	struct ipu_slot holder;	  /* of the first IPU that is held */
	bool attached;
	double recent, session, die_c, power_w;
	double board_c, board_w;
	int last_board;
	struct condition condition; /* the most severe */
};

/* Count a board's power once: its IPUs are neighbours in a device. */
static void
add_up(struct totals *t, const struct ipu_status *s)
{
	if (s->attached && !t->attached) {
		t->attached = true;
		t->holder = s->holder;
	}
	t->status.monitored = t->status.monitored && s->monitored;
	t->status.sensors.measured = t->status.sensors.measured &&
	    s->sensors.measured;
	t->recent += s->sensors.recent;
	t->session += s->sensors.session;
	t->die_c += s->sensors.die_c;
	t->power_w += s->sensors.power_w;
	t->board_c += s->board_c;
	if (board_of(s->ipu) != t->last_board)
		t->board_w += s->board_w;
	t->last_board = board_of(s->ipu);
}

/* Begin with a device of no IPUs, which is in order. */
static void
totals_init(struct totals *t)
{
	memset(t, 0, sizeof(*t));
	t->last_board = -1;
	t->status.monitored = t->status.sensors.measured = true;
	condition_init(&t->condition);
}

/* Add an IPU of the partition, or of none (NULL). */
static void
totals_read(struct totals *t, struct ipu_status *s, const struct registry *r,
    const struct pod *pod, const struct partition *p, int ipu, int64_t now_ns,
    bool monitor)
{
	struct condition c;

	status_read(s, r, pod, ipu, now_ns, monitor);
	add_up(t, s);
	condition_of_ipu(&c, s, p, pod, now_ns / 1000000);
	condition_join(&t->condition, &c);
}

static void
add_readings(struct attributes *a, const struct totals *t, int count,
    int clock_mhz)
{
	char text[READING_SIZE];

	attributes_add(a, "clock", "%dMHz", clock_mhz);
	status_reading(&t->status, t->board_c / count, "C", text);
	attributes_add_text(a, "average board temp", text);
	status_reading(&t->status, t->die_c / count, "C", text);
	attributes_add_text(a, "average die temp", text);
	status_reading(&t->status, t->power_w, "W", text);
	attributes_add_text(a, "ipu power", text);
	status_reading(&t->status, t->board_w, "W", text);
	attributes_add_text(a, "total board power", text);
	status_utilisation(&t->status, t->recent / count, text);
	attributes_add_text(a, "ipu utilisation", text);
	status_utilisation(&t->status, t->session / count, text);
	attributes_add_text(a, "ipu utilisation (session)", text);
	attributes_add_text(a, "ipu error state", t->condition.error_state);
}

static void
add_version(struct attributes *a, const char *key, const char *version)
{
	if (version[0] != '\0')
		attributes_add_text(a, key, version);
}

/* Add the versions, and the three numbers of the firmware separately. */
static void
attributes_add_versions(struct attributes *a, const struct versions *v)
{
	static const char *const parts[] = { "firmware major version",
		"firmware minor version", "firmware patch version" };
	const char *rest = v->firmware;
	size_t i, len;

	add_version(a, "driver version", v->driver);
	add_version(a, "gateway software version", v->gateway);
	add_version(a, "ipuof server version", v->ipuof_server);
	add_version(a, "firmware version", v->firmware);
	for (i = 0; i < ARRAY_SIZE(parts) && v->firmware[0] != '\0'; i++) {
		len = strcspn(rest, ".");
		attributes_add(a, parts[i], "%.*s", (int)len, rest);
		rest += len + (rest[len] == '.');
	}
}

const char *
attributes_link_speed(const struct versions *v)
{
	return v->attributes == VERSIONS_NEW ? "16.0 GT/s" : "16 GT/s";
}

/* Add the constants for a machine of that model and release. */
static void
attributes_add_constant(struct attributes *a, int model,
    const struct versions *v)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(constant); i++)
		attributes_add_word(a, constant[i].key, constant[i].value);
	attributes_add_word(a, "link speed", attributes_link_speed(v));
	attributes_add_word(a, "board type", STATUS_BOARD_TYPE);
	if (v->attributes != VERSIONS_NEW)
		return;
	for (i = 0; i < ARRAY_SIZE(constant_new); i++)
		attributes_add_word(a, constant_new[i].key,
		    constant_new[i].value);
	attributes_add_word(a, "board variant",
	    model == MACHINE_BOW2000 ? "B2000" : "M2000");
}

/* Sort by name like strcmp(), capitals before small letters.  Most rows come in
   order and do not move: with qsort(3), most of the time went into moving rows,
   as a large pod has 65,536 such lists. */
static void
attributes_sort(struct attribute *rows, int count)
{
	struct attribute row;
	int i, k;

	for (i = 1; i < count; i++) {
		row = rows[i];
		for (k = i; k > 0 && strcmp(rows[k - 1].key, row.key) > 0; k--)
			rows[k] = rows[k - 1];
		rows[k] = row;
	}
}

void
attributes_read(struct attributes *a, const struct registry *r,
    const struct pod *pod, const struct partition *p, const struct device *d,
    int64_t now_ns, bool monitor, const struct versions *v)
{
	struct totals totals;
	struct ipu_status status = { 0 };
	int i, ipu = 0;

	a->count = 0;
	attributes_add(a, "id", "%d", d->id);
	attributes_add_word(a, "target",
	    d->count == 1 ? "Fabric" : "Multi IPU");
	totals_init(&totals);
	for (i = 0; i < d->count; i++) {
		ipu = placement_ipu(pod, &p->placement, d->first + i);
		totals_read(&totals, &status, r, pod, p, ipu, now_ns, monitor);
	}
	attributes_add_constant(a, pod->agents[listing_ipu_machine(ipu)].model,
	    v);
	if (d->count == 1) {
		add_place(a, pod, ipu);
		attributes_add(a, "ipuof routing id", "%d", d->first);
	}
	attributes_add_partition(a, p, d);
	add_readings(a, &totals, d->count, status.sensors.clock_mhz);
	if (totals.attached && holder_is_known(&totals.holder))
		attributes_add_process(a, r, &totals.holder);
	attributes_add_versions(a, v);
	attributes_sort(a->rows + FIXED_ROWS, a->count - FIXED_ROWS);
}

void
attributes_read_ipu(struct attributes *a, const struct registry *r,
    const struct pod *pod, int ipu, int64_t now_ns, bool monitor,
    const struct versions *v)
{
	struct totals totals;
	struct ipu_status status;

	a->count = 0;
	totals_init(&totals);
	totals_read(&totals, &status, r, pod, NULL, ipu, now_ns, monitor);
	attributes_add_constant(a, pod->agents[listing_ipu_machine(ipu)].model,
	    v);
	add_place(a, pod, ipu);
	add_readings(a, &totals, 1, status.sensors.clock_mhz);
	attributes_add_versions(a, v);
	attributes_sort(a->rows, a->count);
}

const char *
attributes_get(const struct attributes *a, const char *key)
{
	int i;

	for (i = 0; i < a->count; i++)
		if (strcmp(a->rows[i].key, key) == 0)
			return a->rows[i].value;
	return NULL;
}

void
attributes_put(const struct attributes *a, FILE *f)
{
	int i;

	for (i = 0; i < a->count; i++) {
		fprintf(f, "  %s: ", a->rows[i].key);
		text_put(f, a->rows[i].value);
		fputc('\n', f);
	}
}

void
attributes_put_json(const struct attributes *a, yyjson_mut_doc *doc,
    yyjson_mut_val *object)
{
	int i;

	for (i = 0; i < a->count; i++)
		(void)yyjson_mut_obj_add_strcpy(doc, object, a->rows[i].key,
		    a->rows[i].value);
}
