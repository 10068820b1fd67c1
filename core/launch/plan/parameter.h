/*
 * Parameters of Open MPI, as mpirun will have them: from its arguments, or from
 * the environment.  Its files are not read.
 */
#ifndef CORE_LAUNCH_PLAN_PARAMETER_H
#define CORE_LAUNCH_PLAN_PARAMETER_H

struct launch_settings;

enum { PARAMETER_ORIGIN_SIZE = 64 };

/*
 * The value of a parameter that has these names, of which the last is NULL:
 * what --mpi-global-args, --mpi-local-args or the arguments of instance 0 say,
 * else the environment, OMPI_MCA_NAME.  It lasts as long as these.  Who says
 * it is in `origin`, unless that is NULL: "--mca NAME", "OMPI_MCA_NAME".  NULL:
 * nobody does, or it is empty.
 */
const char	*parameter_get(const struct launch_settings *,
		    const char *const *names,
		    char origin[PARAMETER_ORIGIN_SIZE]);

#endif
