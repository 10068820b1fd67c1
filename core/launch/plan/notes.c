/*
 * Options that have no effect here, each noted once with the reason: under -v
 * and in the dry run.
 */
#include "core/launch/plan/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "core/launch/plan/notes.h"

/* Add a note unless another instance already caused the same one. */
static void
add_note(struct plan *p, const char *option, const char *because)
{
	struct strvec one;
	size_t i;

	strvec_init(&one);
	strvec_addf(&one, "no effect here: %s, because %s", option, because);
	for (i = 0; i < p->notes.count; i++)
		if (strcmp(p->notes.items[i], one.items[0]) == 0)
			break;
	if (i == p->notes.count) {
		strvec_add(&p->notes, one.items[0]);
		job_log_line(LOG_INFO, "%s", one.items[0]);
	}
	strvec_release(&one);
}

/* Warn of arguments for mpirun that may reach less than the user expects. */
static void
warn_of_reach(const struct plan *p)
{
	const struct mpirun_local *last =
	    &p->local[p->layout.num_instances - 1];
	size_t k;

	if (last->not_reached != NULL)
		job_log_warning("'%s %s' in --mpi-global-args reaches instance "
				"0 only, as with mpirun itself; "
				"--mpi-local-args reaches all instances",
		    last->not_reached[0], last->not_reached[1]);
	for (k = 0; k < p->local[0].missing.count; k++)
		job_log_line(LOG_WARN,
		    "could not find environment variable \"%s\"",
		    p->local[0].missing.items[k]);
}

/* Note the arguments for mpirun that the local launcher accepts but ignores. */
static void
add_local_notes(struct plan *p)
{
	size_t k;
	int i;

	for (i = 0; i < p->layout.num_instances; i++)
		for (k = 0; k < p->local[i].without_effect.count; k++)
			add_note(p, p->local[i].without_effect.items[k],
			    "the instances are started without mpirun, on this "
			    "machine");
}

const char *
notes_replaced_rank(const struct plan *p, size_t *at)
{
	const struct strvec *named = &p->local[0].variables;
	const char *variable;
	size_t i;

	while ((variable = environ[*at]) != NULL) {
		++*at;
		if (!environment_is_rank(variable))
			continue;
		for (i = 0; i < named->count; i++)
			if (strcmp(named->items[i], variable) == 0)
				break;
		if (i == named->count)
			return variable;
	}
	return NULL;
}

/* Note the variables of the caller that poprun replaces. */
static void
add_ranks(struct plan *p)
{
	const char *variable;
	char *option;
	size_t at = 0;

	while ((variable = notes_replaced_rank(p, &at)) != NULL) {
		option = xasprintf("%s in the environment", variable);
		add_note(p, option,
		    "each instance gets its own value (-x passes another)");
		free(option);
	}
}

void
notes_add_places(struct plan *p)
{
	static const char elsewhere[] =
	    "the hosts are emulated, and this pod has none of that name";

	if (p->partition.without_cluster)
		add_note(p, "--vipu-cluster", elsewhere);
	if (p->partition.without_allocation)
		add_note(p, "--vipu-allocation", elsewhere);
}

void
notes_add(struct plan *p)
{
	const struct launch_settings *s = p->settings;
	static const char one_machine[] = "all instances run on this machine";

	if (s->host_subnet != NULL && p->named->count > 0 && p->far == NULL)
		add_note(p, "--host-subnet", one_machine);
	if (s->placement_given && s->placement != BINDING_NONE &&
	    p->launcher == LAUNCHER_MPIRUN && cores_are_mpiruns(s))
		add_note(p, "--process-placement",
		    "the arguments for mpirun say where the instances run");
	if (s->synchronise_venv && p->far == NULL)
		add_note(p, "--synchronise-python-venv", one_machine);
	if (s->synchronise_sdk && p->far == NULL)
		add_note(p, "--synchronise-poplar-sdk", one_machine);
	if (s->distribute_ssh_key && p->far == NULL)
		add_note(p, "--distribute-ssh-key", one_machine);
	else if (s->distribute_ssh_key && p->agent.has_names)
		add_note(p, "--distribute-ssh-key",
		    "the hosts are not reached by ssh");
	if (s->bring_ipubox && p->far == NULL)
		add_note(p, "--bring-ipubox", one_machine);
	if (s->offline && s->partition != NULL && *s->partition != '\0')
		add_note(p, "--vipu-partition",
		    "an offline job has no partition");
	add_ranks(p);
	if (p->launcher != LAUNCHER_MPIRUN)
		add_local_notes(p);
	warn_of_reach(p);
}
