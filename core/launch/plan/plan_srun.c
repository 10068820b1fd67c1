/*
 * srun's command line: one step of the Slurm job, with a parent for each
 * instance as its tasks.  Task i is instance i.
 *
 * srun gives all tasks the same environment, so the variables of an instance
 * travel in one variable, which its parent unpacks (parent_task.c).
 */
#include "core/launch/plan/plan_srun.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/text.h"
#include "core/launch/parent.h"
#include "core/launch/parent_task.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/plan.h"
#include "core/process/process.h"

enum { MPI_LIST_MS = 10 * 1000 };

/* Return the host of each instance, separated by commas; emulated hosts are
   this one. */
static char *
list_hosts(const struct plan *p)
{
	struct memstream out;
	int i;

	(void)memstream_open(&out);
	for (i = 0; i < p->layout.num_instances; i++)
		fprintf(out.file, "%s%s", i == 0 ? "" : ",",
		    p->emulated ?
			hosts_name_own() :
			p->hosts.items[layout_instance(&p->layout, i).host]);
	return memstream_close(&out, NULL);
}

bool
plan_srun_connects_mpi(struct plan *p, const char *srun)
{
	char *path = xstrdup(srun), list[] = "--mpi=list";
	char *const argv[] = { path, list, NULL };
	struct child child = { .argv = argv, .limit_ms = MPI_LIST_MS };
	bool known;

	if (p->pmix != ANSWER_DEFAULT) {
		free(path);
		return p->pmix == ANSWER_YES;
	}
	known = children_run(&child, 1, 1, NULL) == 0 &&
	    ((child.out.text != NULL &&
		 strstr(child.out.text, "pmix") != NULL) ||
		(child.err.text != NULL &&
		    strstr(child.err.text, "pmix") != NULL));
	children_release(&child);
	free(path);
	p->pmix = known ? ANSWER_YES : ANSWER_NO;
	return known;
}

/* Add the options.  The step shares the job's processors with the step or
   script in which poprun runs, and a lost task does not end the others: poprun
   does that. */
static void
add_options(struct plan *p, struct strvec *words)
{
	static const char *const fixed[] = { "--overlap", "--overcommit",
		"--distribution=arbitrary", "--cpu-bind=none", "--input=none",
		"--kill-on-bad-exit=0", "--wait=0", "--export=ALL", "--quiet" };
	char *hosts = list_hosts(p);
	size_t i;

	strvec_add(words, p->mpirun);
	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		strvec_add(words, fixed[i]);
	strvec_addf(words, "--nodes=%d", p->emulated ? 1 : p->layout.num_hosts);
	strvec_addf(words, "--ntasks=%d", p->layout.num_instances);
	strvec_addf(words, "--nodelist=%s", hosts);
	if (p->layout.num_instances > 1 && getenv("SLURM_MPI_TYPE") == NULL &&
	    !own_program_has(path_base_name(p->settings->program[0])) &&
	    plan_srun_connects_mpi(p, p->mpirun))
		strvec_add(words, "--mpi=pmix");
	free(hosts);
}

/* Return the entry that sets a variable: the last one with the name of `entry`;
   NULL: none. */
static const char *
find_last(const struct strvec *v, const char *entry)
{
	const size_t length = strcspn(entry, "=") + 1;
	size_t k;

	for (k = v->count; k > 0; k--)
		if (strncmp(v->items[k - 1], entry, length) == 0)
			return v->items[k - 1];
	return NULL;
}

/* Whether this entry sets the variable in all instances. */
static bool
is_common(const struct plan *p, const char *entry)
{
	const char *last;
	int i;

	for (i = 0; i < p->layout.num_instances; i++) {
		last = find_last(&p->environments[i], entry);
		if (last == NULL || strcmp(last, entry) != 0)
			return false;
	}
	return true;
}

/* Add a variable for the tasks: the entries that set something, except those in
   `without`, and the directory. */
static void
pack(struct plan *p, const char *task, const struct strvec *v,
    const struct strvec *without, const char *working)
{
	struct memstream out;
	const char *entry;
	char *text;
	size_t k;

	(void)memstream_open(&out);
	for (k = 0; k < v->count; k++) {
		entry = v->items[k];
		if (find_last(v, entry) == entry &&
		    find_last(without, entry) == NULL)
			fprintf(out.file, "%s%c", entry, PARENT_TASK_SEPARATOR);
	}
	if (working != NULL)
		fprintf(out.file, "=%s%c", working, PARENT_TASK_SEPARATOR);
	text = memstream_close(&out, NULL);
	strvec_addf(&p->tasks, PARENT_TASK_VARIABLE "%s=%s", task, text);
	free(text);
}

/* Pack what all instances have in common once, and then the rest of each. */
static void
pack_all(struct plan *p)
{
	const struct strvec *v = &p->environments[0];
	struct strvec common, none;
	char task[16];
	size_t k;
	int i;

	strvec_init(&none);
	strvec_init(&common);
	for (k = 0; k < v->count; k++)
		if (is_common(p, v->items[k]))
			strvec_add(&common, v->items[k]);
	strvec_release(&p->tasks);
	strvec_init(&p->tasks);
	pack(p, "ALL", &common, &none, NULL);
	for (i = 0; i < p->layout.num_instances; i++) {
		(void)snprintf(task, sizeof(task), "%d", i);
		pack(p, task, &p->environments[i], &common,
		    p->working != NULL ? p->working[i] : NULL);
	}
	strvec_release(&common);
}

int
plan_srun_complete(struct plan *p, struct error *e)
{
	int status = 0;

	pack_all(p);
	add_options(p, &p->run);
	strvec_add_all(&p->command, p->run.items);
	strvec_add_all(&p->command, p->program.items);
	if (p->bring.file != NULL) {
		strvec_add(&p->run, p->bring.file);
		strvec_add(&p->run, OWN_PROGRAM_WORD);
	} else
		status = own_program_add(&p->run, e);
	strvec_add(&p->run, PARENT_WORD);
	strvec_add(&p->run, PARENT_TASK_WORD);
	bring_add_program(p, &p->run);
	return status;
}
