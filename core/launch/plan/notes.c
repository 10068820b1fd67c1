/*
 * Options that have no effect here, each noted once with the reason: under -v
 * and in the dry run.
 */
#include "core/launch/plan/plan.h"

#include <string.h>

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

/* Note the arguments for mpirun that the local launcher accepts but ignores. */
static void
add_local_notes(struct plan *p)
{
	size_t k;
	int i;

	for (i = 0; i < p->layout.num_instances; i++) {
		for (k = 0; k < p->local[i].without_effect.count; k++)
			add_note(p, p->local[i].without_effect.items[k],
			    "the instances are started without mpirun, on this "
			    "machine");
		for (k = 0; k < p->local[i].missing.count && i == 0; k++)
			job_log_line(LOG_WARN,
			    "could not find environment variable \"%s\"",
			    p->local[i].missing.items[k]);
	}
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
	if (p->launcher != LAUNCHER_MPIRUN)
		add_local_notes(p);
}
