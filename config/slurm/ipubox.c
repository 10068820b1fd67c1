/*
 * SPANK plugin: srun, sbatch and salloc understand --ipus=N, and PMIx starts
 * faster in steps of poprun.
 *
 * It only checks the number.  job_submit.lua reads the option in the
 * controller, and the prolog makes the partition.
 */
#include <stdint.h>
#include <stdlib.h>

#include <slurm/spank.h>

SPANK_PLUGIN(ipubox, 1)

/* Accept a power of two that the pod has; `remote`: on a node, where it was
   checked before. */
static int
take_ipus(int value, const char *argument, int remote)
{
	char *end;
	long ipus = strtol(argument, &end, 10);

	(void)value;
	if (remote)
		return 0;
	if (end != argument && *end == '\0' && ipus > 0 && ipus <= @IPUS@ &&
	    (ipus & (ipus - 1)) == 0)
		return 0;
	slurm_error("--ipus=%s: must be a power of two, at most @IPUS@",
	    argument);
	return -1;
}

int
slurm_spank_init(spank_t job, int count, char **words)
{
	static struct spank_option ipus = { "ipus", "N",
		"give the job a partition of N IPUs", 1, 0, take_ipus };

	(void)count;
	(void)words;
	return spank_option_register(job, &ipus) == ESPANK_SUCCESS ? 0 : -1;
}

/* PMIx's server looks at all hardware of the node in each step, which takes
   longer than the rest of a short step.  poprun's tasks are not bound, so leave
   it out for them; MPI programs look for themselves. */
int
slurm_spank_init_post_opt(spank_t job, int count, char **words)
{
	char value[1];

	(void)count;
	(void)words;
	if (spank_context() != S_CTX_REMOTE ||
	    spank_getenv(job, "IPUBOX_TASK_ALL", value, sizeof(value)) ==
		ESPANK_ENV_NOEXIST)
		return 0;
	(void)setenv("HWLOC_COMPONENTS", "no_os,stop", 0);
	(void)setenv("HWLOC_PLUGINS_PATH", "/dev/null", 0);
	return 0;
}
