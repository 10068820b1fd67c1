/*
 * gc-monitor: who uses which IPUs of a partition, and how they do.
 *
 * A table of the devices and a table of the processes that are attached to
 * them, or the same as JSON or CSV.  The registry is mapped read-only.
 */
#include <sys/ioctl.h>

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/gc-monitor/format.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/options.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/control/controller.h"
#include "core/control/reader.h"
#include "ipu/device.h"
#include "ipu/gcda.h"
#include "ipu/listing.h"
#include "ipu/visible_devices.h"

enum {
	KEY_ALL_PARTITIONS = OPTIONS_LONG,
	KEY_NO_CARD_INFO,
	KEY_NO_HEADERS,
	KEY_VERSION
};

static const struct option_row gc_monitor_options[] = {
	{ KEY_ALL_PARTITIONS, "all-partitions", NULL,
	    "show all partitions, not the active one only" },
	{ KEY_NO_CARD_INFO, "no-card-info", NULL,
	    "leave out the table of devices" },
	{ 'j', "json", NULL, "print JSON" },
	{ 'c', "csv-output", NULL, "print CSV, a line for each IPU" },
	{ 's', "sensors", NULL, "with -c: what the sensors say as well" },
	{ KEY_NO_HEADERS, "no-headers", NULL,
	    "with -c: leave out the line of names" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 }
};

static int gc_monitor_main(int, char **);

const struct applet gc_monitor_applet = {
	.name = "gc-monitor",
	.purpose = "show the processes attached to IPUs",
	.synopsis = "[-j | -c [-s] [--no-headers]] [--all-partitions] "
	    "[--no-card-info] | version",
	.options = gc_monitor_options,
	.main = gc_monitor_main
};

/* The options, each a flag. */
struct monitor_request {
	bool	all_partitions;
	bool	no_card_info;
	bool	json;
	bool	csv;
	bool	sensors;
	bool	no_headers;
	struct versions	versions;
};

/* Taken once, so that all rows are of one moment. */
static void
here_init(struct here *h, const struct registry *r, const struct pod *pod,
    const struct versions *v)
{
	memset(h, 0, sizeof(*h));
	h->registry = r;
	h->pod = pod;
	h->versions = v;
	h->now_ns = clock_real_ns();
	h->monitor = gcda_monitoring();
	h->pid_namespace = status_pid_namespace();
	status_host_name(h->host);
}

/*
 * COLUMNS as a person or a test sets it, else the terminal's; 0 where neither
 * says.
 */
static int
terminal_columns(void)
{
	const char	*text = getenv("COLUMNS");
	struct winsize	 size;
	long long	 columns;

	if (text != NULL && parse_number("COLUMNS", text, 1, 10000, &columns,
	    NULL) == 0)
		return (int)columns;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		return size.ws_col;
	return 0;
}

/* The GCD in a title: the one there is, or the one that is seen. */
static int
title_gcd(const struct section *s)
{
	return s->partition->num_gcds == 1 ? 0 : s->gcd;
}

/* One table for each partition; its rows from the pod's machines. */
static void
print_devices(const struct section *s, const struct here *h)
{
	struct tables_device	*rows, *row;
	const struct agent	*agent;
	char			 title[128];
	int			 i;

	rows = xcalloc((size_t)s->count, sizeof(*rows));
	for (i = 0; i < s->count; i++) {
		row = &rows[i];
		row->machine = listing_ipu_machine(s->ipus[i].ipu);
		agent = &h->pod->agents[row->machine];
		(void)strlcpy(row->host, agent->address, sizeof(row->host));
		row->listing_ipu_number = listing_ipu_number(s->ipus[i].ipu);
		status_serial(agent, row->listing_ipu_number, row->serial);
		row->type = status_machine_type(agent->model);
		row->id = s->first_id + i;
		row->routing =
		    partition_link_routing_name(s->partition->routing);
	}
	tables_title(title, sizeof(title), s->partition, title_gcd(s),
	    s->active, s->count);
	tables_devices(stdout, title, rows, s->count, h->versions);
	free(rows);
}

/*
 * A pid means nothing in another pid namespace or on another host: such a
 * process is shown by its host instead.
 */
static bool
runs_here(const struct here *h, const struct ipu_slot *holder)
{
	return holder->pid_namespace == h->pid_namespace &&
	    strcmp(holder->host, h->host) == 0;
}

/* The attached IPUs whose process runs here, or elsewhere; their number. */
static int
collect_processes(struct tables_process *rows, const struct section *s,
    const struct here *h, bool here)
{
	int	i, n = 0;

	for (i = 0; i < s->count; i++)
		if (s->ipus[i].attached &&
		    runs_here(h, &s->ipus[i].holder) == here)
			section_process(&rows[n++], h, &s->ipus[i],
			    s->first_id + i);
	return n;
}

/*
 * Those that run here with all that is known of them, the others in a table of
 * their own, as the real tool does.
 */
static void
print_processes(const struct section *s, const struct here *h)
{
	struct tables_process	*rows;
	char			 text[NAME_SIZE + 40];
	const char		*name = s->partition->name;
	int			 here, elsewhere;

	rows = xcalloc((size_t)s->count, sizeof(*rows));
	here = collect_processes(rows, s, h, true);
	if (here > 0)
		tables_processes(stdout, name, rows, here,
		    terminal_columns());
	elsewhere = collect_processes(rows, s, h, false);
	if (elsewhere > 0)
		tables_elsewhere(stdout, name, rows, elsewhere);
	if (here == 0 && elsewhere == 0) {
		(void)snprintf(text, sizeof(text),
		    "No attached processes in partition %s", name);
		tables_frame(stdout, text);
	}
	free(rows);
}

/* All tables of devices before the first of processes. */
static void
print_tables(const struct monitor_request *r, const struct here *h,
    const struct section *sections, int count)
{
	int	i;

	if (count == 0) {
		if (!r->no_card_info)
			tables_devices(stdout, "No active partition", NULL,
			    0, h->versions);
		tables_frame(stdout, "No attached processes");
	}
	for (i = 0; i < count && !r->no_card_info; i++)
		print_devices(&sections[i], h);
	for (i = 0; i < count; i++)
		print_processes(&sections[i], h);
}

/* The active partition, or all of them with ids that count on. */
static int
collect_sections(const struct visible_devices *v, const struct here *h,
    bool all,
    struct section **out)
{
	const struct snapshot	*snapshot = &v->snapshot;
	struct section		*s;
	int			 i, n, next = 0;

	n = all ? snapshot->partition_count : v->partition != NULL ? 1 : 0;
	*out = s = xcalloc((size_t)n + 1, sizeof(*s));
	for (i = 0; i < n; i++, s++) {
		section_init(s, h, all ? &snapshot->partitions[i] :
		    v->partition, all ? -1 : v->gcd, next);
		s->active = s->partition == v->partition;
		next += s->count;
	}
	return n;
}

/* A warning of the environment does not keep the tables back. */
static void
show(const struct monitor_request *r, const struct registry *registry,
    const struct visible_devices *v)
{
	struct section	*sections;
	struct here	 here;
	int		 i, count;

	if (v->warning[0] != '\0')
		fprintf(stderr, "gc-monitor: %s\n", v->warning);
	here_init(&here, registry, &v->snapshot.pod, &r->versions);
	count = collect_sections(v, &here, r->all_partitions, &sections);
	if (r->json)
		format_json(&here, sections, count);
	else if (r->csv)
		format_csv(&here, sections, count, r->sensors,
		    !r->no_headers);
	else
		print_tables(r, &here, sections, count);
	for (i = 0; i < count; i++)
		section_release(&sections[i]);
	free(sections);
}

/* The registry is only mapped for reading: who looks changes nothing. */
static int
open_and_show(const struct monitor_request *r)
{
	struct registry	registry;
	struct visible_devices	view;
	struct error	error;
	int		status = EXIT_FAILED;

	if (reader_open(&registry, &error) != 0)
		return applet_failed(&gc_monitor_applet, &error);
	if (visible_devices_open(&view, &registry, &error) == 0) {
		show(r, &registry, &view);
		visible_devices_release(&view);
		status = EXIT_DONE;
	} else
		(void)applet_failed(&gc_monitor_applet, &error);
	registry_close(&registry);
	return status;
}

/* The release that is emulated. */
static int
gc_monitor_print_version(const struct versions *v)
{
	printf("Poplar version: %s\n", v->sdk);
	return EXIT_DONE;
}

static int
gc_monitor_main(int argc, char **argv)
{
	struct monitor_request		request = { .json = false };
	struct option_parser	parser;
	struct error		error;
	const char		*word;
	int			key, status;

	options_init(&parser, gc_monitor_options, argc, argv, false);
	while ((key = options_next(&parser, &error)) >= 0) {
		if (key == KEY_ALL_PARTITIONS)
			request.all_partitions = true;
		else if (key == KEY_NO_CARD_INFO)
			request.no_card_info = true;
		else if (key == KEY_NO_HEADERS)
			request.no_headers = true;
		else if (key == 'j')
			request.json = true;
		else if (key == 'c')
			request.csv = true;
		else if (key == 's')
			request.sensors = true;
		else
			break;
	}
	word = key == OPTIONS_END && parser.operand < argc ?
	    argv[parser.operand] : NULL;
	if (key == OPTIONS_ERROR)
		return applet_misuse(&gc_monitor_applet, "%s", error.text);
	if (key == 'h')
		return applet_help(&gc_monitor_applet);
	if ((status = applet_versions(&gc_monitor_applet,
	    &request.versions)) != EXIT_DONE)
		return status;
	if (key == KEY_VERSION)
		return gc_monitor_print_version(&request.versions);
	if (word != NULL && strcmp(word, "version") == 0)
		return gc_monitor_print_version(&request.versions);
	if (word != NULL)
		return applet_misuse(&gc_monitor_applet,
		    "unexpected argument '%s'", word);
	if (request.json && request.csv)
		return applet_misuse(&gc_monitor_applet,
		    "--json or --csv-output, not both");
	if (!request.csv && (request.sensors || request.no_headers))
		return applet_misuse(&gc_monitor_applet,
		    "--sensors and --no-headers go with --csv-output");
	return open_and_show(&request);
}
