/*
 * vipu list partitions, vipu get partition.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/format.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/suggest.h"
#include "core/control/ipuof.h"
#include "core/control/transaction.h"
#include "core/state/paths.h"
#include "core/state/state.h"

const struct option_row show_list_options[] = {
	{ KEY_STYLE, "style", "STYLE", "new, mid or old: the name in column 3, "
	    "2 or 1 (default: as the SDK has it, see ipubox-versions(7))" },
	OUTPUT_OPTIONS,
	{ 0 }
};

const struct option_row show_get_options[] = {
	{ 'v', "verbose", NULL, "show its life as well: retries, "
	    "resets, times, owner" },
	{ KEY_IPUOF_CONFIGS, "ipuof-configs", NULL, "print the IPUoF "
	    "configuration as JSON, below a line that names it" },
	{ KEY_GCD, "gcd", "G", "with --ipuof-configs: that GCD's alone, and "
	    "nothing but JSON" },
	OUTPUT_OPTIONS,
	{ 0 }
};

/* All partitions now.  A damaged one is told of, the others are shown. */
static int
read_partitions(const struct call *call, struct snapshot *s)
{
	int	status = call_read_state(call, s);

	if (status == EXIT_DONE && s->damaged > 0)
		fprintf(stderr, "%s: warning: a partition is not shown: %s\n",
		    call->applet->name, s->damage);
	return status;
}

/* The columns that scripts cut apart: those of the option, or the release's. */
static int
choose_layout(const struct call *call, enum versions_layout *layout)
{
	const char	*style = call->values[KEY_STYLE];
	struct error	 error;
	int		 i;

	*layout = call->versions.partitions;
	if (style == NULL)
		return 0;
	for (i = 0; versions_layout_words[i] != NULL; i++) {
		if (strcmp(style, versions_layout_words[i]) == 0) {
			*layout = (enum versions_layout)i;
			return 0;
		}
	}
	(void)suggest_refuse("--style", style, "new, mid or old", &error);
	(void)call_misuse(call, "%s", error.text);
	return -1;
}

int
show_list(const struct call *call)
{
	enum versions_layout	 layout;
	struct partition_range	 all = { NULL, 0, 0, &call->versions };
	enum output_format	 format;
	struct snapshot		 s;
	int			 status;

	if (choose_layout(call, &layout) != 0 ||
	    output_format(call, &format) != 0)
		return EXIT_USAGE;
	if ((status = read_partitions(call, &s)) != EXIT_DONE)
		return status;
	all.snapshot = &s;
	all.count = s.partition_count;
	output_list(format, &format_lines[layout], &all);
	snapshot_release(&s);
	return EXIT_DONE;
}

/*
 * The original prints one line above the JSON unless a GCD is named, and its
 * users cut it off with `tail -n +2`.
 */
static int
print_ipuof(const struct call *call, const struct pod *pod,
    const struct partition *p, int gcd)
{
	struct error	 error;
	char		*text;

	if (gcd >= p->num_gcds) {
		(void)error_set(&error, "gcd %d: the partition has %d GCD%s, "
		    "counted from 0", gcd, p->num_gcds,
		    p->num_gcds == 1 ? "" : "s");
		return call_failed(call, &error);
	}
	text = ipuof_text(pod, p, gcd, &call->versions);
	if (gcd == -1)
		printf("IPUoF configuration of partition %s:\n", p->name);
	fputs(text, stdout);
	free(text);
	return EXIT_DONE;
}

/*
 * One partition in one form; those that exclude each other are refused before
 * anything is read.
 */
int
show_get(const struct call *call)
{
	bool			ipuof = call->values[KEY_IPUOF_CONFIGS] != NULL;
	bool			verbose = call->values['v'] != NULL;
	struct partition_range	one = { NULL, 0, 1, &call->versions };
	enum output_format	format;
	struct snapshot		s;
	struct error		error;
	int			status, gcd = -1;

	if (call_number(call, KEY_GCD, 0, POD_IPUS_MAX - 1, &gcd) != 0)
		return EXIT_USAGE;
	if (gcd != -1 && !ipuof)
		return call_misuse(call, "--gcd needs --ipuof-configs");
	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if (verbose && (ipuof || format != FORMAT_TABLE))
		return call_misuse(call, "--verbose is for the table; the "
		    "other forms have it all");
	if (ipuof && format != FORMAT_TABLE)
		return call_misuse(call, "--ipuof-configs has one form, "
		    "JSON");
	if ((status = read_partitions(call, &s)) != EXIT_DONE)
		return status;
	one.snapshot = &s;
	one.first = snapshot_find(&s, call->name);
	if (one.first == -1) {
		(void)error_set(&error, "there is no partition of that name; "
		    "%s list partitions shows those there are",
		    call->applet->name);
		(void)snapshot_suggest(&s, call->name, &error);
		(void)paths_append_place(&error);
		status = call_failed(call, &error);
	} else if (ipuof) {
		status = print_ipuof(call, &s.pod, &s.partitions[one.first],
		    gcd);
	} else {
		output_get(format, verbose ? &format_page_verbose :
		    &format_page, &one);
	}
	snapshot_release(&s);
	return status;
}
