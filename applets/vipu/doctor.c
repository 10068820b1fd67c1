/*
 * vipu doctor: what is wrong on this host and in this environment, and the
 * remedy.  It changes nothing.
 */
#include <stdio.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"
#include "core/diag/doctor.h"

const struct option_row doctor_options[] = {
	{ KEY_FORMAT, "format", "FORM", "table (default), json or csv" },
	{ KEY_SHOWJSON, "showjson", NULL, "the same as --format json" },
	{ 0 }
};

/* A finding per line: "ok    NAME: WHAT", with the remedy behind ";". */
static void
print_lines(const struct diagnosis *d)
{
	const struct finding	*f = d->findings;

	for (; f < d->findings + d->count; f++)
		printf("%-4s  %s: %s%s%s\n",
		    diagnosis_verdict_words[f->verdict],
		    f->name, f->what, f->remedy[0] != '\0' ? "; " : "",
		    f->remedy);
}

static void
add_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct diagnosis	*d = source;
	const struct finding	*f = d->findings;
	yyjson_mut_val		*one;

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
	static const char *const headers[] = {
		"check", "verdict", "what", "mend", NULL
	};
	const struct diagnosis	*d = source;
	const struct finding	*f = d->findings;

	table_init(t, headers);
	for (; f < d->findings + d->count; f++) {
		table_add(t, "%s", f->name);
		table_add(t, "%s", diagnosis_verdict_words[f->verdict]);
		table_add(t, "%s", f->what);
		table_add(t, "%s", f->remedy);
	}
}

/*
 * It looks at the environment as a program would see it, and runs where the
 * configuration cannot be read.
 */
int
doctor_command(const struct call *call)
{
	static const struct output_view	listing = {
		.json = add_json, .csv = add_csv
	};
	enum output_format		format;
	struct config_options		options;
	struct probes			probes;
	struct diagnosis		d;
	int				status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	call_config_options(call, &options);
	probes_gather(&probes, &options);
	doctor_diagnose(&probes, &d);
	if (format == FORMAT_TABLE)
		print_lines(&d);
	else
		output_list(format, &listing, &d);
	status = d.failures > 0 ? EXIT_FAILED : EXIT_DONE;
	diagnosis_release(&d);
	probes_release(&probes);
	return status;
}
