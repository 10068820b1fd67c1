/*
 * ipubox slurm task-prolog: the variables of a task in a job with IPUs.
 *
 * Slurm reads standard output: "export NAME=VALUE" sets a variable of the task,
 * "print TEXT" writes to the task's output (TaskProlog in slurm.conf(5)).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/ipubox-slurm/ipubox-slurm.h"
#include "core/server/server.h"
#include "core/slurm/slurm.h"

/* Set by Slurm for the option of config/slurm/ipubox.c. */
#define OPTION_VARIABLE "SLURM_SPANK__SLURM_SPANK_OPTION_ipubox_ipus"
#define PARTITION_VARIABLE "IPUOF_VIPU_API_PARTITION_ID"

static int
refuse(const char *text)
{
	printf("print ipubox-slurm: %s\n", text);
	return EXIT_FAILED;
}

/* Print the variables of the controller and the partition. */
static void export(const struct controller *c, const struct partition *p)
{
	const char *where = controller_where(c), *colon;

	colon = where != NULL && where[0] != '/' ? strrchr(where, ':') : NULL;
	if (colon == NULL)
		puts("export IPUOF_VIPU_API_HOST=local");
	else
		printf("export IPUOF_VIPU_API_HOST=%.*s\n"
		       "export IPUOF_VIPU_API_PORT=%s\n",
		    (int)(colon - where), where, colon + 1);
	printf("export " PARTITION_VARIABLE "=%s\n"
	       "unset IPUOF_VIPU_API_GCD_ID\n"
	       "unset IPUOF_CONFIG_PATH\n",
	    p->name);
}

/* Whether the job has licences for IPUs.  Slurm is asked only by the first task
   of a step that did not use --ipus. */
static bool
wants_ipus(const struct slurm_job *j)
{
	const char *task = getenv("SLURM_PROCID");

	return getenv(OPTION_VARIABLE) != NULL ||
	    (task != NULL && strcmp(task, "0") == 0 &&
		slurm_sweep_finds_ipus(j->id));
}

int
slurm_task_prolog(void)
{
	const char *named = getenv(PARTITION_VARIABLE);
	struct slurm_job job;
	struct controller *c;
	struct snapshot s;
	struct error e;
	int found = -1, status = EXIT_DONE;

	if (slurm_job_read(&job, &e) != 0)
		return refuse(e.text);
	c = server_open_controller(NULL, NULL, &e);
	if (c == NULL || transaction_list_partitions(c, false, &s, &e) != 0) {
		controller_close(c);
		return wants_ipus(&job) ? refuse(e.text) : EXIT_DONE;
	}
	found = snapshot_find(&s, job.partition);
	/* A partition that the job's user made and named before this step. */
	if (named != NULL && snapshot_find(&s, named) != -1)
		status = EXIT_DONE;
	else if (found != -1)
		export(c, &s.partitions[found]);
	else if (wants_ipus(&job)) {
		(void)error_set(&e,
		    "partition %s does not exist: the log of slurmctld says "
		    "why the prolog could not make it",
		    job.partition);
		status = refuse(e.text);
	}
	snapshot_release(&s);
	controller_close(c);
	return status;
}
