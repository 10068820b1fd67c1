/*
 * The hosts of a job: named, emulated here, or this one.
 */
#include "core/launch/plan/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/network.h"
#include "core/base/parse.h"
#include "core/job/job.h"
#include "core/launch/plan/plan.h"
#include "core/launch/plan/plan_srun.h"

const char *
hosts_name_own(void)
{
	const char *name = getenv("SLURMD_NODENAME");

	if (getenv("SLURM_JOB_ID") == NULL || name == NULL || *name == '\0')
		return "localhost";
	return name;
}

/* Return true if a name of the list is a separate host, not another name of
   this machine. */
static bool
is_another(const char *host, bool emulated, bool *own_is_used)
{
	if (emulated || !own_host_is(host))
		return true;
	if (*own_is_used)
		return false;
	*own_is_used = true;
	return true;
}

/* Set the labels of the list, the slots of each, and plan->far. */
static void
choose_labels(struct plan *p, int *slots)
{
	const size_t most = (size_t)p->settings->layout.num_instances;
	bool own_is_used = false;
	const char *host;
	size_t i;

	for (i = 0; i < p->named->count && p->hosts.count < most; i++) {
		host = p->named->items[i];
		if (p->absent != NULL && p->absent[i])
			continue;
		if (!is_another(host, p->emulated, &own_is_used))
			continue;
		slots[p->hosts.count] = p->slots->counts[i];
		strvec_add(&p->hosts, host);
		if (p->far == NULL && !p->emulated && !own_host_is(host))
			p->far = p->hosts.items[p->hosts.count - 1];
	}
}

/* Take the hosts of the Slurm job, each with as many slots as the job has tasks
   per node if the user gave that number. */
static int
find_allocation(struct plan *p, struct error *e)
{
	const char *list = getenv("SLURM_JOB_NODELIST");
	const char *tasks = getenv("SLURM_NTASKS_PER_NODE");
	long long slots = 0;
	size_t i;

	p->named = &p->picked_up;
	p->slots = &p->picked_up_slots;
	if (hostlist_add(&p->picked_up, &p->picked_up_slots, list, e) != 0)
		return error_prefix(e, "SLURM_JOB_NODELIST");
	if (tasks != NULL &&
	    parse_number("SLURM_NTASKS_PER_NODE", tasks, 1, HOSTLIST_SLOTS_MAX,
		&slots, e) != 0)
		return -1;
	for (i = 0; i < p->picked_up_slots.count; i++)
		p->picked_up_slots.counts[i] = (int)slots;
	job_log_line(LOG_INFO, "Hosts picked up from Slurm: %s", list);
	return 0;
}

/* The local launcher ignores mpirun's files.  mpirun ignores a default file
   without hosts, which the MPI operator writes for a launcher without
   workers. */
int
hosts_find(struct plan *p, struct error *e)
{
	static const char *const names[] = { "orte_default_hostfile", NULL };
	const struct launch_settings *s = p->settings;
	char origin[PARAMETER_ORIGIN_SIZE];
	const char *path = parameter_get(s, names, origin);
	char *text;
	size_t size;
	int status;

	p->named = &s->hosts;
	p->slots = &s->slots;
	if (s->hosts.count == 0 && s->launcher != LAUNCHER_LOCAL &&
	    remote_agent_has_slurm())
		return find_allocation(p, e);
	if (s->hosts.count > 0 || s->launcher == LAUNCHER_LOCAL ||
	    path == NULL || strcmp(path, "none") == 0)
		return 0;
	p->named = &p->picked_up;
	p->slots = &p->picked_up_slots;
	if ((text = file_read(path, HOSTLIST_FILE_MAX, &size, e)) == NULL)
		return error_prefix(e, "%s", origin);
	status = hostlist_add_lines(&p->picked_up, &p->picked_up_slots, path,
	    text, size, e);
	free(text);
	if (status != 0)
		return e->code == ERROR_NOT_FOUND ?
		    0 :
		    error_prefix(e, "%s", origin);
	job_log_line(LOG_INFO, "Hosts picked up from %s: %s", origin, path);
	return 0;
}

int
hosts_choose(struct plan *p, struct error *e)
{
	const struct launch_settings *s = p->settings;
	int *slots = xcalloc(p->named->count + 1, sizeof(*slots));
	int count, status = 0;

	strvec_release(&p->hosts);
	strvec_init(&p->hosts);
	free(p->shares);
	p->shares = xcalloc(p->named->count + 1, sizeof(*p->shares));
	p->far = NULL;
	if (p->named->count == 0)
		strvec_add(&p->hosts, hosts_name_own());
	else
		choose_labels(p, slots);
	count = (int)p->hosts.count;
	if (count == 0)
		status = error_set(e, "no host of the job answers");
	else
		status = host_shares_choose(s->layout.num_instances, slots,
		    count, s->allow_oversubscribe, p->shares, e);
	free(slots);
	p->layout.num_hosts = count;
	p->layout.shares = status != 0 ||
		host_shares_are_equal(p->shares, count) ?
	    NULL :
	    p->shares;
	return status;
}

/* Hosts reached by an agent are skipped, because they are not a mistake. */
void
hosts_advise(const struct plan *p, int status)
{
	if (status == 0 || !p->reaching || p->far == NULL ||
	    p->agent.has_names || p->settings->hosts.count == 0)
		return;
	job_log_print_text(NULL,
	    "(to try the job on this machine alone, emulate the "
	    "hosts:\n--emulate-hosts yes, or IPUBOX_EMULATE_HOSTS=1)\n");
}

int
hosts_find_own(const struct plan *p)
{
	size_t i;

	for (i = 0; i < p->hosts.count; i++)
		if (p->far == NULL || own_host_is(p->hosts.items[i]))
			return (int)i;
	return -1;
}
