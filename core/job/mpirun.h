/*
 * The command line for Open MPI's mpirun: options of the whole job, then an
 * application context per instance with ":" between, because an -x of one
 * context does not reach the next.
 *
 * Source: a published log with a whole command; mpirun(1) of Open MPI 4.1.
 */
#ifndef CORE_JOB_MPIRUN_H
#define CORE_JOB_MPIRUN_H

#include <stdbool.h>

#include "core/base/strvec.h"

struct mpirun {
	const char		*path;
	const struct strvec	*global_args;	/* the user's */
	const struct strvec	*local_args;	/* the user's, for each */
	const struct strvec	*instance_args;	/* of the first instances */
	int			 instance_args_count;
	bool			 allow_run_as_root;
	const char		*placement;	/* arguments with spaces
						   between, "": none */
	const struct strvec	*network;	/* arguments that choose one */
	int			 num_instances;
	int			 instances_per_host;
	char *const		*hosts;		/* one per instance, or NULL:
						   mpirun's own */
	const struct strvec	*environments;	/* one per instance */
	char *const		*program;	/* NULL-terminated */
	const struct strvec	*parent;	/* words before INSTANCE and
						   the program that make it
						   run below our parent
						   (parent.h), NULL: none */
	const struct strvec	*carried;	/* names of its own variables
						   that other hosts get too,
						   NULL: none */
};

/*
 * Add the whole argv.  The user's arguments come behind poprun's own, so that
 * a user's `-x NAME=VALUE` counts.
 */
void	mpirun_command(const struct mpirun *, struct strvec *argv);

/*
 * Whether the arguments say on which cores of its host a process runs:
 * --bind-to, --map-by, other words for it, or the same as --mca NAME VALUE.
 */
bool	mpirun_args_place(const struct strvec *args);

/*
 * What the arguments say of one of Open MPI's parameters by --mca NAME VALUE,
 * or --gmca: the value, and in *name its name among those, of which the last is
 * NULL; the first counts.  NULL: nothing.
 */
const char	*mpirun_args_parameter(const struct strvec *args,
		    const char *const *names, const char **name);

/* Whether the arguments hold this one. */
bool	mpirun_args_have(const struct strvec *args, const char *arg);

#endif
