/*
 * vipu doctor: report problems of this host and this environment, with
 * remedies.  Only --fix changes something.
 */
#include <stdio.h>
#include <stdlib.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/control/control.h"
#include "core/diag/diag.h"

const struct option_row doctor_options[] = {
	{ KEY_FORMAT, "format", "FORM",
	    "print a table, json or csv (default: table)" },
	{ KEY_SHOWJSON, "showjson", NULL, "the same as --format json" },
	{ KEY_WIDE, "wide", NULL,
	    "print each finding on one line, even on a narrow terminal" },
	{ KEY_FIX, "fix", NULL,
	    "first remove IPUoF files whose partition no longer exists" },
	{ 0 },
};

/*
 * Print a finding per line: "ok    NAME: WHAT", with the remedy after ";".  A
 * screen wraps it below NAME.
 */
static void
print_lines(const struct diagnosis *d, const struct table_screen *screen)
{
	enum { INDENT = 6 };
	const struct finding *f = d->findings;
	enum terminal_tone tone;
	const char *word;
	char *text;

	for (; f < d->findings + d->count; f++) {
		word = diagnosis_verdict_words[f->verdict];
		tone = diagnosis_tone(f->verdict);
		text = xasprintf("%s: %s%s%s\n", f->name, f->what,
		    f->remedy[0] != '\0' ? "; " : "", f->remedy);
		printf("%s%s%s%*s", terminal_begin(tone, screen->colour), word,
		    terminal_end(tone, screen->colour),
		    INDENT - terminal_width(word), "");
		text_wrap_to(stdout, screen->columns, text, INDENT, INDENT);
		free(text);
	}
}

static void
add_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct diagnosis *d = source;
	const struct finding *f = d->findings;
	yyjson_mut_val *one;

	for (; f < d->findings + d->count; f++) {
		one = yyjson_mut_arr_add_obj(doc, array);
		yyjson_mut_obj_add_str(doc, one, "check", f->name);
		yyjson_mut_obj_add_str(doc, one, "verdict",
		    diagnosis_verdict_words[f->verdict]);
		yyjson_mut_obj_add_str(doc, one, "what", f->what);
		yyjson_mut_obj_add_str(doc, one, "mend", f->remedy);
	}
}

static void
add_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "check", "verdict", "what",
		"mend", NULL };
	const struct diagnosis *d = source;
	const struct finding *f = d->findings;

	table_init(t, headers);
	for (; f < d->findings + d->count; f++) {
		table_add(t, "%s", f->name);
		table_add(t, "%s", diagnosis_verdict_words[f->verdict]);
		table_add(t, "%s", f->what);
		table_add(t, "%s", f->remedy);
	}
}

/* Remove the files of a directory whose partitions no longer exist. */
static void
fix_files(const struct ipuof_directory *directory)
{
	const struct ipuof_probe *f = directory->files;
	struct error e;

	for (; f != NULL && f < directory->files + directory->count; f++) {
		if (f->standing != IPUOF_GONE)
			continue;
		if (ipuof_remove_gone(f->path, &e) != 0)
			fprintf(stderr, "vipu: %s\n", e.text);
		else
			fprintf(stderr,
			    "vipu: removed %s; its partition %s no longer "
			    "exists\n",
			    f->path, f->reference.partition);
	}
}

/*
 * Checks the environment as a program sees it, and also runs with an unreadable
 * configuration.
 */
int
doctor_command(const struct call *call)
{
	static const struct output_view listing = { .json = add_json,
		.csv = add_csv };
	enum output_format format;
	struct table_screen screen;
	struct config_options options;
	struct probes probes;
	struct diagnosis d;
	int status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	call_config_options(call, &options);
	probes_gather(&probes, &options);
	if (call->values[KEY_FIX] != NULL) {
		fix_files(&probes.home);
		fix_files(&probes.hosts);
		probes_release(&probes);
		probes_gather(&probes, &options);
	}
	doctor_diagnose(&probes, &d);
	output_screen(call, &screen);
	if (format == FORMAT_TABLE)
		print_lines(&d, &screen);
	else
		output_list(call, format, &listing, &d);
	status = d.failures > 0 ? EXIT_FAILED : EXIT_DONE;
	diagnosis_release(&d);
	probes_release(&probes);
	return status;
}
