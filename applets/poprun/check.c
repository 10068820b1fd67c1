/*
 * The pre-flight of a job: one column per host, one row per check, and below
 * each other what was found and what would help.
 */
#include "applets/poprun/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "applets/applet.h"
#include "applets/poprun/poprun_internal.h"
#include "core/base/alloc.h"
#include "core/base/json.h"
#include "core/base/text.h"

enum { NAME_WIDTH = 15, VERDICT_WIDTH = 4, HOST_NAME_SIZE = 65 };

/* A host and what was found there. */
struct column {
	const char	*host;
	struct diagnosis diagnosis;
};

/* ---- the partition ---- */

/* Its dry run says what the job would make of it. */
static void
check_partition(struct plan *p, struct diagnosis *d)
{
	struct job_partition	*job = &p->partition;
	struct error		 e = { .text = "" };

	d->checking = "partition";
	if (p->settings->offline) {
		diagnosis_add(d, VERDICT_OK, "none is needed offline");
		return;
	}
	if (partition_ensure(p, job, &e) != 0) {
		e.text[strcspn(e.text, "\n")] = '\0';
		diagnosis_add(d, VERDICT_FAIL, "%s", e.text);
		return;
	}
	if (job->planned)
		diagnosis_add(d, VERDICT_OK, "%s would be created", job->name);
	else if (partition_check_unused(job, &e) != 0)
		diagnosis_add(d, VERDICT_WARN, "%s\twait until it has ended, "
		    "or use another partition", e.text);
	else
		diagnosis_add(d, VERDICT_OK, "%s fits and is in state PS_%s",
		    job->name, partition_state_name(job->known.state));
}

/* ---- what is printed ---- */

/* How a check went on a host, by the worst that it found. */
static enum verdict
worst(const struct diagnosis *d, const char *name)
{
	enum verdict	verdict = VERDICT_OK;
	int		i;

	for (i = 0; i < d->count; i++)
		if (strcmp(d->findings[i].name, name) == 0 &&
		    d->findings[i].verdict > verdict)
			verdict = d->findings[i].verdict;
	return verdict;
}

static int
host_width(const struct column *c)
{
	const int	length = (int)strlen(c->host);

	return length > VERDICT_WIDTH ? length : VERDICT_WIDTH;
}

static void
print_texts(const struct column *columns, int count, const char *name,
    int indent)
{
	const struct finding	*f;
	char			*text;
	bool			 first = true;
	int			 c, i;

	for (c = 0; c < count; c++)
		for (i = 0; i < columns[c].diagnosis.count; i++) {
			f = &columns[c].diagnosis.findings[i];
			if (strcmp(f->name, name) != 0 || (count > 1 &&
			    f->verdict == VERDICT_OK))
				continue;
			if (!first)
				printf("\n%*s", indent, "");
			first = false;
			text = xasprintf("%s%s%s%s%s", count > 1 ?
			    columns[c].host : "", count > 1 ? ": " : "",
			    f->what, f->remedy[0] != '\0' ? "; " : "",
			    f->remedy);
			/* A screen has lines of a width, a pipe whole ones. */
			if (isatty(STDOUT_FILENO) == 1)
				text_wrap(stdout, text, indent, indent);
			else
				fputs(text, stdout);
			free(text);
		}
	putchar('\n');
}

/* All hosts have the same checks in the same order. */
static void
check_print_text(const struct column *columns, int count)
{
	const struct diagnosis	*d = &columns[0].diagnosis;
	const char		*last = "";
	int			 indent = NAME_WIDTH, c, i;

	printf("%-*s", NAME_WIDTH, "check");
	for (c = 0; c < count; c++) {
		printf("%s%-*s", c > 0 ? "  " : "", c + 1 < count ?
		    host_width(&columns[c]) : 0, columns[c].host);
		indent += host_width(&columns[c]) + 2;
	}
	putchar('\n');
	for (i = 0; i < d->count; i++) {
		if (strcmp(d->findings[i].name, last) == 0)
			continue;
		last = d->findings[i].name;
		printf("%-*s", NAME_WIDTH, last);
		for (c = 0; c < count; c++)
			printf("%-*s  ", host_width(&columns[c]),
			    diagnosis_verdict_words[worst(
			    &columns[c].diagnosis, last)]);
		print_texts(columns, count, last, indent);
	}
}

static void
check_add_findings(yyjson_mut_doc *doc, yyjson_mut_val *array,
    const struct diagnosis *d)
{
	const struct finding	*f = d->findings;
	yyjson_mut_val		*one;

	for (; f < d->findings + d->count; f++) {
		one = yyjson_mut_arr_add_obj(doc, array);
		(void)yyjson_mut_obj_add_str(doc, one, "check", f->name);
		(void)yyjson_mut_obj_add_str(doc, one, "verdict",
		    diagnosis_verdict_words[f->verdict]);
		(void)yyjson_mut_obj_add_str(doc, one, "what", f->what);
		(void)yyjson_mut_obj_add_str(doc, one, "mend", f->remedy);
	}
}

static void
check_print_json(const struct column *columns, int count)
{
	yyjson_mut_doc	*doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val	*root = yyjson_mut_obj(doc), *hosts, *host;
	int		 c, failures = 0;

	yyjson_mut_doc_set_root(doc, root);
	for (c = 0; c < count; c++)
		failures += columns[c].diagnosis.failures;
	(void)yyjson_mut_obj_add_int(doc, root, "failures", failures);
	hosts = yyjson_mut_obj_add_arr(doc, root, "hosts");
	for (c = 0; c < count; c++) {
		host = yyjson_mut_arr_add_obj(doc, hosts);
		(void)yyjson_mut_obj_add_str(doc, host, "host",
		    columns[c].host);
		check_add_findings(doc, yyjson_mut_obj_add_arr(doc, host,
		    "checks"), &columns[c].diagnosis);
	}
	json_print(stdout, doc);
}

/* ---- all of it ---- */

/* Where hosts are emulated, all of them are this one. */
static int
check_plan(struct plan *p)
{
	char		host[HOST_NAME_SIZE] = "this host";
	struct column	column = { .host = p->hosts.items[0] };
	int		status;

	if (p->emulated && gethostname(host, sizeof(host) - 1) == 0)
		column.host = host;
	check_files_run(p, &column.diagnosis);
	check_partition(p, &column.diagnosis);
	check_host_run(p, &column.diagnosis);
	if (p->settings->json)
		check_print_json(&column, 1);
	else
		check_print_text(&column, 1);
	status = column.diagnosis.failures > 0 ? EXIT_FAILED : EXIT_DONE;
	diagnosis_release(&column.diagnosis);
	return status;
}

/* It looks as a dry run does, and so it creates nothing. */
int
check_run(const struct poprun_settings *given)
{
	struct poprun_settings	s = *given;
	struct plan		p;
	struct error		e = { .text = "" };
	int			status;

	s.dry_run = true;
	if (log_init(s.verbose, &e) != 0)
		return log_error("%s", e.text);
	if (plan_begin(&p, &s, &e) != 0)
		status = log_error("%s", e.text);
	else
		status = check_plan(&p);
	plan_release(&p);
	return status;
}
