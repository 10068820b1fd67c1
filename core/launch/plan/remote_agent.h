/*
 * The agent: the program that runs a command on another host, with which Open
 * MPI starts its daemons there (plm_rsh_agent), and poprun does what it does
 * there itself.  Without one it is ssh(1).
 *
 * It is called with the host and one word behind it, a command for a shell
 * there.  One that is not ssh may have names of its own for the hosts, that no
 * resolver knows, as the pods of a cluster have for kubectl-exec.
 *
 * Source: Open MPI 4.1, orte_plm_rsh_search().
 */
#ifndef CORE_LAUNCH_PLAN_REMOTE_AGENT_H
#define CORE_LAUNCH_PLAN_REMOTE_AGENT_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

struct launch_settings;

struct remote_agent {
	struct strvec	words;	/* its path, and arguments that the user gives
				   it; none: nobody names one */
	bool		has_names; /* it is not ssh */
};

/*
 * The one that mpirun is told: of a list with ":" between the first that is
 * found, its words parted by spaces.  -1: none of them is.
 */
int	remote_agent_find(struct remote_agent *, const struct launch_settings *,
	    struct error *);
void	remote_agent_release(struct remote_agent *);

/* Its path, for a person; "ssh" where none is named. */
const char	*remote_agent_name(const struct remote_agent *);

#endif
