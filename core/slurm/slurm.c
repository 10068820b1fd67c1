/*
 * The partitions of Slurm's jobs: made before a job starts, removed after its
 * end.  What jobs left whose epilog did not run is removed by its identity, and
 * listed before Slurm is asked: a job that is requeued meanwhile gets a new
 * partition, which stays.
 */
#include <bsd/string.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/process/process.h"
#include "core/slurm/slurm.h"
#include "core/state/state.h"

enum {
	RETRY_MS = 500, /* while the IPUs are taken */
	CONFIGURED_MS = 60 * 1000,
	ANSWER_MS = 2000, /* time of scontrol(1) */
	PERIOD_MS = 5000  /* of looking for jobs that are over */
};

int
slurm_job_read_licences(const char *list, int *ipus, struct error *e)
{
	static const char name[] = SLURM_LICENCE;
	char word[32];
	long long number;
	size_t length;

	*ipus = 0;
	for (; *list != '\0' && *list != ' ';
	     list += length + (list[length] == ',' || list[length] == ';')) {
		length = strcspn(list, ",; ");
		if (length <= strlen(name) || list[strlen(name)] != ':' ||
		    strncmp(list, name, strlen(name)) != 0)
			continue;
		(void)snprintf(word, sizeof(word), "%.*s",
		    (int)(length - strlen(name) - 1), list + strlen(name) + 1);
		if (parse_number("SLURM_JOB_LICENSES", word, 1, POD_IPUS_MAX,
			&number, e) != 0)
			return -1;
		*ipus = (int)number;
	}
	return 0;
}

int
slurm_job_read(struct slurm_job *j, struct error *e)
{
	const char *id = getenv("SLURM_JOB_ID");
	const char *user = getenv("SLURM_JOB_USER");
	const char *licences = getenv("SLURM_JOB_LICENSES");

	memset(j, 0, sizeof(*j));
	if (id == NULL)
		return error_set(e,
		    "SLURM_JOB_ID is not set: Slurm runs this command for its "
		    "jobs");
	if (parse_number("SLURM_JOB_ID", id, 1, UINT32_MAX, &j->id, e) != 0)
		return -1;
	(void)snprintf(j->partition, sizeof(j->partition), "slurm_%lld", j->id);
	(void)strlcpy(j->user, user != NULL ? user : "unknown",
	    sizeof(j->user));
	return licences != NULL ?
	    slurm_job_read_licences(licences, &j->ipus, e) :
	    0;
}

bool
slurm_job_number(const struct partition *p, long long *id)
{
	return p->owner_kind == PO_SLURM &&
	    sscanf(p->owner_text, "job %lld of ", id) == 1;
}

/* Remove exactly this partition, and wait; it may be gone already. */
static int
remove_one(struct controller *c, const struct partition *p, bool force,
    struct error *e)
{
	struct partition removed;
	int status = remove_begin_same(c, p, force, &removed, e);

	if (status == -1 && e->code == ERROR_NOT_FOUND)
		return 0;
	return status == 1 ? wait_removed(c, &removed, e) : status;
}

int
slurm_job_unmake(struct controller *c, const struct slurm_job *j,
    struct error *e)
{
	struct snapshot s;
	long long id;
	int i, status = 0;

	if (transaction_list_partitions(c, false, &s, e) != 0)
		return -1;
	for (i = 0; i < s.partition_count && status == 0; i++)
		if (slurm_job_number(&s.partitions[i], &id) && id == j->id)
			status = remove_one(c, &s.partitions[i], true, e);
	snapshot_release(&s);
	return status;
}

/* Find the partition that the prolog made, else another one of the job; -1:
   none. */
static int
find_own(const struct snapshot *s, const struct slurm_job *j)
{
	long long id;
	int i = snapshot_find(s, j->partition);

	if (i != -1 && s->partitions[i].owner_kind == PO_SLURM)
		return i;
	for (i = 0; i < s->partition_count; i++)
		if (slurm_job_number(&s->partitions[i], &id) && id == j->id)
			return i;
	return -1;
}

/* Make room for the request in the partition that the prolog made. */
static int
give_up(struct controller *c, const struct slurm_job *j,
    const struct partition *p, const struct partition_request *r,
    struct error *e)
{
	struct partition_request copy = *r;

	if (strcmp(p->name, j->partition) != 0)
		return 0;
	if (request_check(&copy, e) != 0)
		return -1;
	if (r->size > partition_size(p))
		return error_set_code(e, ERROR_INVALID,
		    "allocation %s has the %d IPUs of job %lld, not %d",
		    r->allocation, partition_size(p), j->id, r->size);
	return remove_one(c, p, false, e);
}

int
slurm_job_take(struct controller *c, struct partition_request *r,
    char text[OWNER_TEXT_SIZE], struct error *e)
{
	char name[NAME_SIZE];
	struct slurm_job j;
	struct snapshot s;
	int i, status = 0;

	if (r->allocation[0] == '\0' || slurm_job_read(&j, NULL) != 0)
		return 0;
	(void)snprintf(name, sizeof(name), "c%lld", j.id);
	if (strcmp(r->allocation, name) != 0)
		return 0;
	if (transaction_list(c, &s, e) != 0)
		return -1;
	if (pod_find_allocation(&s.pod, name) == -1 &&
	    (i = find_own(&s, &j)) != -1) {
		(void)strlcpy(text, s.partitions[i].owner_text,
		    OWNER_TEXT_SIZE);
		status = give_up(c, &j, &s.partitions[i], r, e);
		if (status == 0) {
			r->allocation[0] = '\0';
			status = 1;
		}
	}
	snapshot_release(&s);
	return status;
}

/* Create it when its IPUs are free. */
static int
create_in_time(struct controller *c, const struct partition_request *request,
    const struct partition_owner *owner, int64_t wait_ms,
    struct partition *created, struct error *e)
{
	const int64_t began_ms = clock_monotonic_ms();

	while (create_owned_partition(c, request, owner, created, e) != 0) {
		if (e->code != ERROR_NO_ROOM ||
		    clock_monotonic_ms() - began_ms >= wait_ms)
			return -1;
		slurm_sweep(c);
		clock_sleep_ms(RETRY_MS);
	}
	return 0;
}

int
slurm_job_make(struct controller *c, const struct slurm_job *j, int64_t wait_ms,
    struct error *e)
{
	char text[OWNER_TEXT_SIZE];
	const struct partition_owner owner = { .kind = PO_SLURM, .text = text };
	struct partition_request request;
	struct partition created;

	(void)snprintf(text, sizeof(text), "job %lld of %s", j->id, j->user);
	request_init(&request);
	(void)strlcpy(request.name, j->partition, sizeof(request.name));
	request.size = j->ipus;
	request.reconfigurable = true;
	if (slurm_job_unmake(c, j, e) != 0 ||
	    create_in_time(c, &request, &owner, wait_ms, &created, e) != 0 ||
	    wait_configured(c, CONFIGURED_MS, &created, e) != 0)
		return -1;
	return created.state == PS_ACTIVE ?
	    0 :
	    error_set(e, "partition %s is in state PS_%s: %s", created.name,
		partition_state_name(created.state),
		created.last_error[0] != '\0' ? created.last_error :
						"see vipu get partition");
}

/* ---- jobs that are over ---- */

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
	if (transaction_list_partitions(c, false, &s, NULL) == 0) {
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
