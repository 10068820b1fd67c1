/*
 * MCA parameters of mpirun.  It uses those in the arguments of the whole job,
 * and in the arguments before the first program.
 */
#include "core/launch/plan/plan.h"

#include <stddef.h>
#include <stdio.h>

#include "core/base/parse.h"
#include "core/job/job.h"
#include "core/launch/plan/launch_settings.h"

static const char *
parameter_of_args(const struct launch_settings *s, const char *const *names,
    const char **name)
{
	const char *value = mpirun_args_parameter(&s->global_args, names, name);

	if (value == NULL)
		value = mpirun_args_parameter(&s->local_args, names, name);
	if (value == NULL && s->instance_args_count > 0)
		value = mpirun_args_parameter(&s->instance_args[0], names,
		    name);
	return value;
}

const char *
parameter_get(const struct launch_settings *s, const char *const *names,
    char origin[PARAMETER_ORIGIN_SIZE])
{
	const char *name = NULL;
	const char *value = parameter_of_args(s, names, &name);
	const char *prefix = "--mca ";
	char variable[PARAMETER_ORIGIN_SIZE];

	for (; value == NULL && *names != NULL; names++) {
		(void)snprintf(variable, sizeof(variable), "OMPI_MCA_%s",
		    *names);
		value = variable_get(variable);
		prefix = "OMPI_MCA_";
		name = *names;
	}
	if (value == NULL || *value == '\0')
		return NULL;
	if (origin != NULL)
		(void)snprintf(origin, PARAMETER_ORIGIN_SIZE, "%s%s", prefix,
		    name);
	return value;
}
