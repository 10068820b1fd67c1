/*
 * A rule between what a job says of its workers and what its command does.
 */
#include "core/ipujob/job_gcds.h"

#include "core/ipujob/lint_command.h"
#include "core/ipujob/pod_object.h"

int
job_gcds_count(const struct ipujob *job)
{
	int	wanted = 0;

	if (ipujob_has_launcher(job))
		wanted = lint_command_instances(job->launcher);
	else if (job->workers == 1)
		wanted = lint_command_instances(pod_object_container(
		    job->template));
	if (wanted == LINT_COMMAND_UNKNOWN)
		return JOB_GCDS_RECONFIGURABLE;
	if (wanted > 0 && job->ipus % wanted == 0)
		return wanted;
	return job->ipus % job->workers == 0 ? job->workers : 1;
}
