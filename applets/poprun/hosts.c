/*
 * Which hosts a job runs on: those that were named, emulated here, or this one.
 */
#include "applets/poprun/hosts.h"

#include <stdlib.h>

#include "core/base/own_host.h"

/* How this host is called in the topology: by its name in a Slurm job. */
static const char *
own_label(void)
{
	const char	*name = getenv("SLURMD_NODENAME");

	if (getenv("SLURM_JOB_ID") == NULL || name == NULL || *name == '\0')
		return "localhost";
	return name;
}

/* All names must be this host's, and then they are one host. */
static int
check_own(const struct strvec *hosts, struct error *e)
{
	size_t	i;

	for (i = 0; i < hosts->count; i++)
		if (!own_host_is(hosts->items[i]))
			return error_set(e, "host %s is not this machine: "
			    "--emulate-hosts yes (or IPUBOX_EMULATE_HOSTS=1) "
			    "lets every host named be this machine; without "
			    "--host the job runs on this machine alone",
			    hosts->items[i]);
	return 0;
}

int
hosts_choose(const struct poprun_settings *s, bool emulated,
    struct strvec *labels, struct error *e)
{
	size_t	used = (size_t)s->layout.num_instances, i;

	if (s->hosts.count == 0) {
		strvec_add(labels, own_label());
		return 0;
	}
	if (!emulated && check_own(&s->hosts, e) != 0)
		return -1;
	if (!emulated)
		used = 1;
	if (used > s->hosts.count)
		used = s->hosts.count;
	for (i = 0; i < used; i++)
		strvec_add(labels, s->hosts.items[i]);
	return 0;
}
