/*
 * vipu list partitions, vipu get partition.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/keys.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/parse.h"
#include "core/control/control.h"

/* In place of a GCD: the IPUoF configuration is not requested. */
enum { NO_IPUOF = -2 };

const struct option_row show_list_options[] = {
	{ KEY_STYLE, "style", "STYLE",
	    "new, mid or old: print the name in column 3, 2 or 1, see "
	    "ipubox-versions(7) (default: as the emulated release)" },
	{ 'v', "verbose", NULL,
	    "also show in the last column the V-IPU user that a partition "
	    "belongs to" },
	{ 'w', "watch", NULL,
	    "then print a line for each change, until a signal ends it" },
	OUTPUT_OPTIONS,
	{ 0 },
};

const struct option_row show_get_options[] = {
	{ 'v', "verbose", NULL,
	    "also show its GS1 groups and its history: retries, resets, times, "
	    "owner" },
	{ KEY_IPUOF_CONFIGS, "ipuof-configs", NULL,
	    "print the IPUoF configuration as JSON, after a line that names "
	    "the partition" },
	{ KEY_GCD, "gcd", "G",
	    "with --ipuof-configs: print only the JSON object of this GCD" },
	OUTPUT_OPTIONS,
	{ 0 },
};

/* Read all partitions; a damaged one is reported, the others are shown. */
static int
read_partitions(const struct call *call, struct controller *c, bool agents,
    struct snapshot *s)
{
	struct error error;

	if (transaction_list_partitions(c, agents, s, &error) != 0)
		return call_failed(call, &error);
	call_warn_damage(call, s);
	return EXIT_DONE;
}

/* Choose the columns, which scripts split: those of the option, or the
   release's. */
static int
choose_layout(const struct call *call, enum versions_layout *layout)
{
	const char *style = call->values[KEY_STYLE];
	struct error error;
	int i;

	*layout = call->caller.admin ? call->versions.admin_partitions :
				       call->versions.partitions;
	if (style == NULL)
		return 0;
	for (i = 0; i <= (int)VERSIONS_NEW; i++) {
		if (strcmp(style, versions_layout_words[i]) == 0) {
			*layout = (enum versions_layout)i;
			return 0;
		}
	}
	(void)suggest_refuse("--style", style, values_words(KEY_STYLE), &error);
	(void)call_misuse(call, "%s", error.text);
	return -1;
}

int
show_list(const struct call *call)
{
	enum versions_layout layout;
	struct partition_range all = { .versions = &call->versions,
		.users = call->values['v'] != NULL };
	struct output_stream stream = { .has_begun = false };
	enum output_format format;
	struct controller *c;
	struct snapshot s;
	struct error error;
	int status;

	if (choose_layout(call, &layout) != 0 ||
	    output_format(call, &format) != 0)
		return EXIT_USAGE;
	if (call->values['w'] != NULL) {
		stream.format = format;
		stream.view = &format_lines[layout];
		return watch_partitions(call, &stream, &all);
	}
	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	/* The table names no IPUs. */
	status = read_partitions(call, c, format != FORMAT_TABLE, &s);
	call_close(call, c);
	if (status != EXIT_DONE)
		return status;
	all.snapshot = &s;
	all.count = s.partition_count;
	output_list(call, format, &format_lines[layout], &all);
	snapshot_release(&s);
	return EXIT_DONE;
}

/*
 * The original prints one line above the JSON unless a GCD is named, and its
 * users remove it with `tail -n +2`.
 */
static int
print_ipuof(const struct call *call, struct controller *c,
    const struct pod *pod, const struct partition *p, int gcd)
{
	struct error error;
	char *text;

	if (gcd >= p->num_gcds) {
		(void)error_set(&error,
		    "gcd %d: the partition has %d GCD%s, counted from 0", gcd,
		    p->num_gcds, p->num_gcds == 1 ? "" : "s");
		return call_failed(call, &error);
	}
	text = ipuof_config(c, pod, p, gcd, &error);
	if (text == NULL)
		return call_failed(call, &error);
	if (gcd == -1)
		printf(IPUOF_HEADING "%s:\n", p->name);
	fputs(text, stdout);
	free(text);
	return EXIT_DONE;
}

/* Print a partition of an open controller, or its IPUoF text. */
static int
show_one(const struct call *call, struct controller *c,
    enum output_format format, int gcd)
{
	struct partition_range one = { .count = 1,
		.versions = &call->versions };
	struct table_screen screen;
	struct snapshot s;
	struct error error;
	int status;

	if ((status = read_partitions(call, c, true, &s)) != EXIT_DONE)
		return status;
	one.snapshot = &s;
	output_screen(call, &screen);
	one.screen = screen.columns > 0;
	one.first = snapshot_look_up(&s, call->name, &error);
	if (one.first == -1) {
		(void)controller_append_place(c, &error);
		status = call_failed(call, &error);
	} else if (gcd != NO_IPUOF) {
		status = print_ipuof(call, c, &s.pod, &s.partitions[one.first],
		    gcd);
	} else {
		output_get(call, format,
		    call->values['v'] != NULL ? &format_page_verbose :
						&format_page,
		    &one);
	}
	snapshot_release(&s);
	return status;
}

/*
 * Print one partition in one form; conflicting forms are refused before
 * anything is read.
 */
int
show_get(const struct call *call)
{
	bool ipuof = call->values[KEY_IPUOF_CONFIGS] != NULL;
	bool verbose = call->values['v'] != NULL;
	enum output_format format;
	struct controller *c;
	struct error error;
	int status, gcd = -1;

	if (call_number(call, KEY_GCD, 0, POD_IPUS_MAX - 1, &gcd) != 0)
		return EXIT_USAGE;
	if (gcd != -1 && !ipuof)
		return call_misuse(call, "--gcd needs --ipuof-configs");
	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if (verbose && (ipuof || format != FORMAT_TABLE))
		return call_misuse(call,
		    "--verbose is for the table; json and csv always show "
		    "everything");
	if (ipuof && format != FORMAT_TABLE)
		return call_misuse(call,
		    "--ipuof-configs prints JSON only: leave out the other "
		    "format");
	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = show_one(call, c, format, ipuof ? gcd : NO_IPUOF);
	call_close(call, c);
	return status;
}
