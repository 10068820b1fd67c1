/*
 * The table of all metrics, and how each is printed: a head, then one line for
 * each object that has a value.
 */
#include "applets/vipu-server/exposition.h"

#include <bsd/string.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/device/sample.h"

enum { PART_LINES = 64 };

/* The object that a line is about; members that it lacks are NULL or 0. */
struct subject {
	const struct exposition *x;
	const struct partition *partition;
	const struct agent *agent;
	int machine; /* index of the agent */
	struct ipu_status ipu;
};

/* The kinds of objects; each has its labels. */
enum scope { OF_POD, OF_PARTITION, OF_AGENT, OF_MACHINE, OF_IPU };

/* A metric.  The value NAN leaves the line out. */
struct family {
	const char *name;
	const char *help;
	enum scope scope;
	bool is_counter; /* printed with _total; else a gauge */
	double (*value)(const struct subject *);
};

/* ---- values of the controller ---- */

static double
agents_of(const struct subject *s)
{
	return s->x->snapshot->pod.agent_count;
}

static double
clusters_of(const struct subject *s)
{
	return s->x->snapshot->pod.cluster_count;
}

static double
partitions_of(const struct subject *s)
{
	return s->x->snapshot->partition_count;
}

static double
ipus_of(const struct subject *s)
{
	return pod_ipu_count(&s->x->snapshot->pod);
}

static double
free_ipus_of(const struct subject *s)
{
	const struct snapshot *all = s->x->snapshot;
	const int count = pod_ipu_count(&all->pod);
	int ipu, free_ipus = 0;

	for (ipu = 0; ipu < count; ipu++)
		free_ipus += all->owner[ipu] == OWNER_FREE;
	return free_ipus;
}

static double
is_up(const struct subject *s)
{
	return pod_machine_is_up(s->agent, s->x->now_ns / 1000000);
}

static double
size_of(const struct subject *s)
{
	return partition_size(s->partition);
}

static double
is_active(const struct subject *s)
{
	return s->partition->state == PS_ACTIVE;
}

static double
held_ipus_of(const struct subject *s)
{
	const struct snapshot *all = s->x->snapshot;
	struct ipu_slot slot;
	int i, held = 0;

	for (i = 0; i < partition_size(s->partition); i++)
		held += registry_holder(s->x->registry,
		    placement_ipu(&all->pod, &s->partition->placement, i),
		    &slot);
	return held;
}

/* ---- values of a machine ---- */

/* Sum up the boards; one of each board's IPUs tells the board's values. */
static void
read_chassis(const struct subject *s, double *watts, double *celsius)
{
	struct ipu_status status;
	int i;

	*watts = *celsius = 0.0;
	for (i = 0; i < IPUS_PER_MACHINE; i += SENSORS_BOARD_IPUS) {
		status_read(&status, s->x->registry, &s->x->snapshot->pod,
		    s->machine * IPUS_PER_MACHINE + i, s->x->now_ns, true);
		*watts += status.monitored ? status.board_w : NAN;
		*celsius += status.monitored ? status.board_c : NAN;
	}
	*celsius /= IPUS_PER_MACHINE / SENSORS_BOARD_IPUS;
}

static double
chassis_watts(const struct subject *s)
{
	double watts, celsius;

	read_chassis(s, &watts, &celsius);
	return watts;
}

static double
chassis_celsius(const struct subject *s)
{
	double watts, celsius;

	read_chassis(s, &watts, &celsius);
	return celsius;
}

/* Our own model, since no sample of the real ones is published: 4,000 turns a
   minute at 20 C and 250 more for each degree. */
static double
chassis_turns(const struct subject *s)
{
	return round(4000.0 + 250.0 * (chassis_celsius(s) - 20.0));
}

static double
ticks_of(const struct subject *s)
{
	return (double)s->x->ticks;
}

static double
one(const struct subject *s)
{
	(void)s;
	return 1.0;
}

/* ---- values of an IPU ---- */

static double
is_attached(const struct subject *s)
{
	return s->ipu.attached;
}

static double
clock_mhz(const struct subject *s)
{
	return s->ipu.sensors.clock_mhz;
}

/* Emulated links do not err. */
static double
link_errors(const struct subject *s)
{
	(void)s;
	return 0.0;
}

static double
soc_errors(const struct subject *s)
{
	return __builtin_popcount(s->ipu.soc_errors);
}

static double
utilisation(const struct subject *s)
{
	return s->ipu.sensors.measured ? s->ipu.sensors.recent : NAN;
}

static double
ipu_watts(const struct subject *s)
{
	return s->ipu.monitored ? s->ipu.sensors.power_w : NAN;
}

static double
die_celsius(const struct subject *s)
{
	return s->ipu.monitored ? s->ipu.sensors.die_c : NAN;
}

static double
busy_seconds(const struct subject *s)
{
	return (double)s->ipu.holder.busy_ns / 1e9;
}

static double
exchange_bytes(const struct subject *s)
{
	return (double)s->ipu.holder.exchange_bytes;
}

static double
host_bytes(const struct subject *s)
{
	return (double)s->ipu.holder.host_bytes;
}

/* ---- the table ---- */

static const struct family families[] = {
	{ "vipu_num_agents", "Agents of the pod, one for each IPU-Machine.",
	    OF_POD, false, agents_of },
	{ "vipu_num_clusters", "Clusters of the pod.", OF_POD, false,
	    clusters_of },
	{ "vipu_num_partitions", "Partitions of the pod.", OF_POD, false,
	    partitions_of },
	{ "vipu_num_ipus", "IPUs of the pod.", OF_POD, false, ipus_of },
	{ "vipu_num_ipus_free", "IPUs that no partition has.", OF_POD, false,
	    free_ipus_of },
	{ "vipu_agent_up", "1 if the machine answers, else 0.", OF_AGENT, false,
	    is_up },
	{ "vipu_partition_ipus", "IPUs of the partition.", OF_PARTITION, false,
	    size_of },
	{ "vipu_partition_ipus_attached",
	    "IPUs of the partition that programs hold.", OF_PARTITION, false,
	    held_ipus_of },
	{ "vipu_partition_active", "1 if the partition is ACTIVE, else 0.",
	    OF_PARTITION, false, is_active },
	{ "exporter_ticks", "Answers of this exporter since it started.",
	    OF_MACHINE, false, ticks_of },
	{ "ipum_hardware_info", "Hardware and place of the IPU-Machine.",
	    OF_MACHINE, false, one },
	{ "chassis_power", "Power of the IPU-Machine in watts (modelled).",
	    OF_MACHINE, false, chassis_watts },
	{ "chassis_temperature",
	    "Mean temperature of the boards in Celsius (modelled).", OF_MACHINE,
	    false, chassis_celsius },
	{ "chassis_fan", "Turns of the fans in a minute (modelled).",
	    OF_MACHINE, false, chassis_turns },
	{ "ipu_attached", "1 if a program holds the IPU, else 0.", OF_IPU,
	    false, is_attached },
	{ "ipu_tile_clk_speed", "Clock of the tiles in MHz.", OF_IPU, false,
	    clock_mhz },
	{ "gcipuinfo_clock_frequency", "Clock of the IPU in MHz.", OF_IPU,
	    false, clock_mhz },
	{ "ipu_link_err_cnt", "Correctable errors of the IPU's links.", OF_IPU,
	    false, link_errors },
	{ "ipu_soc_errors", "Errors that the IPU's system on chip reports now.",
	    OF_IPU, false, soc_errors },
	{ "ipu_utilisation_ratio",
	    "Part of the last second in which the IPU computed.", OF_IPU, false,
	    utilisation },
	{ "ipu_power_watts", "Power of the IPU (modelled).", OF_IPU, false,
	    ipu_watts },
	{ "ipu_die_temperature_celsius", "Temperature of the die (modelled).",
	    OF_IPU, false, die_celsius },
	{ "ipu_busy_seconds", "Time in which the IPU computed.", OF_IPU, true,
	    busy_seconds },
	{ "ipu_exchange_bytes", "Bytes sent between IPUs or tiles.", OF_IPU,
	    true, exchange_bytes },
	{ "ipu_host_bytes", "Bytes to and from the host.", OF_IPU, true,
	    host_bytes },
};

/* ---- labels ---- */

void
exposition_put_value(FILE *out, const char *text)
{
	(void)fputc('"', out);
	for (; *text != '\0'; text++)
		if (*text == '\n')
			(void)fputs("\\n", out);
		else if (*text == '"' || *text == '\\')
			(void)fprintf(out, "\\%c", *text);
		else
			(void)fputc(*text, out);
	(void)fputc('"', out);
}

static void
put_label(FILE *out, const char *name, const char *value)
{
	(void)fprintf(out, "%s=", name);
	exposition_put_value(out, value);
}

static void
put_partition(FILE *out, const struct subject *s)
{
	const struct pod *pod = &s->x->snapshot->pod;
	const struct partition *p = s->partition;
	struct sample_job job;

	sample_job(&job, p);
	put_label(out, "partition", p->name);
	put_label(out, ",cluster", pod->clusters[p->placement.cluster].name);
	put_label(out, ",allocation",
	    p->allocation == -1 ? "" : pod->allocations[p->allocation].name);
	put_label(out, ",user", p->user);
	put_label(out, ",namespace", job.name_space);
	put_label(out, ",job", job.name);
}

static void
put_agent(FILE *out, const struct subject *s)
{
	const struct pod *pod = &s->x->snapshot->pod;
	const int cluster = s->agent->cluster;

	put_label(out, "agent", s->agent->name);
	put_label(out, ",cluster",
	    cluster == -1 ? "" : pod->clusters[cluster].name);
}

/* The original's common label. */
static void
put_host(FILE *out, const struct agent *a)
{
	put_label(out, ",host",
	    a->model == MACHINE_BOW2000 ? "Graphcore Bow-2000" :
					  "Graphcore IPU-M2000");
}

static void
put_machine(FILE *out, const struct subject *s, const struct family *f)
{
	char serial[SERIAL_SIZE];

	put_agent(out, s);
	put_host(out, s->agent);
	if (f->value == chassis_watts)
		put_label(out, ",psu_id", ""); /* of all its supplies */
	if (f->value != one)
		return;
	status_serial(s->agent, -1, serial);
	put_label(out, ",model", pod_machine_words[s->agent->model]);
	put_label(out, ",serial", serial);
	put_label(out, ",ipuof_host", s->agent->address);
}

/* All labels are always there, so that rules can match each of them. */
static void
put_ipu(FILE *out, const struct subject *s)
{
	const struct ipu_slot *h = &s->ipu.holder;
	const bool is_known = s->ipu.attached && holder_is_known(h);
	const bool is_shown = is_known && s->x->is_trusted;
	char pid[16] = "";
	struct sample_job job;

	sample_job(&job, s->partition);
	if (is_shown && holder_is_here(&s->x->place, h))
		(void)snprintf(pid, sizeof(pid), "%" PRId32, h->pid);
	put_agent(out, s);
	(void)fprintf(out, ",ipu=\"%d\"", s->ipu.ipu % IPUS_PER_MACHINE);
	put_host(out, s->agent);
	put_label(out, ",partition",
	    s->partition == NULL ? "" : s->partition->name);
	put_label(out, ",user", is_known ? h->user : "");
	put_label(out, ",pid", pid);
	put_label(out, ",command", is_shown ? h->command : "");
	put_label(out, ",namespace", job.name_space);
	put_label(out, ",job", job.name);
	put_label(out, ",pod",
	    is_known && job.name_space[0] != '\0' ? h->host : "");
}

/* ---- the text ---- */

static void
put_head(FILE *out, const struct exposition *x, const struct family *f)
{
	/* The older format knows only the names of the lines. */
	const char *suffix = f->is_counter && !x->is_openmetrics ?
	    "_total" :
	    "";

	(void)fprintf(out, "# TYPE %s%s %s\n# HELP %s%s %s\n", f->name, suffix,
	    f->is_counter ? "counter" : "gauge", f->name, suffix, f->help);
}

static void
put_line(FILE *out, const struct family *f, const struct subject *s)
{
	const double value = f->value(s);

	if (isnan(value))
		return;
	(void)fprintf(out, "%s%s", f->name, f->is_counter ? "_total" : "");
	if (f->scope != OF_POD)
		(void)fputc('{', out);
	if (f->scope == OF_PARTITION)
		put_partition(out, s);
	else if (f->scope == OF_AGENT)
		put_agent(out, s);
	else if (f->scope == OF_MACHINE)
		put_machine(out, s, f);
	else if (f->scope == OF_IPU)
		put_ipu(out, s);
	(void)fprintf(out, "%s %.15g\n", f->scope != OF_POD ? "}" : "", value);
}

/* Return the number of objects of a metric, 0 for one of the other kind. */
static int
count_of(const struct exposition *x, const struct family *f)
{
	if (x->of_machines != (f->scope >= OF_MACHINE))
		return 0;
	switch (f->scope) {
	case OF_PARTITION:
		return x->snapshot->partition_count;
	case OF_AGENT:
		return x->snapshot->pod.agent_count;
	case OF_MACHINE:
		return x->agent_count;
	case OF_IPU:
		return x->agent_count * IPUS_PER_MACHINE;
	default:
		return 1;
	}
}

/* Fill in the object number `at` of the metric. */
static void
find_subject(struct subject *s, const struct family *f, int at)
{
	const struct exposition *x = s->x;
	const struct snapshot *all = x->snapshot;
	int ipu;

	if (f->scope == OF_PARTITION)
		s->partition = &all->partitions[at];
	else if (f->scope == OF_AGENT)
		s->machine = at;
	else if (f->scope == OF_MACHINE)
		s->machine = x->first_agent + at;
	if (f->scope == OF_IPU) {
		ipu = x->first_agent * IPUS_PER_MACHINE + at;
		s->machine = ipu / IPUS_PER_MACHINE;
		s->partition = all->owner[ipu] < 0 ?
		    NULL :
		    &all->partitions[all->owner[ipu]];
		status_read(&s->ipu, x->registry, &all->pod, ipu, x->now_ns,
		    true);
	}
	if (f->scope >= OF_AGENT)
		s->agent = &all->pod.agents[s->machine];
}

bool
exposition_next(struct exposition *x, FILE *out)
{
	const struct family *f = &families[x->family];
	const int count = count_of(x, f);
	struct subject s = { .x = x };
	int lines;

	if (x->at == 0 && count > 0)
		put_head(out, x, f);
	for (lines = 0; lines < PART_LINES && x->at < count; lines++) {
		find_subject(&s, f, x->at++);
		put_line(out, f, &s);
	}
	if (x->at < count)
		return true;
	x->at = 0;
	if (++x->family < (int)ARRAY_SIZE(families))
		return true;
	if (x->is_openmetrics)
		(void)fputs("# EOF\n", out);
	return false;
}
