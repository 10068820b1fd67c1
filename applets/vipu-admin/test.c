/*
 * vipu-admin test cluster: check that the wiring carries traffic.
 */
#include <stdio.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/output.h"
#include "core/control/control.h"

const struct option_row test_options[] = {
	{ KEY_FORCE, "force", NULL,
	    "test it even if partitions are active in it or a program uses "
	    "it" },
	{ KEY_FORMAT, "format", "FORM",
	    "print a table, json or csv (default: table)" },
	{ KEY_SHOWJSON, "showjson", NULL, "the same as --format json" },
	{ 0 },
};

static double
seconds(const struct cluster_test *t)
{
	return (double)t->duration_ns / 1e9;
}

/* Add a row for each kind of test, with the number of passed checks. */
static void
fill_table(const void *source, struct table *table)
{
	static const char *const headers[] = { "Test Type", "Duration",
		"Passed", "Summary", NULL };
	static const struct fit_rule rules[] = { { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 1, FIT_KEEP_START }, { 0, 0, 0, FIT_KEEP_START },
		{ 1, 24, 0, FIT_WRAP } };
	const struct cluster_test *results = source;
	int t;

	table_init(table, headers);
	table->rules = rules;
	for (t = 0; t < WIRING_TESTS; t++) {
		table_add(table, "%s", wiring_test_name(t));
		table_add(table, "%.2fs", seconds(&results[t]));
		table_add(table, "%d/%d", results[t].result.passed,
		    results[t].result.total);
		table_tone(table,
		    results[t].result.passed < results[t].result.total ?
			TONE_BAD :
			TONE_GOOD);
		table_add(table, "%s", results[t].result.summary);
	}
}

static void
fill_csv(const void *source, struct table *table)
{
	static const char *const headers[] = { "test_type", "duration_s",
		"passed", "total", "summary", NULL };
	const struct cluster_test *results = source;
	int t;

	table_init(table, headers);
	for (t = 0; t < WIRING_TESTS; t++) {
		table_add(table, "%s", wiring_test_name(t));
		table_add(table, "%.6f", seconds(&results[t]));
		table_add(table, "%d", results[t].result.passed);
		table_add(table, "%d", results[t].result.total);
		table_add(table, "%s", results[t].result.summary);
	}
}

static void
fill_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct cluster_test *results = source;
	yyjson_mut_val *o;
	int t;

	for (t = 0; t < WIRING_TESTS; t++) {
		o = yyjson_mut_arr_add_obj(doc, list);
		yyjson_mut_obj_add_str(doc, o, "test_type",
		    wiring_test_name(t));
		yyjson_mut_obj_add_real(doc, o, "duration_s",
		    seconds(&results[t]));
		yyjson_mut_obj_add_int(doc, o, "passed",
		    results[t].result.passed);
		yyjson_mut_obj_add_int(doc, o, "total",
		    results[t].result.total);
		yyjson_mut_obj_add_str(doc, o, "summary",
		    results[t].result.summary);
	}
}

static const struct output_view test_listing = { fill_table, 0, fill_json,
	fill_csv };

/*
 * Run all tests, which need the cluster for themselves.  The status is 1 if any
 * check failed.
 */
int
test_cluster(const struct call *call)
{
	struct cluster_test results[WIRING_TESTS];
	struct controller *c;
	struct error error;
	enum output_format format;
	int t, status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = cluster_test_run(c, call->name,
	    call->values[KEY_FORCE] != NULL, results, &error);
	call_close(call, c);
	if (status != 0)
		return call_failed(call, &error);
	if (format == FORMAT_TABLE)
		printf("Showing test results for cluster %s\n", call->name);
	output_list(call, format, &test_listing, results);
	for (t = 0; t < WIRING_TESTS; t++)
		if (results[t].result.passed < results[t].result.total)
			status = -1;
	return status == 0 ? EXIT_DONE : EXIT_FAILED;
}
