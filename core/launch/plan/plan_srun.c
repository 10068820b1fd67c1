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
#include "core/launch/plan/plan.h"
#include "core/process/process.h"

enum { MPI_LIST_MS = 10 * 1000 };

/* Return the host of each instance, separated by commas. */
static char *
list_hosts(const struct plan *p)
{
	struct memstream out;
	int i;

	(void)memstream_open(&out);
	for (i = 0; i < p->layout.num_instances; i++)
		fprintf(out.file, "%s%s", i == 0 ? "" : ",",
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
	strvec_addf(words, "--nodes=%d", p->layout.num_hosts);
	strvec_addf(words, "--ntasks=%d", p->layout.num_instances);
	strvec_addf(words, "--nodelist=%s", hosts);
	if (p->layout.num_instances > 1 && getenv("SLURM_MPI_TYPE") == NULL &&
	    !own_program_has(path_base_name(p->settings->program[0])) &&
	    plan_srun_connects_mpi(p, p->mpirun))
		strvec_add(words, "--mpi=pmix");
	free(hosts);
}

/* Whether all instances have this variable with this value. */
static bool
is_common(const struct plan *p, const char *entry)
{
	const struct strvec *v;
	size_t k;
	int i;

	for (i = 0; i < p->layout.num_instances; i++) {
		v = &p->environments[i];
		for (k = 0; k < v->count; k++)
			if (strcmp(v->items[k], entry) == 0)
				break;
		if (k == v->count)
			return false;
	}
	return true;
}

/* Pack the variables of an instance that are common to all, or are not. */
static void
pack(struct plan *p, int instance, bool common)
{
	const struct strvec *v = &p->environments[instance];
	const char *working = p->working != NULL ? p->working[instance] : NULL;
	struct memstream out;
	char *text;
	size_t k;

	(void)memstream_open(&out);
	for (k = 0; k < v->count; k++)
		if (is_common(p, v->items[k]) == common)
			fprintf(out.file, "%s%c", v->items[k],
			    PARENT_TASK_SEPARATOR);
	if (!common && working != NULL)
		fprintf(out.file, "=%s%c", working, PARENT_TASK_SEPARATOR);
	text = memstream_close(&out, NULL);
	if (common)
		strvec_addf(&p->tasks, PARENT_TASK_VARIABLE "ALL=%s", text);
	else
		strvec_addf(&p->tasks, PARENT_TASK_VARIABLE "%d=%s", instance,
		    text);
	free(text);
}

int
plan_srun_complete(struct plan *p, struct error *e)
{
	int i, status = 0;

	strvec_release(&p->tasks);
	strvec_init(&p->tasks);
	pack(p, 0, true);
	for (i = 0; i < p->layout.num_instances; i++)
		pack(p, i, false);
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
