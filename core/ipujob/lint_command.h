/*
 * What a job runs: whether poprun and mpirun in it fit the job.
 */
#ifndef CORE_IPUJOB_LINT_COMMAND_H
#define CORE_IPUJOB_LINT_COMMAND_H

#include <stdbool.h>

#include "core/ipujob/lint_at.h"

/* The job that the commands are to fit; 0: not known, or not given. */
struct lint_numbers {
	int	ipus;			/* of a job instance */
	int	workers;
	int	model_replicas;		/* of a worker */
	bool	has_launcher;
};

/*
 * A container or a launcher: its command, args and env.  `is_user` says that
 * it runs as another user than root in a cluster.
 */
void	lint_command_check(const struct lint *, const struct lint_at *,
	    const struct lint_numbers *, bool is_launcher, bool is_user);

/* What a note begins with that only root need care for. */
extern const char	lint_command_as_root[];

/* A variable, no number, or calls that differ. */
enum { LINT_COMMAND_UNKNOWN = -1 };

/*
 * How many instances poprun starts in a container, or a launcher, of an object
 * without errors: 1 where it does not say, 0 where there is no poprun, or
 * LINT_COMMAND_UNKNOWN.
 */
int	lint_command_instances(const struct yaml_node *container);

#endif
