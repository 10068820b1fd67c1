/*
 * Output of the real tool that was published, character for character, from
 * the machines, versions and programs that it tells of.  The samples are
 * tests/golden/gc-monitor/NAME.txt; those without programs are compared in
 * tests/cli/gc-monitor-samples.t.  Three titles were moved by hand where they
 * were published; here they stand in the middle, as in all the others.
 */
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/gc-monitor/section.h"
#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

enum {
	MACHINES_MAX = 4,
	IPUS_MAX = MACHINES_MAX * IPUS_PER_MACHINE,
	SAMPLE_MAX = 1 << 16, /* bytes */
	HERE_NAMESPACE = 7
};

#define NOW_NS INT64_C(1700000000000000000)

struct sample_machine {
	const char *address;
	uint32_t lot, serial;
};

/* A program with `count` IPUs, and what the sensors say of the first two. */
struct sample_program {
	int pid;
	const char *command, *user;
	int seconds;
	int first, count;
	int clock_mhz;
	double die_c[2], board_c, board_w; /* 0: not read */
	const char *elsewhere;		   /* another host, or NULL */
};

struct published {
	const char *name, *sdk, *partition;
	int columns;
	bool no_card_info;
	struct sample_machine machines[MACHINES_MAX];
	struct sample_program program; /* command NULL: none */
	uid_t reader;
	bool verbose, hint;
};

static const struct published samples[] = {
	{ .name = "tutorial-one-ipu",
	    .sdk = "2.6.0",
	    .partition = "pt-trainee01-4-ipus",
	    .columns = 158,
	    .machines = { { "10.1.5.7", 69, 8210521 } },
	    .program = { 205698, "/usr/bin/python mnist.py", "trainee01", 13, 0,
		1, 1330, { 0 }, 0, 0, NULL } },
	{ .name = "tutorial-two-ipus",
	    .sdk = "2.6.0",
	    .partition = "pt-trainee01-4-ipus",
	    .columns = 237,
	    .machines = { { "10.1.5.9", 29, 8211021 } },
	    .program = { 203893, "python mnist.py", "trainee01", 11, 0, 2, 1330,
		{ 0 }, 0, 0, NULL } },
	{ .name = "tutorial-four-ipus",
	    .sdk = "2.6.0",
	    .partition = "pt-trainee01-4-ipus",
	    .columns = 237,
	    .machines = { { "10.1.5.9", 29, 8211021 } },
	    .program = { 177873, "python", "trainee01", 63, 0, 4, 1330, { 0 },
		0, 0, NULL } },
	{ .name = "bow-pod16",
	    .sdk = "3.1.0",
	    .partition = "p",
	    .columns = 184,
	    .machines = { { "10.44.44.162", 11, 8222721 },
		{ "10.44.44.130", 22, 8222721 },
		{ "10.44.44.226", 29, 8222721 },
		{ "10.44.44.194", 3, 8222721 } },
	    .program = { 1653623, "python3", "ipuuser", 40, 0, 1, 1850,
		{ 36.3, 0 }, 30.4, 130.7, NULL } },
	{ .name = "bow-pod64",
	    .sdk = "3.x",
	    .partition = "p64",
	    .columns = 163,
	    .no_card_info = true,
	    .machines = { { "10.1.5.1", 1, 1 }, { "10.1.5.2", 1, 2 } },
	    .program = { 268524, "python3", "wilsonb", 241, 6, 2, 1850,
		{ 34.5, 34.8 }, 27.2, 114.7, NULL } },
	{ .name = "elsewhere",
	    .sdk = "3.x",
	    .partition = "slurm_2616",
	    .no_card_info = true,
	    .machines = { { "10.1.5.1", 1, 1 } },
	    .program = { 1, "python3", "x", 1, 0, 1, 1850, { 24.2, 0 }, 21.1,
		92.3, "gc-poplar-02" } },
};

static int
prepare_pod(struct pod *pod, struct agent *agents, const struct published *s)
{
	int i;

	memset(pod, 0, sizeof(*pod));
	pod->agents = agents;
	for (i = 0; i < MACHINES_MAX && s->machines[i].address != NULL; i++) {
		memset(&agents[i], 0, sizeof(agents[i]));
		(void)strlcpy(agents[i].address, s->machines[i].address,
		    sizeof(agents[i].address));
		agents[i].lot = s->machines[i].lot;
		agents[i].serial = s->machines[i].serial;
	}
	pod->agent_count = i;
	return i * IPUS_PER_MACHINE;
}

static void
attach_program(struct ipu_status *ipus, const struct sample_program *p)
{
	struct ipu_status *s;

	for (s = ipus + p->first; s < ipus + p->first + p->count; s++) {
		s->attached = true;
		s->monitored = p->board_w > 0;
		s->sensors.clock_mhz = p->clock_mhz;
		s->sensors.die_c = p->die_c[(s - ipus - p->first) % 2];
		s->board_c = p->board_c;
		s->board_w = p->board_w;
		s->holder.pid = p->pid;
		s->holder.pid_namespace = HERE_NAMESPACE;
		s->holder.attached_ns = NOW_NS -
		    p->seconds * INT64_C(1000000000);
		(void)strlcpy(s->holder.command, p->command,
		    sizeof(s->holder.command));
		(void)strlcpy(s->holder.user, p->user, sizeof(s->holder.user));
		(void)strlcpy(s->holder.host,
		    p->elsewhere != NULL ? p->elsewhere : "here",
		    sizeof(s->holder.host));
	}
}

/* The tables of the sample, to be freed. */
static char *
print_sample(const struct published *sample)
{
	struct agent agents[MACHINES_MAX];
	struct cluster cluster = { .ild_count = 1 };
	struct ipu_status ipus[IPUS_MAX];
	struct partition partition = { .state = PS_ACTIVE,
		.num_gcds = 1,
		.reconfigurable = 1,
		.routing = IRT_DNC };
	struct versions v;
	struct pod pod;
	struct monitor_reader here = { .pod = &pod,
		.now_ns = NOW_NS,
		.verbose = sample->verbose };
	struct section section = { .partition = &partition,
		.active = true,
		.gcd = -1,
		.ipus = ipus };
	struct monitor_screen screen = { .no_card_info = sample->no_card_info,
		.hint = sample->hint };
	struct memstream m;
	int i;

	section.count = prepare_pod(&pod, agents, sample);
	pod.clusters = &cluster;
	pod.cluster_count = 1;
	cluster.agent_count = pod.agent_count;
	partition.placement = (struct placement){ .ild_count = 1,
		.per_ild = section.count };
	(void)strlcpy(partition.name, sample->partition,
	    sizeof(partition.name));
	memset(ipus, 0, sizeof(ipus));
	for (i = 0; i < section.count; i++)
		ipus[i].ipu = i;
	if (sample->program.command != NULL)
		attach_program(ipus, &sample->program);
	if (versions_find("sdk", sample->sdk, &v, NULL) != 0)
		abort();
	here.place.reader = sample->reader;
	here.place.pid_namespace = HERE_NAMESPACE;
	(void)strlcpy(here.place.host, "here", sizeof(here.place.host));
	here.versions = &v;
	screen.form.versions = &v;
	screen.form.layout = v.gc_monitor;
	screen.form.columns = sample->columns;
	(void)memstream_open(&m);
	screen_print(m.file, &screen, &here, &section, 1);
	return memstream_close(&m, NULL);
}

static void
test_samples(void)
{
	const char *tests = getenv("TESTDIR");
	char *path, *wanted, *got;
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		path = xasprintf("%s/golden/gc-monitor/%s.txt",
		    tests != NULL ? tests : "tests", samples[i].name);
		wanted = file_read(path, SAMPLE_MAX, &size, NULL);
		free(path);
		if (!ok(wanted != NULL, samples[i].name))
			continue;
		got = print_sample(&samples[i]);
		is_str(got, wanted, samples[i].name);
		free(got);
		free(wanted);
	}
}

static const struct published *
sample_of(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(samples); i++)
		if (strcmp(samples[i].name, name) == 0)
			return &samples[i];
	abort();
}

static bool
prints(const struct published *sample, const char *part)
{
	char *text = print_sample(sample);
	bool found = strstr(text, part) != NULL;

	free(text);
	return found;
}

/* Where nothing is read, a terminal is told what shows it. */
static void
test_hint(void)
{
	struct published s = *sample_of("tutorial-one-ipu");

	ok(!prints(&s, "GCDA_MONITOR"), "not in a pipe");
	s.hint = true;
	ok(prints(&s, "|  N/A   |\n+"), "no power");
	ok(prints(&s, "+\nset GCDA_MONITOR=1 for a program to see "),
	    "is told below the tables");
	s.program.command = NULL;
	ok(!prints(&s, "GCDA_MONITOR"), "not where no program runs");
	s = *sample_of("bow-pod64");
	s.hint = true;
	ok(!prints(&s, "GCDA_MONITOR"), "nor where it is read");
}

/* The line is for its owner and for root. */
static void
test_command_line(void)
{
	struct published s = *sample_of("tutorial-one-ipu");

	s.verbose = true;
	ok(prints(&s, " /usr/bin/python mnist.py "), "a line");
	s.reader = 1000;
	ok(!prints(&s, "mnist.py") && prints(&s, " python "),
	    "of another's program its name");
}

/* A program that has its IPU, and has not said yet who it is. */
static void
test_unknown(void)
{
	struct published s = *sample_of("elsewhere");

	s.program.elsewhere = "";
	s.program.user = "";
	s.program.command = "";
	s.program.pid = 0;
	ok(prints(&s, "| 0  |              ?               |"), "its host");
}

int
main(void)
{
	test_samples();
	test_hint();
	test_command_line();
	test_unknown();
	return tap_done();
}
