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

/*
 * A name of the list is a host of its own, unless it is one more name of this
 * machine.
 */
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

const char *
hosts_choose(const struct poprun_settings *s, bool emulated,
    struct strvec *labels)
{
	const size_t	 most = (size_t)s->layout.num_instances;
	bool		 own_is_used = false;
	const char	*far = NULL, *host;
	size_t		 i;

	if (s->hosts.count == 0)
		strvec_add(labels, own_label());
	for (i = 0; i < s->hosts.count && labels->count < most; i++) {
		host = s->hosts.items[i];
		if (!is_another(host, emulated, &own_is_used))
			continue;
		strvec_add(labels, host);
		if (far == NULL && !emulated && !own_host_is(host))
			far = labels->items[labels->count - 1];
	}
	return far;
}

int
hosts_find_own(const struct plan *p)
{
	size_t	i;

	for (i = 0; i < p->hosts.count; i++)
		if (p->far == NULL || own_host_is(p->hosts.items[i]))
			return (int)i;
	return -1;
}

int
hosts_count_instances(const struct plan *p, int host)
{
	int	i, count = 0;

	for (i = 0; i < p->layout.num_instances; i++)
		count += layout_instance(&p->layout, i).host == host;
	return count;
}
