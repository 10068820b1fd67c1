/*
 * The table of all metrics, and how each is printed: a head, then one line for
 * each object that has a value.
 */
#include "applets/vipu-server/exposition.h"

#include <bsd/string.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/device/device.h"

/* The object that a line is about, with the labels' sources; members that it
   lacks are NULL or 0. */
struct subject {
	const struct exposition *x;
	const struct partition *partition;
	const struct agent *agent;
	int machine; /* index of the agent */
	struct ipu_status ipu;
	/* Values; NAN leaves the line out. */
	/* Values of the pod. */
	double agents, clusters, partitions, ipus, free_ipus;
	double size, held_ipus, is_active; /* values of a partition */
	double is_up;			   /* value of an agent */
	/* Values of a machine. */
	double ticks, one, watts, celsius, turns;
	/* Values of an IPU. */
	double attached, mhz, link_errors, soc_errors, utilisation, ipu_watts,
	    die_celsius, busy_seconds, exchange_bytes, host_bytes;
};

/* ---- values ---- */

static void
read_pod(struct subject *s)
{
	const struct snapshot *all = s->x->snapshot;
	int ipu;

	s->agents = all->pod.agent_count;
	s->clusters = all->pod.cluster_count;
	s->partitions = all->partition_count;
	s->ipus = pod_ipu_count(&all->pod);
	for (ipu = 0; ipu < pod_ipu_count(&all->pod); ipu++)
		s->free_ipus += all->owner[ipu] == OWNER_FREE;
}

static void
read_partition(struct subject *s, int index)
{
	const struct snapshot *all = s->x->snapshot;
	const struct partition *p = &all->partitions[index];
	struct ipu_slot slot;
	int i;

	s->partition = p;
	s->size = partition_size(p);
	s->is_active = p->state == PS_ACTIVE;
	for (i = 0; i < partition_size(p); i++)
		s->held_ipus += registry_holder(s->x->registry,
		    placement_ipu(&all->pod, &p->placement, i), &slot);
}

static void
read_agent(struct subject *s, int index)
{
	s->machine = index;
	s->agent = &s->x->snapshot->pod.agents[index];
	s->is_up = pod_machine_is_up(s->agent, s->x->now_ns / 1000000);
}

/* Read an IPU of the agent. */
static void
read_ipu(struct subject *s, int number)
{
	struct ipu_status *ipu = &s->ipu;

	status_read(ipu, s->x->registry, &s->x->snapshot->pod,
	    s->machine * IPUS_PER_MACHINE + number, s->x->now_ns, true);
	s->attached = ipu->attached;
	s->mhz = ipu->sensors.clock_mhz;
	s->link_errors = 0; /* emulated links do not err */
	s->soc_errors = __builtin_popcount(ipu->soc_errors);
	s->utilisation = ipu->sensors.measured ? ipu->sensors.recent : NAN;
	s->ipu_watts = ipu->monitored ? ipu->sensors.power_w : NAN;
	s->die_celsius = ipu->monitored ? ipu->sensors.die_c : NAN;
	s->busy_seconds = (double)ipu->holder.busy_ns / 1e9;
	s->exchange_bytes = (double)ipu->holder.exchange_bytes;
	s->host_bytes = (double)ipu->holder.host_bytes;
}

/*
 * Read the machine of the agent: sum up the boards, of which one of its IPUs
 * tells the values.  The fans are our own model, since no sample of the real
 * ones is published: 4,000 turns a minute at 20 C and 250 more for each degree.
 */
static void
read_machine(struct subject *s)
{
	int i;

	s->ticks = (double)s->x->ticks;
	s->one = 1.0;
	for (i = 0; i < IPUS_PER_MACHINE; i += SENSORS_BOARD_IPUS) {
		read_ipu(s, i);
		s->watts += s->ipu.monitored ? s->ipu.board_w : NAN;
		s->celsius += s->ipu.monitored ? s->ipu.board_c : NAN;
	}
	s->celsius /= IPUS_PER_MACHINE / SENSORS_BOARD_IPUS;
	s->turns = round(4000.0 + 250.0 * (s->celsius - 20.0));
}

/* ---- the table ---- */

/* The kinds of objects; each has its labels. */
enum scope { OF_POD, OF_PARTITION, OF_AGENT, OF_MACHINE, OF_IPU };

struct family {
	const char *name;
	const char *help;
	enum scope scope;
	bool is_counter; /* printed with _total; else a gauge */
	size_t at;	 /* offset of the value in struct subject */
};

#define AT(member) offsetof(struct subject, member)

static const struct family families[] = {
	{ "vipu_num_agents", "Agents of the pod, one for each IPU-Machine.",
	    OF_POD, false, AT(agents) },
	{ "vipu_num_clusters", "Clusters of the pod.", OF_POD, false,
	    AT(clusters) },
	{ "vipu_num_partitions", "Partitions of the pod.", OF_POD, false,
	    AT(partitions) },
	{ "vipu_num_ipus", "IPUs of the pod.", OF_POD, false, AT(ipus) },
	{ "vipu_num_ipus_free", "IPUs that no partition has.", OF_POD, false,
	    AT(free_ipus) },
	{ "vipu_agent_up", "1 if the machine answers, else 0.", OF_AGENT, false,
	    AT(is_up) },
	{ "vipu_partition_ipus", "IPUs of the partition.", OF_PARTITION, false,
	    AT(size) },
	{ "vipu_partition_ipus_attached",
	    "IPUs of the partition that programs hold.", OF_PARTITION, false,
	    AT(held_ipus) },
	{ "vipu_partition_active", "1 if the partition is ACTIVE, else 0.",
	    OF_PARTITION, false, AT(is_active) },
	{ "exporter_ticks", "Answers of this exporter since it started.",
	    OF_MACHINE, false, AT(ticks) },
	{ "ipum_hardware_info", "Hardware and place of the IPU-Machine.",
	    OF_MACHINE, false, AT(one) },
	{ "chassis_power", "Power of the IPU-Machine in watts (modelled).",
	    OF_MACHINE, false, AT(watts) },
	{ "chassis_temperature",
	    "Mean temperature of the boards in Celsius (modelled).", OF_MACHINE,
	    false, AT(celsius) },
	{ "chassis_fan", "Turns of the fans in a minute (modelled).",
	    OF_MACHINE, false, AT(turns) },
	{ "ipu_attached", "1 if a program holds the IPU, else 0.", OF_IPU,
	    false, AT(attached) },
	{ "ipu_tile_clk_speed", "Clock of the tiles in MHz.", OF_IPU, false,
	    AT(mhz) },
	{ "gcipuinfo_clock_frequency", "Clock of the IPU in MHz.", OF_IPU,
	    false, AT(mhz) },
	{ "ipu_link_err_cnt", "Correctable errors of the IPU's links.", OF_IPU,
	    false, AT(link_errors) },
	{ "ipu_soc_errors", "Errors that the IPU's system on chip reports now.",
	    OF_IPU, false, AT(soc_errors) },
	{ "ipu_utilisation_ratio",
	    "Part of the last second in which the IPU computed.", OF_IPU, false,
	    AT(utilisation) },
	{ "ipu_power_watts", "Power of the IPU (modelled).", OF_IPU, false,
	    AT(ipu_watts) },
	{ "ipu_die_temperature_celsius", "Temperature of the die (modelled).",
	    OF_IPU, false, AT(die_celsius) },
	{ "ipu_busy_seconds", "Time in which the IPU computed.", OF_IPU, true,
	    AT(busy_seconds) },
	{ "ipu_exchange_bytes", "Bytes sent between IPUs or tiles.", OF_IPU,
	    true, AT(exchange_bytes) },
	{ "ipu_host_bytes", "Bytes to and from the host.", OF_IPU, true,
	    AT(host_bytes) },
};

/* ---- labels ---- */

/* Print a label, its value with \ " and line breaks escaped. */
static void
put_label(FILE *out, const char *name, const char *value)
{
	(void)fprintf(out, "%s=\"", name);
	for (; *value != '\0'; value++)
		if (*value == '\n')
			(void)fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			(void)fprintf(out, "\\%c", *value);
		else
			(void)fputc(*value, out);
	(void)fputc('"', out);
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
	if (f->at == AT(watts))
		put_label(out, ",psu_id", ""); /* the sum of all its supplies */
	if (f->at != AT(one))
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
	double value;

	memcpy(&value, (const char *)s + f->at, sizeof(value));
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
	if ((x->agent != -1) != (f->scope >= OF_MACHINE))
		return 0;
	switch (f->scope) {
	case OF_PARTITION:
		return x->snapshot->partition_count;
	case OF_AGENT:
		return x->snapshot->pod.agent_count;
	case OF_IPU:
		return IPUS_PER_MACHINE;
	default:
		return 1;
	}
}

/* Read the object number `at` of the metric. */
static void
read_subject(struct subject *s, const struct family *f, int at)
{
	const struct exposition *x = s->x;
	const struct snapshot *all = x->snapshot;
	int owner;

	memset(s, 0, sizeof(*s));
	s->x = x;
	if (f->scope == OF_POD)
		read_pod(s);
	else if (f->scope == OF_PARTITION)
		read_partition(s, at);
	else if (f->scope == OF_AGENT)
		read_agent(s, at);
	else if (f->scope == OF_MACHINE) {
		read_agent(s, x->agent);
		read_machine(s);
	} else {
		read_agent(s, x->agent);
		read_ipu(s, at);
		owner = all->owner[s->ipu.ipu];
		s->partition = owner < 0 ? NULL : &all->partitions[owner];
	}
}

void
exposition_print(const struct exposition *x, FILE *out)
{
	const struct family *f;
	struct subject s = { .x = x };
	int at, count;

	for (f = families; f < families + ARRAY_SIZE(families); f++) {
		count = count_of(x, f);
		if (count > 0)
			put_head(out, x, f);
		for (at = 0; at < count; at++) {
			read_subject(&s, f, at);
			put_line(out, f, &s);
		}
	}
	if (x->is_openmetrics)
		(void)fputs("# EOF\n", out);
}
