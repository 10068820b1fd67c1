/*
 * gc-monitor: the users of a partition's IPUs, and the IPUs' condition.
 *
 * A table of the devices and a table of the processes attached to them, or the
 * same as JSON or CSV.  The registry is mapped read-only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/candidates.h"
#include "applets/gc-monitor/query.h"
#include "applets/gc-monitor/section.h"
#include "applets/gc-monitor/source.h"
#include "applets/gc-monitor/watch.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/options.h"
#include "core/base/parse.h"
#include "core/base/terminal.h"
#include "ipu/device/device.h"

enum {
	KEY_ALL_PARTITIONS = OPTIONS_LONG,
	KEY_COLOR,
	KEY_FORMAT,
	KEY_LIST_FIELDS,
	KEY_LOOP,
	KEY_NO_CARD_INFO,
	KEY_NO_HEADERS,
	KEY_QUERY,
	KEY_RECORD,
	KEY_REPLAY,
	KEY_STYLE,
	KEY_VERSION,
	KEY_WIDE
};

static const struct option_row gc_monitor_options[] = {
	{ KEY_ALL_PARTITIONS, "all-partitions", NULL,
	    "show all partitions, not only the active one" },
	{ KEY_NO_CARD_INFO, "no-card-info", NULL,
	    "leave out the table of devices" },
	{ 'j', "json", NULL, "print JSON" },
	{ 'c', "csv-output", NULL, "print CSV, one line per IPU" },
	{ 's', "sensors", NULL,
	    "with -c: also print the values of the sensors" },
	{ KEY_NO_HEADERS, "no-headers", NULL,
	    "with -c: leave out the header line" },
	{ KEY_QUERY, "query", "FIELDS",
	    "print these fields of each IPU, such as index,user,utilisation" },
	{ KEY_FORMAT, "format", "FORMAT",
	    "with --query: csv or json, and after a comma noheader, nounits "
	    "(default: csv)" },
	{ 'i', "id", "IDS",
	    "with --query: print only these device ids, as in 0,4-7" },
	{ KEY_LIST_FIELDS, "list-fields", NULL, "list the fields of --query" },
	{ KEY_LOOP, "loop", "[=SECONDS]",
	    "print again every so many seconds, until a signal ends it; 0 does "
	    "not wait (default: 1)" },
	{ 'l', "watch", "[=SECONDS]",
	    "show the IPUs live on a terminal; elsewhere the same as --loop "
	    "(default: 1)" },
	{ KEY_RECORD, "record", "FILE",
	    "also write each look to a new file; with --verbose it has whole "
	    "command lines" },
	{ KEY_REPLAY, "replay", "FILE[@SECONDS]",
	    "show a recording instead of the pod: its last look, or the first "
	    "after so many seconds; with --loop all looks, at their pace" },
	{ 'v', "verbose", NULL,
	    "show whole command lines, not only program names" },
	{ KEY_WIDE, "wide", NULL,
	    "do not cut text, even on a narrow terminal; also show idle IPUs "
	    "of large pods one by one, and the utilisation of IPUs in use" },
	{ KEY_STYLE, "style", "mid|new|latest",
	    "choose the layout of the tables (default: "
	    "$IPUBOX_GC_MONITOR_STYLE, else that of the SDK)" },
	{ KEY_COLOR, "color", "auto|always|never",
	    "colour states and errors (default: auto)" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static const struct option_values gc_monitor_values[] = {
	{ .key = KEY_FORMAT, .words = "csv or json" },
	{ .key = 'i', .kind = CANDIDATES_DEVICES },
	{ 0 },
};

static int gc_monitor_main(int, char **);

const struct applet gc_monitor_applet = {
	.name = "gc-monitor",
	.purpose = "show the processes attached to IPUs",
	.synopsis = "[-j | -c [-s] [--no-headers] | --query FIELDS [--format "
		    "FORMAT] [-i IDS]] [-l [SECONDS] | --loop[=SECONDS]] "
		    "[--record FILE] [--replay "
		    "FILE[@SECONDS]] [--all-partitions] "
		    "[--no-card-info] [-v] [--wide] [--style mid|new|latest] "
		    "[--color auto|always|never] | --list-fields | version",
	.options = gc_monitor_options,
	.values = gc_monitor_values,
	.main = gc_monitor_main,
	.examples = "  gc-monitor --watch\n"
		    "  gc-monitor --no-card-info --verbose --wide\n"
		    "  gc-monitor -c -s --all-partitions\n"
		    "  gc-monitor --query=index,user,utilisation",
};

/* The command line. */
struct monitor_request {
	bool watch;
	bool no_card_info;
	bool json;
	bool csv;
	bool sensors;
	bool no_headers;
	bool verbose;
	bool wide;
	struct query query;
	bool format; /* --format was given */
	bool list_fields;
	struct source_request source;
	int style; /* -1: the release's default */
	enum terminal_colour colour;
	struct versions versions;
};

/* Collect the active partition, or all of them with continuous ids. */
static int
collect_sections(const struct visible_devices *v,
    const struct monitor_reader *h, bool all, struct section **out)
{
	const struct snapshot *snapshot = &v->snapshot;
	struct section *s;
	int i, n, next = 0;

	n = all ? snapshot->partition_count : v->partition != NULL ? 1 : 0;
	*out = s = xcalloc((size_t)n + 1, sizeof(*s));
	for (i = 0; i < n; i++, s++) {
		section_init(s, h,
		    all ? &snapshot->partitions[i] : v->partition,
		    all ? -1 : v->gcd, next);
		s->active = s->partition == v->partition;
		next += s->count;
	}
	return n;
}

/* Return the columns for all tables but that of processes: those of the
   terminal, or COLUMNS if LINES is set too.  Programs that show a pipe on a
   screen, such as watch(1), set both.  COLUMNS alone concerns only the table of
   processes, as in the real tool; the other tables have a fixed width there. */
static int
narrow_columns(void)
{
	return getenv("LINES") != NULL ?
	    terminal_columns_watched(STDOUT_FILENO) :
	    terminal_columns(STDOUT_FILENO);
}

static void
screen_of(struct monitor_screen *screen, const struct monitor_request *r)
{
	memset(screen, 0, sizeof(*screen));
	screen->form.versions = &r->versions;
	screen->form.layout = r->style != -1 ?
	    (enum versions_layout)r->style :
	    r->versions.gc_monitor;
	screen->form.columns = terminal_columns_watched(STDOUT_FILENO);
	screen->form.narrow = narrow_columns();
	screen->form.wide = r->wide;
	screen->form.colour = terminal_has_colour(STDOUT_FILENO, r->colour);
	screen->no_card_info = r->no_card_info;
	screen->gcd_named = variable_get("IPUOF_VIPU_API_GCD_ID") != NULL;
	screen->hint = terminal_columns(STDOUT_FILENO) > 0;
}

/* Print the sections; the line of names only with the first look. */
static void
show(const struct monitor_request *r, const struct device_look *l, bool first)
{
	const struct visible_devices *v = &l->view;
	struct section *sections;
	struct monitor_reader here = { .registry = &l->registry,
		.pod = &v->snapshot.pod,
		.now_ns = l->registry.frozen_ns,
		.monitor = gcda_monitoring(),
		.verbose = r->verbose,
		.versions = &r->versions };
	struct monitor_screen screen;
	int i, count, ipus = 0;

	holder_place_of(&here.place, &l->registry);
	count = collect_sections(v, &here, r->source.all_partitions, &sections);
	if (r->json)
		format_json(&here, sections, count, r->source.loop);
	else if (r->csv)
		format_csv(&here, sections, count, r->sensors,
		    first && !r->no_headers);
	else {
		screen_of(&screen, r);
		for (i = 0; i < count; i++)
			ipus += sections[i].count;
		screen.form.fold = !r->wide && ipus >= TABLES_FOLD_FROM;
		screen_print(stdout, &screen, &here, sections, count);
	}
	for (i = 0; i < count; i++)
		section_release(&sections[i]);
	free(sections);
}

/* Print a look; the first one has the line of names, and comes after a warning
   about the environment.  -1: it does not have what was asked for. */
static int
show_look(const struct monitor_request *r, struct sample *s, bool first,
    struct error *e)
{
	const struct visible_devices *v = &s->look.view;

	if (first && v->warning[0] != '\0')
		fprintf(stderr, "gc-monitor: %s\n", v->warning);
	if (r->query.field_count == 0) {
		show(r, &s->look, first);
		return 0;
	}
	sample_read(s);
	return query_print(stdout, &r->query, s, r->source.all_partitions,
	    first, e);
}

/* Print one look or, in a loop, looks until a signal, an error or the end of
   the recording. */
static int
look_and_show(const struct monitor_request *r)
{
	struct source source;
	struct sample sample;
	struct error error;
	bool first = true;
	int status;

	applet_check_gcda(&gc_monitor_applet);
	if (source_open(&source, &r->source, &error) != 0)
		return applet_failed(&gc_monitor_applet, &error);
	do {
		memset(&sample, 0, sizeof(sample));
		status = source_look(&source, &sample.look, &error);
		if (status <= 0)
			break;
		if (show_look(r, &sample, first, &error) != 0)
			status = -1;
		sample_release(&sample);
		first = false;
	} while (status == 1 && r->source.loop && fflush(stdout) == 0);
	source_close(&source);
	return status == -1 ? applet_failed(&gc_monitor_applet, &error) :
			      EXIT_DONE;
}

/* Show the live view where a person sees it, else print. */
static int
run(const struct monitor_request *r)
{
	const struct watch_request watch = { .source = r->source,
		.verbose = r->verbose,
		.colour = terminal_has_colour(STDOUT_FILENO, r->colour) };
	struct error error;

	if (!r->watch || r->json || r->csv || r->query.field_count > 0 ||
	    !watch_can_run())
		return look_and_show(r);
	applet_check_gcda(&gc_monitor_applet);
	return watch_run(&watch, &error) == 0 ?
	    EXIT_DONE :
	    applet_failed(&gc_monitor_applet, &error);
}

/* Print the emulated release. */
static int
gc_monitor_print_version(const struct versions *v)
{
	printf("Poplar version: %s\n", v->sdk);
	return EXIT_DONE;
}

/* Parse "mid", "new" or "latest". */
static int
parse_style(const char *what, const char *word, int *style, struct error *e)
{
	if (suggest_choose(what, word, "mid, new or latest", style, e) != 0)
		return -1;
	*style += VERSIONS_MID;
	return 0;
}

/* Take an option.  Returns 0, 1 if it ends the options, or -1 if it is
   refused. */
static int
take_option(struct monitor_request *r, int key, const char *argument,
    struct error *e)
{
	switch (key) {
	case KEY_ALL_PARTITIONS:
		r->source.all_partitions = true;
		return 0;
	case KEY_NO_CARD_INFO:
		r->no_card_info = true;
		return 0;
	case KEY_NO_HEADERS:
		r->no_headers = true;
		return 0;
	case KEY_WIDE:
		r->wide = true;
		return 0;
	case KEY_STYLE:
		return parse_style("--style", argument, &r->style, e);
	case KEY_COLOR:
		return terminal_colour_parse("--color", argument, &r->colour,
		    e);
	case KEY_QUERY:
		return query_take_fields(&r->query, argument, e);
	case KEY_FORMAT:
		r->format = true;
		return query_take_format(&r->query, argument, e);
	case 'i':
		return query_take_ids(&r->query, argument, e);
	case KEY_LIST_FIELDS:
		r->list_fields = true;
		return 0;
	case KEY_LOOP:
		r->source.loop = true;
		return argument == NULL ?
		    0 :
		    parse_real("--loop", argument, 0.0, 86400.0,
			&r->source.interval_s, e);
	case 'l':
		r->watch = r->source.loop = true;
		return argument == NULL ?
		    0 :
		    parse_real("--watch", argument, 0.1, 86400.0,
			&r->source.interval_s, e);
	case KEY_RECORD:
		r->source.record = argument;
		return 0;
	case KEY_REPLAY:
		r->source.replay = argument;
		return 0;
	case 'v':
		r->verbose = r->source.commands = true;
		return 0;
	case 'j':
		r->json = true;
		return 0;
	case 'c':
		r->csv = true;
		return 0;
	case 's':
		r->sensors = true;
		return 0;
	default:
		return 1;
	}
}

/* Take all options.  Returns the key of the one that ends them, OPTIONS_ERROR
   for misuse. */
static int
take_options(struct monitor_request *r, struct option_parser *parser,
    struct error *e)
{
	int key, status;

	while ((key = options_next(parser, e)) >= 0) {
		status = take_option(r, key, parser->argument, e);
		if (status != 0)
			return status > 0 ? key : OPTIONS_ERROR;
	}
	return key;
}

/* Take the style from the variable if no option gives one. */
static int
default_style(struct monitor_request *r, struct error *e)
{
	const char *word = variable_get("IPUBOX_GC_MONITOR_STYLE");

	if (r->style != -1 || word == NULL)
		return 0;
	return parse_style("IPUBOX_GC_MONITOR_STYLE", word, &r->style, e);
}

/* Return why the options do not go together, or NULL. */
static const char *
find_conflict(const struct monitor_request *r)
{
	const bool query = r->query.field_count > 0;

	if (r->json && r->csv)
		return "--json and --csv-output exclude each other";
	if (query && (r->json || r->csv))
		return "--query excludes --json and --csv-output; "
		       "--format=json "
		       "and --format=csv choose its form";
	if (!query && (r->format || r->query.ids != NULL))
		return "--format and -i need --query";
	if (!r->csv && (r->sensors || r->no_headers))
		return "--sensors and --no-headers need --csv-output";
	return NULL;
}

/* Read the command line into *request, which the caller releases, and carry it
   out. */
static int
carry_out(struct monitor_request *request, int argc, char **argv)
{
	struct option_parser parser;
	struct error error;
	const char *word, *conflict;
	int key, status;

	options_init(&parser, gc_monitor_options, argc, argv, false);
	key = take_options(request, &parser, &error);
	word = key == OPTIONS_END && parser.operand < argc ?
	    argv[parser.operand] :
	    NULL;
	if (key == OPTIONS_ERROR)
		return applet_misuse(&gc_monitor_applet, "%s", error.text);
	if (key == 'h')
		return applet_help(&gc_monitor_applet);
	if ((status = applet_versions(&gc_monitor_applet,
		 &request->versions)) != EXIT_DONE)
		return status;
	if (key == KEY_VERSION)
		return gc_monitor_print_version(&request->versions);
	if (word != NULL && strcmp(word, "version") == 0)
		return gc_monitor_print_version(&request->versions);
	if (word != NULL)
		return applet_misuse(&gc_monitor_applet,
		    "unexpected argument '%s'", word);
	if ((conflict = find_conflict(request)) != NULL)
		return applet_misuse(&gc_monitor_applet, "%s", conflict);
	if (request->list_fields) {
		query_list_fields(stdout);
		return EXIT_DONE;
	}
	request->query.by_line = request->source.loop;
	if (default_style(request, &error) != 0)
		return applet_misuse(&gc_monitor_applet, "%s", error.text);
	return run(request);
}

static int
gc_monitor_main(int argc, char **argv)
{
	struct monitor_request request = { .style = -1,
		.source.interval_s = -1.0 };
	const int status = carry_out(&request, argc, argv);

	query_release(&request.query);
	return status;
}
