/*
 * The argument vector for mpirun(1): what holds for the job, then one context
 * per instance, parted by ":".
 */
#include "core/job/mpirun.h"

#include <string.h>

/*
 * "-np 1", the variables of the instance, the user's own arguments, the
 * program. -x takes NAME=VALUE, or NAME alone for the caller's value.
 */
static void
add_context(const struct mpirun *m, int instance, struct strvec *argv)
{
	const struct strvec	*variables = &m->environments[instance];
	size_t			 i;

	strvec_add(argv, "-np");
	strvec_add(argv, "1");
	if (m->hosts != NULL) {
		strvec_add(argv, "--host");
		strvec_add(argv, m->hosts[instance]);
	}
	for (i = 0; i < variables->count; i++) {
		strvec_add(argv, "-x");
		strvec_add(argv, variables->items[i]);
	}
	strvec_add_all(argv, m->local_args->items);
	if (instance < m->instance_args_count)
		strvec_add_all(argv, m->instance_args[instance].items);
	/* The others write to nowhere; the program is the shell's "$0". */
	if (m->only_output != -1 && instance != m->only_output) {
		strvec_add(argv, "/bin/sh");
		strvec_add(argv, "-c");
		strvec_add(argv, "exec \"$0\" \"$@\" > /dev/null 2>&1");
	}
	strvec_add_all(argv, m->program);
}

int
mpirun_command(const struct mpirun *m, struct strvec *argv, struct error *e)
{
	size_t	i;
	int	instance;

	for (i = 0; m->program[i] != NULL; i++)
		if (strcmp(m->program[i], ":") == 0)
			return error_set(e, "argument %zu of the program is "
			    "':', which mpirun takes for the end of its "
			    "arguments: use --launcher local", i);
	strvec_add(argv, m->path);
	strvec_add(argv, "--tag-output");
	(void)strvec_split(argv, m->placement, NULL);
	/* mpirun counts a slot a core; how many instances a host can bear is
	   for the user to say. */
	if (m->num_instances > 1)
		strvec_add(argv, "--oversubscribe");
	strvec_add_all(argv, m->global_args->items);
	if (m->allow_run_as_root)
		strvec_add(argv, "--allow-run-as-root");
	for (instance = 0; instance < m->num_instances; instance++) {
		if (instance > 0)
			strvec_add(argv, ":");
		add_context(m, instance, argv);
	}
	return 0;
}

bool
mpirun_args_have(const struct strvec *args, const char *arg)
{
	size_t	i;

	for (i = 0; i < args->count; i++)
		if (strcmp(args->items[i], arg) == 0)
			return true;
	return false;
}
