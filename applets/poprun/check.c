/*
 * The pre-flight check of a job: one column per host, one row per check
 * in its table.  This host is checked here, other hosts by check_hosts.c.
 */
#include "applets/poprun/poprun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "core/base/table.h"
#include "core/base/text.h"
#include "core/diag/check_answer.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/run.h"

enum {
	NAME_WIDTH = 15,
	VERDICT_WIDTH = 4,
	SCREEN_HOST_WIDTH = 16,
	HOST_NAME_SIZE = 256,
	TEXT_INDENT = 4,
	NAMED_MAX = 4 /* hosts named for one finding */
};

/* Not checked: the host, or something that the check needs, is missing. */
enum { VERDICT_NONE = -1 };

/* Return the worst result of a check on a host. */
static int
matrix_worst(const struct diagnosis *d, const char *name)
{
	int verdict = VERDICT_NONE, i;

	for (i = 0; i < d->count; i++)
		if (strcmp(d->findings[i].name, name) == 0 &&
		    (int)d->findings[i].verdict > verdict)
			verdict = (int)d->findings[i].verdict;
	return verdict;
}

/* Whether any of the hosts ran the check. */
static bool
matrix_has_row(const struct check_column *columns, int count, const char *name)
{
	int c;

	for (c = 0; c < count; c++)
		if (matrix_worst(&columns[c].diagnosis, name) != VERDICT_NONE)
			return true;
	return false;
}

/* Return the width of a column: that of the host's name, or the limit to which
   a screen cuts it. */
static int
host_width(const struct check_column *c, bool alone,
    const struct table_screen *screen)
{
	const int length = (int)strlen(c->host);
	int most = alone ? 0 : screen->columns - NAME_WIDTH;

	if (most < SCREEN_HOST_WIDTH)
		most = SCREEN_HOST_WIDTH;
	if (screen->columns > 0 && length > most)
		return most;
	return length > VERDICT_WIDTH ? length : VERDICT_WIDTH;
}

/* Return the width of several columns with the names of the checks. */
static int
matrix_width(const struct check_column *columns, int count,
    const struct table_screen *screen)
{
	int width = NAME_WIDTH - 2, c;

	for (c = 0; c < count; c++)
		width += host_width(&columns[c], false, screen) + 2;
	return width;
}

static void
matrix_print_host(const struct check_column *c, int width, bool alone,
    const struct table_screen *screen)
{
	char text[HOST_NAME_SIZE];

	terminal_cut_end(text, sizeof(text), c->host,
	    screen->columns > 0 ? host_width(c, alone, screen) :
				  HOST_NAME_SIZE);
	printf("%-*s", width, text);
}

static void
matrix_print_verdict(int verdict, int width, const struct table_screen *screen)
{
	const enum terminal_tone tone = verdict == VERDICT_NONE ?
	    TONE_DIM :
	    diagnosis_tone((enum verdict)verdict);
	const char *word = verdict == VERDICT_NONE ?
	    "-" :
	    diagnosis_verdict_words[verdict];

	printf("%s%s%s%*s", terminal_begin(tone, screen->colour), word,
	    terminal_end(tone, screen->colour),
	    width == 0 ? 0 : width - terminal_width(word), "");
}

/* Return a finding and its remedy, which the caller frees. */
static char *
finding_text(const char *hosts, const struct finding *f)
{
	return xasprintf("%s%s%s%s%s", hosts, *hosts != '\0' ? ": " : "",
	    f->what, f->remedy[0] != '\0' ? "; " : "", f->remedy);
}

/* ---- one host ---- */

static void
matrix_print_texts(const struct check_column *column, const char *name,
    int indent, const struct table_screen *screen)
{
	const struct diagnosis *d = &column->diagnosis;
	const struct finding *f;
	bool first = true;
	char *text;
	int i;

	for (i = 0; i < d->count; i++) {
		f = &d->findings[i];
		if (strcmp(f->name, name) != 0)
			continue;
		if (!first)
			printf("\n%*s", indent, "");
		first = false;
		text = finding_text("", f);
		/* Lines are wrapped on a screen, but not in a pipe. */
		text_wrap_to(stdout, screen->columns, text, indent, indent);
		free(text);
	}
}

/* ---- several ---- */

static bool
finding_is_same(const struct finding *a, const struct finding *b)
{
	return strcmp(a->name, b->name) == 0 && a->verdict == b->verdict &&
	    strcmp(a->what, b->what) == 0 && strcmp(a->remedy, b->remedy) == 0;
}

static bool
has_finding(const struct check_column *c, const struct finding *f)
{
	int i;

	for (i = 0; i < c->diagnosis.count; i++)
		if (finding_is_same(&c->diagnosis.findings[i], f))
			return true;
	return false;
}

/* Return "pod2, pod3 and 7 more", which the caller frees. */
static char *
finding_hosts(const struct check_column *columns, int count,
    const struct finding *f)
{
	struct memstream m;
	int c, named = 0, more = 0;

	(void)memstream_open(&m);
	for (c = 0; c < count; c++) {
		if (!has_finding(&columns[c], f))
			continue;
		if (named == NAMED_MAX) {
			more++;
			continue;
		}
		fprintf(m.file, "%s%s", named++ > 0 ? ", " : "",
		    columns[c].host);
	}
	if (more > 0)
		fprintf(m.file, " and %d more", more);
	return memstream_close(&m, NULL);
}

/* Print a finding that hosts share once, with the first of them. */
static void
matrix_print_finding(const struct check_column *columns, int count, int at,
    const struct finding *f, const struct table_screen *screen)
{
	char *hosts, *text;
	int c;

	for (c = 0; c < at; c++)
		if (has_finding(&columns[c], f))
			return;
	hosts = finding_hosts(columns, count, f);
	text = finding_text(hosts, f);
	printf("%-*s", NAME_WIDTH, f->name);
	matrix_print_verdict((int)f->verdict, VERDICT_WIDTH + 2, screen);
	text_wrap_to(stdout, screen->columns, text,
	    NAME_WIDTH + VERDICT_WIDTH + 2, TEXT_INDENT);
	putchar('\n');
	free(hosts);
	free(text);
}

static void
matrix_print_findings(const struct check_column *columns, int count,
    const struct table_screen *screen)
{
	const char *const *row;
	const struct diagnosis *d;
	bool first = true;
	int c, i;

	for (row = check_answer_rows; *row != NULL; row++)
		for (c = 0; c < count; c++) {
			d = &columns[c].diagnosis;
			for (i = 0; i < d->count; i++) {
				if (strcmp(d->findings[i].name, *row) != 0 ||
				    d->findings[i].verdict == VERDICT_OK)
					continue;
				if (first)
					putchar('\n');
				first = false;
				matrix_print_finding(columns, count, c,
				    &d->findings[i], screen);
			}
		}
}

/* ---- the table ---- */

/* Print the table; `alone`: each row ends with the findings. */
static void
matrix_print(const struct check_column *columns, int count, bool alone,
    const struct table_screen *screen)
{
	const char *const *row;
	int c, width, verdict;

	printf("%-*s", NAME_WIDTH, "check");
	for (c = 0; c < count; c++) {
		matrix_print_host(&columns[c],
		    c + 1 < count ? host_width(&columns[c], alone, screen) : 0,
		    alone, screen);
		fputs(c + 1 < count ? "  " : "\n", stdout);
	}
	for (row = check_answer_rows; *row != NULL; row++) {
		if (!matrix_has_row(columns, count, *row))
			continue;
		printf("%-*s", NAME_WIDTH, *row);
		for (c = 0; c < count; c++) {
			width = host_width(&columns[c], alone, screen) + 2;
			verdict = matrix_worst(&columns[c].diagnosis, *row);
			matrix_print_verdict(verdict,
			    c + 1 < count || alone ? width : 0, screen);
		}
		if (alone)
			matrix_print_texts(columns, *row,
			    NAME_WIDTH + host_width(columns, alone, screen) + 2,
			    screen);
		putchar('\n');
	}
}

static bool
is_all_well(const struct check_column *c)
{
	int i;

	for (i = 0; i < c->diagnosis.count; i++)
		if (c->diagnosis.findings[i].verdict != VERDICT_OK)
			return false;
	return true;
}

/* Choose the columns with findings, or the first column; returns their
   number. */
static int
choose_columns(const struct check_column *columns, int count,
    struct check_column *chosen)
{
	int c, n = 0;

	for (c = 0; c < count; c++)
		if (!is_all_well(&columns[c]))
			chosen[n++] = columns[c];
	if (n == 0)
		chosen[n++] = columns[0];
	return n;
}

/* Print as many tables as the screen's width requires. */
static void
matrix_print_parts(const struct check_column *columns, int count,
    const struct table_screen *screen)
{
	int begin, n;

	for (begin = 0; begin < count; begin += n) {
		n = 1;
		while (begin + n < count &&
		    matrix_width(columns + begin, n + 1, screen) <=
			screen->columns)
			n++;
		if (begin > 0)
			putchar('\n');
		matrix_print(columns + begin, n, false, screen);
	}
}

/* Print the findings as text, a row for each check.  For one host the findings
   end the row.  For several hosts the findings that are not "ok" follow the
   table, with their hosts.  A table too wide for the screen shows only hosts
   with such findings, in several parts if needed, and counts the others. */
static void
check_table_print(const struct check_column *columns, int count,
    const struct table_screen *screen)
{
	struct check_column *chosen;
	int n;

	if (count == 1 || screen->columns == 0 ||
	    matrix_width(columns, count, screen) <= screen->columns) {
		matrix_print(columns, count, count == 1, screen);
	} else {
		chosen = xcalloc((size_t)count, sizeof(*chosen));
		n = choose_columns(columns, count, chosen);
		matrix_print_parts(chosen, n, screen);
		if (n < count)
			printf("\n%d more host%s: all ok\n", count - n,
			    count - n == 1 ? "" : "s");
		free(chosen);
	}
	if (count > 1)
		matrix_print_findings(columns, count, screen);
}

/* Print all findings as JSON. */
static void
check_table_print_json(const struct check_column *columns, int count)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *hosts, *host;
	int c, failures = 0;

	yyjson_mut_doc_set_root(doc, root);
	for (c = 0; c < count; c++)
		failures += columns[c].diagnosis.failures;
	(void)yyjson_mut_obj_add_int(doc, root, "failures", failures);
	hosts = yyjson_mut_obj_add_arr(doc, root, "hosts");
	for (c = 0; c < count; c++) {
		host = yyjson_mut_arr_add_obj(doc, hosts);
		(void)yyjson_mut_obj_add_str(doc, host, "host",
		    columns[c].host);
		check_answer_add_findings(doc,
		    yyjson_mut_obj_add_arr(doc, host, "checks"),
		    &columns[c].diagnosis);
	}
	json_print(stdout, doc);
}

/* ---- the partition ---- */

/* The dry run reports what the job would do with the partition. */
static void
check_partition(struct plan *p, struct diagnosis *d)
{
	struct job_partition *job = &p->partition;
	struct error e = { .text = "" };

	d->checking = "partition";
	if (p->settings->offline) {
		diagnosis_add(d, VERDICT_OK, "an offline job needs none");
		return;
	}
	if (job_partition_ensure(p, job, &e) != 0) {
		e.text[strcspn(e.text, "\n")] = '\0';
		diagnosis_add(d, VERDICT_FAIL, "%s", e.text);
		return;
	}
	if (job->planned)
		diagnosis_add(d, VERDICT_OK, "%s would be created", job->name);
	else if (job_partition_check_unused(job, &e) != 0)
		diagnosis_add(d, VERDICT_WARN,
		    "%s\twait until it has ended, or use another partition",
		    e.text);
	else
		diagnosis_add(d, VERDICT_OK, "%s fits and is in state PS_%s",
		    job->name, partition_state_name(job->known.state));
}

/* ---- the whole check ---- */

/* Check the host that poprun runs on. */
static void
check_own(struct plan *p, struct diagnosis *d)
{
	const int own = hosts_find_own(p);
	struct check_load load = { .instances = p->far == NULL ?
		    p->layout.num_instances :
		    own == -1 ? 0 :
				layout_host_instances(&p->layout, own),
		.outputs = p->layout.num_instances,
		.pipes = p->settings->pty == PTY_NO,
		.has_poprun = true };

	check_files_run(p, d);
	load.files = run_open_files(p);
	if (p->far != NULL)
		check_hosts_run_own(p, d);
	check_partition(p, d);
	check_host_run(&load, d);
}

/*
 * Make a column for each host.  This host has the first column if it has no
 * instances, because poprun and mpirun run on it.  Emulated hosts are all this
 * host.
 */
static struct check_column *
check_make_columns(const struct plan *p, const char *name, int *count, int *own)
{
	struct check_column *columns;
	size_t i;
	int n = 0;

	columns = xcalloc(p->hosts.count + 1, sizeof(*columns));
	*own = p->far == NULL ? 0 : hosts_find_own(p);
	if (*own == -1) {
		columns[n++].host = name;
		*own = 0;
	}
	for (i = 0; i < p->hosts.count && (i == 0 || p->far != NULL); i++)
		columns[n++].host = p->emulated ? name : p->hosts.items[i];
	*count = n;
	return columns;
}

static int
check_plan(struct plan *p)
{
	char name[HOST_NAME_SIZE] = "this host";
	struct table_screen screen;
	struct check_column *columns;
	int count, own, c, failures = 0;

	(void)gethostname(name, sizeof(name) - 1);
	columns = check_make_columns(p, name, &count, &own);
	check_own(p, &columns[own].diagnosis);
	if (p->far != NULL)
		check_hosts_run(p, columns, count, own);
	table_screen_init(&screen, STDOUT_FILENO, false, p->settings->colour);
	if (p->settings->json)
		check_table_print_json(columns, count);
	else
		check_table_print(columns, count, &screen);
	for (c = 0; c < count; c++) {
		failures += columns[c].diagnosis.failures;
		diagnosis_release(&columns[c].diagnosis);
	}
	free(columns);
	return failures > 0 ? EXIT_FAILED : EXIT_DONE;
}

/* The checks use a dry run, so nothing is created. */
int
check_run(const struct launch_settings *given)
{
	struct launch_settings s = *given;
	struct plan p;
	struct error e = { .text = "" };
	int status;

	s.dry_run = true;
	if (job_log_init(s.verbose, &e) != 0)
		return job_log_error("%s", e.text);
	job_log_set_colour(s.colour);
	if (plan_begin(&p, &s, &e) != 0)
		status = job_log_error("%s", e.text);
	else
		status = check_plan(&p);
	plan_release(&p);
	return status;
}
