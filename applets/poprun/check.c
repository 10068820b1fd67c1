/*
 * The pre-flight check of a job: one column per host, one row per check
 * (check_table.h).  This host is checked here, other hosts by check_hosts.c.
 */
#include "applets/poprun/poprun.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/table.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/run.h"

enum { HOST_NAME_SIZE = 256 };

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
