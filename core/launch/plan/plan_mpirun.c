/*
 * mpirun's command lines.  Read plan_mpirun_complete().
 */
#include "core/launch/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "core/launch/parent.h"
#include "core/process/process.h"

/* The parts of one of the two command lines. */
struct mpirun_lines {
	const struct plan *plan;
	const struct strvec *environments;
	const struct strvec *hosts; /* one per instance; empty: this host */
	const struct strvec *network;
	const struct strvec *carried; /* as in struct mpirun */
	const struct strvec *program; /* the program of each instance */
};

/* Copy the user's arguments for mpirun: those of the whole job, of each
   instance, and of the first ones.  The executed copy contains the SDK, and
   lacks what poprun does itself; the shown one has what the user wrote. */
static struct strvec *
copy_args(const struct plan *p, bool run)
{
	const struct launch_settings *s = p->settings;
	const size_t count = 2 + (size_t)s->instance_args_count;
	struct strvec *copies = xcalloc(count, sizeof(*copies));
	const struct strvec *args;
	struct strvec kept;
	size_t i;

	for (i = 0; i < count; i++) {
		args = i == 0 ? &s->global_args :
		    i == 1    ? &s->local_args :
				&s->instance_args[i - 2];
		if (run) {
			strvec_init(&kept);
			mpirun_local_keep(args, &kept);
			use_sdk_add_args(p, &kept, &copies[i]);
			strvec_release(&kept);
		} else if (args->count > 0)
			strvec_add_all(&copies[i], args->items);
	}
	return copies;
}

/* Emulated hosts count as one. */
static int
most_on_a_host(const struct plan *p)
{
	int most = p->far != NULL ? 0 : p->layout.num_instances, count, i;

	for (i = 0; p->far != NULL && i < p->layout.num_hosts; i++) {
		count = layout_host_instances(&p->layout, i);
		most = count > most ? count : most;
	}
	return most;
}

/* Add a whole command line; `parent` as in struct mpirun. */
static void
mpirun_words(const struct mpirun_lines *l, const struct strvec *parent,
    struct strvec *words)
{
	const struct plan *p = l->plan;
	const struct launch_settings *s = p->settings;
	struct strvec *args = copy_args(p, parent != NULL);

	mpirun_command(
	    &(struct mpirun){ .path = p->mpirun != NULL ? p->mpirun : "mpirun",
		.global_args = &args[0],
		.local_args = &args[1],
		.instance_args = args + 2,
		.instance_args_count = s->instance_args_count,
		.allow_run_as_root = s->allow_run_as_root,
		.placement = cores_mpirun_args(s),
		.network = l->network,
		.num_instances = p->layout.num_instances,
		.instances_per_host = most_on_a_host(p),
		.hosts = l->hosts->count > 0 ? l->hosts->items : NULL,
		.environments = l->environments,
		.program = l->program->items,
		.parent = parent,
		.carried = parent != NULL ? l->carried : NULL },
	    words);
	strvec_free_array(args, 2 + s->instance_args_count);
}

/* Add the name of each instance's host. */
static void
add_hosts(const struct plan *p, struct strvec *hosts)
{
	int i;

	for (i = 0; i < p->layout.num_instances; i++)
		strvec_add(hosts,
		    p->hosts.items[layout_instance(&p->layout, i).host]);
}

/* Add the names of variables to carry to other hosts: the job's, and the
   caller's that would otherwise differ there. */
static void
add_carried(const struct plan *p, struct strvec *names)
{
	static const char *const callers[] = { ENGINE_OPTIONS_VARIABLE,
		"MASTER_ADDR", "MASTER_PORT", "POPTORCH_IPU_MODEL",
		"PYTHONUNBUFFERED", "VIPU_CLI_API_USER_ID",
		"VIPU_CLI_API_ACCESS_KEY" };
	const char *word, *end;
	size_t i;

	for (i = 0; i < p->variables.count; i++) {
		word = p->variables.items[i];
		if ((end = strchr(word, '=')) != NULL)
			strvec_addf(names, "%.*s", (int)(end - word), word);
	}
	for (i = 0; i < ARRAY_SIZE(callers); i++)
		if (getenv(callers[i]) != NULL)
			strvec_add(names, callers[i]);
}

/* Add the executed command line: our parents, from the program's file on the
   hosts. */
static int
plan_mpirun_add_run(struct plan *p, const struct mpirun_lines *shown,
    struct error *e)
{
	struct mpirun_lines lines = *shown;
	struct strvec parent, program;
	int status = 0;

	strvec_init(&parent);
	strvec_init(&program);
	if (p->bring.file != NULL) {
		strvec_add(&parent, p->bring.file);
		strvec_add(&parent, OWN_PROGRAM_WORD);
	} else
		status = own_program_add(&parent, e);
	if (status == 0) {
		strvec_add(&parent, PARENT_WORD);
		bring_add_program(p, &program);
		lines.program = &program;
		mpirun_words(&lines, &parent, &p->run);
	}
	strvec_release(&parent);
	strvec_release(&program);
	return status;
}

int
plan_mpirun_complete(struct plan *p, struct error *e)
{
	struct strvec hosts, network, carried;
	const struct mpirun_lines lines = { .plan = p,
		.environments = p->environments,
		.hosts = &hosts,
		.network = &network,
		.carried = &carried,
		.program = &p->program };
	int status;

	strvec_init(&hosts);
	strvec_init(&network);
	strvec_init(&carried);
	if (p->far != NULL) {
		add_hosts(p, &hosts);
		job_network_add_args(p, &network);
		add_carried(p, &carried);
	}
	mpirun_words(&lines, NULL, &p->command);
	status = plan_mpirun_add_run(p, &lines, e);
	strvec_release(&hosts);
	strvec_release(&network);
	strvec_release(&carried);
	return status;
}

void
plan_mpirun_show(struct plan *p, const struct strvec *environments)
{
	struct strvec hosts, none;
	const struct mpirun_lines lines = { .plan = p,
		.environments = environments,
		.hosts = &hosts,
		.network = &none,
		.program = &p->program };

	strvec_init(&hosts);
	strvec_init(&none);
	add_hosts(p, &hosts);
	mpirun_words(&lines, NULL, &p->on_hosts);
	strvec_release(&hosts);
	strvec_release(&none);
}
