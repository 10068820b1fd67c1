/*
 * --process-placement: chooses the policy, and computes the binding of each
 * instance on this machine or, in a dry run, on the machine of a copied /sys.
 */
#include "core/launch/plan/plan.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/job/job.h"

/* Names a directory that a dry run reads in place of /sys, so that it shows
   where instances would run on the machine that has this tree. */
#define CORES_SYS_VARIABLE "IPUBOX_SYS"

bool
cores_are_mpiruns(const struct launch_settings *s)
{
	int i;

	for (i = 0; i < s->instance_args_count; i++)
		if (mpirun_args_place(&s->instance_args[i]))
			return true;
	return mpirun_args_place(&s->global_args) ||
	    mpirun_args_place(&s->local_args);
}

/* The user's binding arguments for mpirun win there.  The local launcher cannot
   follow them, so unless --process-placement was given it binds nothing. */
static enum binding_policy
choose_policy(const struct plan *p)
{
	const struct launch_settings *s = p->settings;

	if (cores_are_mpiruns(s) &&
	    (p->launcher == LAUNCHER_MPIRUN || !s->placement_given))
		return BINDING_NONE;
	return s->placement;
}

/* The parent of each instance binds it, by the rules of the local launcher:
   mpirun would bind the parent.  User arguments after this one win. */
const char *
cores_mpirun_args(const struct launch_settings *s)
{
	return s->placement == BINDING_NONE ? "" : "--bind-to none";
}

static int
read_machine(struct plan *p, struct error *e)
{
	const enum machine_detail detail = binding_detail(p->binding.policy);
	const char *root = getenv(CORES_SYS_VARIABLE);
	char *path;
	int status;

	if (!p->settings->dry_run || root == NULL) {
		machine_read_own(&p->machine, detail);
		return 0;
	}
	path = xasprintf("%s/devices/system/cpu/online", root);
	status = access(path, R_OK) == 0 ?
	    0 :
	    error_set_errno(e,
		"%s does not name a copy of /sys: cannot read %s",
		CORES_SYS_VARIABLE, path);
	free(path);
	machine_read(&p->machine, root, NULL, detail);
	return status;
}

bool
cores_binding(const struct plan *p, int instance, struct binding *b)
{
	if (p->binding.machine == NULL)
		return false;
	binding_choose_by_rule(&p->binding, instance, b);
	return !number_set_is_empty(&b->cpus);
}

static void
cores_log(const struct plan *p)
{
	struct binding b;
	char *text;
	int i;

	for (i = 0; job_log_wants(LOG_DEBUG) && i < p->layout.num_instances;
	     i++) {
		if (!cores_binding(p, i, &b))
			continue;
		text = binding_text(&b);
		job_log_line(LOG_DEBUG, "Instance %d: cores %s", i, text);
		free(text);
	}
}

/* Each emulated host is placed like a separate machine.  If instance 0 is
   unbound all are, and the launch has no rule to apply. */
int
cores_choose(struct plan *p, struct error *e)
{
	struct binding first;

	p->binding = (struct binding_rule){ .policy = choose_policy(p),
		.counts = p->layout.shares,
		.count = layout_host_instances(&p->layout, 0) };
	/* Other hosts examine themselves.  One instance gets all nodes. */
	if (p->binding.policy == BINDING_NONE || p->far != NULL ||
	    (p->binding.policy == BINDING_SPREADNUMA && p->binding.count == 1 &&
		!p->settings->dry_run) ||
	    (p->launcher != LAUNCHER_LOCAL && !p->settings->dry_run &&
		!job_log_wants(LOG_DEBUG)))
		return 0;
	if (read_machine(p, e) != 0)
		return -1;
	p->binding.machine = &p->machine;
	if (!cores_binding(p, 0, &first))
		p->binding.machine = NULL;
	cores_log(p);
	return 0;
}
