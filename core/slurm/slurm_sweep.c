/*
 * Removing what jobs of Slurm left whose epilog did not run.  The partitions
 * are listed before Slurm is asked, and removed by their identities: a job that
 * is requeued meanwhile gets a new partition, which stays.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/process/process.h"
#include "core/slurm/slurm.h"
#include "core/state/state.h"

enum { ANSWER_MS = 2000, PERIOD_MS = 5000 };

/* Words of scontrol(1) about a job that Slurm does not know. */
static const char unknown[] = "Invalid job id";

/* The states of a job without nodes, by the words of scontrol(1).  A pending
   job was requeued: it gets another partition when it starts. */
static bool
is_over(const char *answer)
{
	static const char *const words[] = { "BOOT_FAIL", "CANCELLED",
		"COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
		"PENDING", "PREEMPTED", "TIMEOUT" };
	static const char key[] = " JobState=";
	const char *state = answer != NULL ? strstr(answer, key) : NULL;
	size_t length, i;

	if (state == NULL)
		return false;
	state += strlen(key);
	length = strcspn(state, " \n");
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == length &&
		    strncmp(state, words[i], length) == 0)
			return true;
	return false;
}

/* Ask Slurm about a job and pass the answer to test(), which may get NULL for
   an unknown job.  Returns its result; false where Slurm does not answer. */
static bool
ask(char *scontrol, long long id, bool (*test)(const char *answer))
{
	char number[24], show[] = "show", job[] = "job", line[] = "-o";
	char *const argv[] = { scontrol, line, show, job, number, NULL };
	struct child child = { .argv = argv, .limit_ms = ANSWER_MS };
	const char *err;
	int signal;
	bool result = false;

	(void)snprintf(number, sizeof(number), "%lld", id);
	signal = children_run(&child, 1, 1, NULL);
	if (signal != 0)
		(void)raise(signal);
	err = child.err.text;
	if (signal == 0 && !child.timed_out && child.status == 0)
		result = child.out.text != NULL && test(child.out.text);
	else if (signal == 0 && err != NULL && strstr(err, unknown) != NULL)
		result = test(NULL);
	children_release(&child);
	return result;
}

static bool
is_over_or_unknown(const char *answer)
{
	return answer == NULL || is_over(answer);
}

static bool
has_licences(const char *answer)
{
	static const char key[] = " Licenses=";
	const char *list = answer != NULL ? strstr(answer, key) : NULL;
	int ipus = 0;

	return list != NULL &&
	    slurm_job_read_licences(list + strlen(key), &ipus, NULL) == 0 &&
	    ipus > 0;
}

bool
slurm_sweep_finds_ipus(long long id)
{
	char *scontrol;
	bool found;

	if (program_find("scontrol", getenv("PATH"), &scontrol, NULL) != 0)
		return false;
	found = ask(scontrol, id, has_licences);
	free(scontrol);
	return found;
}

/* Slurm may hide jobs from other users. */
static bool
may_miss(const struct partition *p)
{
	return geteuid() == 0 || geteuid() == p->owner;
}

void
slurm_sweep(struct controller *c)
{
	struct snapshot s;
	struct partition *p;
	long long id;
	char *scontrol;
	int i;

	if (program_find("scontrol", getenv("PATH"), &scontrol, NULL) != 0)
		return;
	if (transaction_list_partitions(c, &s, NULL) == 0) {
		for (i = 0; i < s.partition_count; i++) {
			p = &s.partitions[i];
			if (slurm_job_number(p, &id) &&
			    ask(scontrol, id,
				may_miss(p) ? is_over_or_unknown : is_over))
				(void)remove_same(c, p, NULL);
		}
		snapshot_release(&s);
	}
	free(scontrol);
}

void
slurm_sweep_if_due(struct controller *c)
{
	if (controller_owners_are_due(c, PO_SLURM, PERIOD_MS))
		slurm_sweep(c);
}
