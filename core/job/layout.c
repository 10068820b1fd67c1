/*
 * The layout of a job from counts alone: integer arithmetic on equal shares,
 * which layout_check() ensures.
 */
#include "core/job/layout.h"

/* Each refusal names the two numbers, before a partition is made for a layout
   that does not divide. */
int
layout_check(const struct layout *l, struct error *e)
{
	if (l->num_instances > l->num_replicas)
		return error_set(e,
		    "%d instances are more than the %d replica%s they would "
		    "share: --num-instances must not exceed --num-replicas",
		    l->num_instances, l->num_replicas,
		    l->num_replicas == 1 ? "" : "s");
	if (l->num_replicas % l->num_instances != 0)
		return error_set(e,
		    "%d replicas cannot be divided evenly among %d instances: "
		    "--num-replicas must be a multiple of --num-instances",
		    l->num_replicas, l->num_instances);
	if (l->shares == NULL && l->num_instances % l->num_hosts != 0)
		return error_set(e,
		    "%d instances cannot be divided evenly among %d hosts",
		    l->num_instances, l->num_hosts);
	if (l->num_instances % l->num_ilds != 0)
		return error_set(e,
		    "%d instances cannot be divided evenly among %d IPU-Link "
		    "domains: each instance must be in one domain",
		    l->num_instances, l->num_ilds);
	return 0;
}

int
layout_host_instances(const struct layout *l, int host)
{
	return l->shares != NULL ? l->shares[host] :
				   l->num_instances / l->num_hosts;
}

int
layout_host_first(const struct layout *l, int host)
{
	int first = 0, i;

	if (l->shares == NULL)
		return host * (l->num_instances / l->num_hosts);
	for (i = 0; i < host; i++)
		first += l->shares[i];
	return first;
}

/* Return the host of an instance. */
static int
layout_host(const struct layout *l, int index)
{
	int host = 0, behind;

	if (l->shares == NULL)
		return index / (l->num_instances / l->num_hosts);
	for (behind = l->shares[0]; behind <= index; behind += l->shares[host])
		host++;
	return host;
}

/*
 * 8 replicas, 4 instances, 2 hosts: instance 3 has replicas 6 and 7 and is the
 * local instance 1 of host 1.
 */
struct instance
layout_instance(const struct layout *l, int index)
{
	int share = l->num_replicas / l->num_instances;
	int host = layout_host(l, index);

	return (struct instance){ .index = index,
		.host = host,
		.local_index = index - layout_host_first(l, host),
		.first_replica = index * share,
		.num_replicas = share };
}

long
layout_ipus(const struct layout *l)
{
	return (long)l->num_replicas * l->ipus_per_replica;
}

long
layout_instance_ipus(const struct layout *l)
{
	return layout_ipus(l) / l->num_instances;
}
