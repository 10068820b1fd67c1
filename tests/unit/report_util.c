/*
 * What a profile's report.html shows, held against its summary.json.
 */
#include "tests/unit/report_util.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

/* A number of summary.json by its path, "ipus.0.stash.seen". */
double
report_figure(yyjson_val *v, const char *path)
{
	char	pointer[128], *c;

	(void)snprintf(pointer, sizeof(pointer), "/%s", path);
	for (c = pointer; *c != '\0'; c++)
		if (*c == '.')
			*c = '/';
	v = yyjson_ptr_get(v, pointer);
	return yyjson_is_num(v) ? yyjson_get_num(v) : -1;
}

long
report_count_text(const char *text, const char *part)
{
	long	n = 0;

	while ((text = strstr(text, part)) != NULL) {
		text += strlen(part);
		n++;
	}
	return n;
}

/* Every figure of the report is that of summary.json. */
void
report_check_figures(const char *report, yyjson_val *root)
{
	const char	*at = report, *value;
	char		 key[128];
	double		 got = 0, wanted = 0;
	long		 n = 0;

	while ((at = strstr(at, "data-key=\"")) != NULL) {
		at += strlen("data-key=\"");
		(void)snprintf(key, sizeof(key), "%.*s",
		    (int)strcspn(at, "\""), at);
		value = strstr(at, "data-value=\"");
		got = value == NULL ? NAN : strtod(value +
		    strlen("data-value=\""), NULL);
		wanted = report_figure(root, key);
		if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted))) {
			printf("# %s\n", key);
			break;
		}
		n++;
	}
	is_near(got, wanted, 1e-9 * fabs(wanted), "figures of the report are "
	    "those of summary.json");
	ok(n > 30, "and there are many");
}

/*
 * Figures of summary.json by their paths, '%' for the place in a list and '*'
 * for the rest: those that the page shows, and those that it does not, for
 * they stand there as words, in pictures or as what is left of another.
 */
static const char *const shown[] = {
	"run.host_samples_per_second", "run.modelled_samples_per_second",
	"run.calls", "run.samples", "utilisation.*", "cycles.iteration",
	"ipus.%.utilisation.*", "ipus.%.modelled.cycles.forward",
	"ipus.%.modelled.cycles.backward", "ipus.%.stash.*",
	"ipus.%.memory.kinds.*", "ipus.%.memory.total",
	"ipus.%.memory.streaming", "ipus.%.memory.fullest_tile_bytes",
	"ipus.%.memory.tile_balance", "links.%.iteration_*",
	"links.%.host_*", "longest_host.%.ns", "longest_modelled.%.cycles",
	NULL
};
static const char *const not_shown[] = {
	"instance", "configuration.*", "run.host_processors",
	"run.planned_calls", "run.host_seconds", "run.modelled_seconds",
	"bubble.*",
	"cycles.clock_mhz", "cycles.update", "cycles.call",
	"cycles.per_sample", "findings.%.*", "schedule.*",
	"stages.%.*", "ipus.%.ipu", "ipus.%.host.ns.*", "ipus.%.host.share.*",
	"ipus.%.modelled.cycles.*", "ipus.%.modelled.share.*",
	"ipus.%.memory.fullest_tile", "ipus.%.memory.tile_limit_bytes",
	"links.%.from", "links.%.to", "longest_host.%.*",
	"longest_modelled.%.*", NULL
};

static bool
fits(const char *const *patterns, const char *path)
{
	const char	*p, *at;

	for (; *patterns != NULL; patterns++) {
		for (p = *patterns, at = path; *p != '\0' && *p != '*'; p++)
			if (*p == '%')
				at += strspn(at, "0123456789");
			else if (*p != *at++)
				break;
		if (*p == '*' || (*p == '\0' && *at == '\0'))
			return true;
	}
	return false;
}

/* The first figure that the page should have once and has not, in `wrong`. */
static void
check_page_of(yyjson_val *v, const char *path, const char *report,
    char wrong[128])
{
	yyjson_val	*key, *member;
	yyjson_obj_iter	 it;
	yyjson_arr_iter	 elements;
	const bool	 top = path[0] == '\0';
	char		 text[160];
	int		 i = 0;

	yyjson_obj_iter_init(v, &it);
	while ((key = yyjson_obj_iter_next(&it)) != NULL) {
		(void)snprintf(text, sizeof(text), "%s%s%s", path, top ? "" :
		    ".", yyjson_get_str(key));
		check_page_of(yyjson_obj_iter_get_val(key), text, report,
		    wrong);
	}
	yyjson_arr_iter_init(v, &elements);
	while ((member = yyjson_arr_iter_next(&elements)) != NULL) {
		(void)snprintf(text, sizeof(text), "%s.%d", path, i++);
		check_page_of(member, text, report, wrong);
	}
	(void)snprintf(text, sizeof(text), "data-key=\"%s\"", path);
	if (yyjson_is_num(v) && wrong[0] == '\0' && (fits(shown, path) ?
	    report_count_text(report, text) != 1 : !fits(not_shown, path)))
		(void)snprintf(wrong, 128, "%s", path);
}

/* Every figure that the page should have, once; rows that say what they are;
   and steps among the longest ones. */
void
report_check_page(const char *report, yyjson_val *root)
{
	const size_t	host = yyjson_arr_size(yyjson_obj_get(root,
	    "longest_host")), modelled = yyjson_arr_size(yyjson_obj_get(root,
	    "longest_modelled"));
	const long	tables = report_count_text(report, "<table");
	char		wrong[128] = "";

	check_page_of(root, "", report, wrong);
	is_str(wrong, "", "each figure of summary.json that the page has, "
	    "once");
	ok(host > 0 && modelled > 0, "there are longest steps");
	is_int(report_count_text(report, "data-key=\"longest_"),
	    (long)(host + modelled), "and the page has them");
	ok(tables >= 4 && report_count_text(report, "<thead><tr>") == tables,
	    "tables have heads");
	is_int(report_count_text(report, "<tr><th scope=\"row\">"),
	    report_count_text(report, "<tr>") - tables, "and each row its own");
}
