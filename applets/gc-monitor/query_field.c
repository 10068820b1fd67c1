/*
 * Reads the fields of a query.  Each has a small function; the table at the end
 * has them in the order of --list-fields.
 */
#include "applets/gc-monitor/query_field.h"

#include <bsd/string.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc.h"
#include "ipu/device/device.h"

#define MIB (1024.0 * 1024.0)

static enum query_value number(char *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static enum query_value
number(char *text, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, QUERY_TEXT_SIZE, fmt, ap);
	va_end(ap);
	return QUERY_NUMBER;
}

/* Copy a text; an empty one does not exist. */
static enum query_value
word(char *text, const char *value)
{
	(void)strlcpy(text, value, QUERY_TEXT_SIZE);
	return text[0] == '\0' ? QUERY_NOTHING : QUERY_TEXT;
}

static const struct sample_ipu *
ipu_of(const struct query_row *r)
{
	return &r->sample->ipus[r->ipu];
}

static const struct partition *
partition_of(const struct query_row *r)
{
	return sample_partition(r->sample, ipu_of(r)->partition);
}

static const struct agent *
machine_of(const struct query_row *r)
{
	return sample_machine(r->sample, r->ipu);
}

/* ---- the moment and the IPU ---- */

static enum query_value
read_timestamp(const struct query_row *r, char *text)
{
	const int64_t now_ns = r->sample->now_ns;
	const time_t seconds = (time_t)(now_ns / 1000000000);
	struct tm tm;
	char whole[32];

	if (gmtime_r(&seconds, &tm) == NULL ||
	    strftime(whole, sizeof(whole), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		return QUERY_UNKNOWN;
	(void)snprintf(text, QUERY_TEXT_SIZE, "%s.%03dZ", whole,
	    (int)(now_ns / 1000000 % 1000));
	return QUERY_TEXT;
}

static enum query_value
read_index(const struct query_row *r, char *text)
{
	return number(text, "%d", r->id);
}

static enum query_value
read_ipu(const struct query_row *r, char *text)
{
	return number(text, "%d", r->ipu);
}

static enum query_value
read_name(const struct query_row *r, char *text)
{
	pod_ipu_name(sample_pod(r->sample), r->ipu, text, QUERY_TEXT_SIZE);
	return QUERY_TEXT;
}

static enum query_value
read_chip(const struct query_row *r, char *text)
{
	char chip[IPUOF_CHIP_SIZE];

	ipuof_chip_id(sample_pod(r->sample), r->ipu, chip);
	return word(text, chip);
}

static enum query_value
read_pci(const struct query_row *r, char *text)
{
	return number(text, "%d", listing_ipu_number(r->ipu));
}

static enum query_value
read_serial(const struct query_row *r, char *text)
{
	char serial[SERIAL_SIZE];

	status_serial(machine_of(r), listing_ipu_number(r->ipu), serial);
	return word(text, serial);
}

/* ---- its partition and its machine ---- */

static enum query_value
read_partition(const struct query_row *r, char *text)
{
	return word(text, partition_of(r)->name);
}

static enum query_value
read_partition_state(const struct query_row *r, char *text)
{
	return word(text, partition_state_name(partition_of(r)->state));
}

static enum query_value
read_gcd(const struct query_row *r, char *text)
{
	return number(text, "%d", ipu_of(r)->gcd);
}

static enum query_value
read_routing(const struct query_row *r, char *text)
{
	return number(text, "%d", ipu_of(r)->routing_id);
}

static enum query_value
read_machine(const struct query_row *r, char *text)
{
	return word(text, machine_of(r)->name);
}

static enum query_value
read_address(const struct query_row *r, char *text)
{
	return word(text, machine_of(r)->address);
}

static enum query_value
read_model(const struct query_row *r, char *text)
{
	return word(text, pod_machine_words[machine_of(r)->model]);
}

static enum query_value
read_machine_state(const struct query_row *r, char *text)
{
	const struct agent *a = machine_of(r);

	return word(text,
	    pod_machine_state_words[pod_machine_is_up(a,
					r->sample->now_ns / 1000000) ?
		    MACHINE_UP :
		    a->state]);
}

/* ---- its work ---- */

static enum query_value
percent(const struct query_row *r, double part_of_one, char *text)
{
	return ipu_of(r)->sensors.measured ?
	    number(text, "%.2f", 100.0 * part_of_one) :
	    QUERY_UNKNOWN;
}

static enum query_value
read_recent(const struct query_row *r, char *text)
{
	return percent(r, ipu_of(r)->sensors.recent, text);
}

static enum query_value
read_minute(const struct query_row *r, char *text)
{
	return percent(r, ipu_of(r)->sensors.minute, text);
}

static enum query_value
read_session(const struct query_row *r, char *text)
{
	return percent(r, ipu_of(r)->sensors.session, text);
}

/* Many programs do not say how much memory they use. */
static enum query_value
read_memory(const struct query_row *r, char *text)
{
	const struct sample_ipu *ipu = ipu_of(r);

	if (ipu->holder != SAMPLE_NONE && ipu->memory_bytes == 0)
		return QUERY_UNKNOWN;
	return number(text, "%.1f", (double)ipu->memory_bytes / MIB);
}

static enum query_value
read_memory_total(const struct query_row *r, char *text)
{
	(void)r;
	return number(text, "%.1f", (double)TILE_COUNT * TILE_BYTES / MIB);
}

/* ---- its sensors ---- */

static enum query_value
reading(const struct query_row *r, double value, char *text)
{
	return ipu_of(r)->monitored ? number(text, "%.1f", value) :
				      QUERY_UNKNOWN;
}

static enum query_value
read_power(const struct query_row *r, char *text)
{
	return reading(r, ipu_of(r)->sensors.power_w, text);
}

static enum query_value
read_board_power(const struct query_row *r, char *text)
{
	return reading(r, ipu_of(r)->board_w, text);
}

static enum query_value
read_temperature(const struct query_row *r, char *text)
{
	return reading(r, ipu_of(r)->sensors.die_c, text);
}

static enum query_value
read_board_temperature(const struct query_row *r, char *text)
{
	return reading(r, ipu_of(r)->board_c, text);
}

static enum query_value
read_clock(const struct query_row *r, char *text)
{
	return number(text, "%d", ipu_of(r)->sensors.clock_mhz);
}

static enum query_value
read_errors(const struct query_row *r, char *text)
{
	struct condition c;

	sample_condition(r->sample, r->ipu, &c);
	return word(text, c.error_state);
}

static enum query_value
read_condition(const struct query_row *r, char *text)
{
	struct condition c;

	sample_condition(r->sample, r->ipu, &c);
	return word(text, c.word);
}

/* ---- the program that holds it ---- */

static const struct sample_holder *
holder_of(const struct query_row *r)
{
	return sample_holder(r->sample, r->ipu);
}

static enum query_value
read_pid(const struct query_row *r, char *text)
{
	const struct sample_holder *h = holder_of(r);

	return h != NULL && h->is_here ?
	    number(text, "%d", h->pid) :
	    QUERY_NOTHING;
}

/* Read the seconds since the holder attached. */
static enum query_value
read_time(const struct query_row *r, char *text)
{
	const struct sample_holder *h = holder_of(r);

	return h != NULL && h->is_known ?
	    number(text, "%" PRId64, h->attached_ns / 1000000000) :
	    QUERY_NOTHING;
}

/* Read a text of the holder; `at` is its offset in the struct. */
static enum query_value
holder_word(const struct query_row *r, size_t at, char *text)
{
	const struct sample_holder *h = holder_of(r);

	return word(text, h != NULL ? (const char *)h + at : "");
}

static enum query_value
read_user(const struct query_row *r, char *text)
{
	return holder_word(r, offsetof(struct sample_holder, user), text);
}

static enum query_value
read_program(const struct query_row *r, char *text)
{
	return holder_word(r, offsetof(struct sample_holder, program), text);
}

static enum query_value
read_command(const struct query_row *r, char *text)
{
	return holder_word(r, offsetof(struct sample_holder, command), text);
}

static enum query_value
read_host(const struct query_row *r, char *text)
{
	return holder_word(r, offsetof(struct sample_holder, host), text);
}

static enum query_value
read_job(const struct query_row *r, char *text)
{
	return holder_word(r, offsetof(struct sample_holder, job), text);
}

static enum query_value
read_namespace(const struct query_row *r, char *text)
{
	return holder_word(r, offsetof(struct sample_holder, name_space), text);
}

static const struct query_field fields[] = {
	{ "timestamp", NULL, "moment of the look, UTC", read_timestamp },
	{ "index", NULL, "device id, as gc-info lists it", read_index },
	{ "ipu", NULL, "number in the pod", read_ipu },
	{ "name", NULL, "machine and number in it, as V-IPU has it",
	    read_name },
	{ "chip", NULL, "chip id", read_chip },
	{ "pci", NULL, "PCI id, which is the IPU# in its machine", read_pci },
	{ "serial", NULL, "serial number of the board", read_serial },
	{ "partition", NULL, "name of the partition", read_partition },
	{ "partition.state", NULL, "ACTIVE, PENDING, ERROR or REMOVED",
	    read_partition_state },
	{ "gcd", NULL, "graph compilation domain in the partition", read_gcd },
	{ "routing", NULL, "routing id in the partition", read_routing },
	{ "machine", NULL, "agent of the machine", read_machine },
	{ "machine.address", NULL, "address of the machine", read_address },
	{ "machine.model", NULL, "M2000 or Bow-2000", read_model },
	{ "machine.state", NULL, "up, down or rebooting", read_machine_state },
	{ "utilisation", "%", "time at work in the last second", read_recent },
	{ "utilisation.minute", "%", "time at work in the last minute",
	    read_minute },
	{ "utilisation.session", "%", "time at work of the program",
	    read_session },
	{ "memory.used", "MiB", "memory that the program uses", read_memory },
	{ "memory.total", "MiB", "memory of the tiles", read_memory_total },
	{ "power", "W", "power of the IPU", read_power },
	{ "power.board", "W", "power of its board", read_board_power },
	{ "temperature", "C", "temperature of the die", read_temperature },
	{ "temperature.board", "C", "temperature of its board",
	    read_board_temperature },
	{ "clock", "MHz", "clock of the tiles", read_clock },
	{ "errors", NULL, "errors, or why they cannot be read", read_errors },
	{ "condition", NULL, "available, in use, or the trouble",
	    read_condition },
	{ "pid", NULL, "process of the program, on this host", read_pid },
	{ "user", NULL, "user of the program", read_user },
	{ "program", NULL, "name of the program", read_program },
	{ "command", NULL, "its command line, for its user and root",
	    read_command },
	{ "host", NULL, "host of the program", read_host },
	{ "time", "s", "time since it attached", read_time },
	{ "job", NULL, "job of Slurm, or IPUJob", read_job },
	{ "namespace", NULL, "namespace of the IPUJob", read_namespace },
};

const struct query_field *
query_field_at(int index)
{
	return index < (int)ARRAY_SIZE(fields) ? &fields[index] : NULL;
}

/* "utilization" is the same word. */
static bool
is_same_name(const char *name, const char *typed)
{
	while (*name != '\0' &&
	    (*name == *typed || (*name == 's' && *typed == 'z'))) {
		name++;
		typed++;
	}
	return *name == *typed;
}

int
query_field_find(const char *name)
{
	int i;

	for (i = 0; i < (int)ARRAY_SIZE(fields); i++)
		if (is_same_name(fields[i].name, name))
			return i;
	return -1;
}
