/*
 * The network of a job's hosts.  Read job_network_choose().
 */
#include "applets/poprun/job_network.h"

#include <netdb.h>
#include <sys/socket.h>

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "applets/poprun/parameter.h"
#include "applets/poprun/poprun_internal.h"
#include "core/base/clock.h"
#include "core/base/own_host.h"
#include "core/process/dial.h"

enum { LOOK_UP_MS = 10000 };		/* for all names together */

static bool
is_in(const struct job_network *n, const struct dial_target *t)
{
	return network_holds(&n->own, (const struct sockaddr *)&t->address);
}

/* A host's address within the network, else its first: -1: it has none that
   this host knows. */
static int
find_address(const struct job_network *n, const char *host,
    int64_t deadline_ms, struct dial_target *found)
{
	struct dial_target	targets[DIAL_TARGETS_MAX];
	const int		count = dial_look_up(host, "9", deadline_ms,
	    targets, NULL);
	int			i;

	if (count == -1)
		return -1;
	*found = targets[0];
	for (i = 0; i < count; i++)
		if (is_in(n, &targets[i])) {
			*found = targets[i];
			break;
		}
	return 0;
}

/* A host that only ssh knows, by its own settings, has no address here: then it
   is the way to the rest of the world. */
static int
find_way(struct job_network *n, const char *far, int64_t deadline_ms,
    struct error *e)
{
	struct dial_target	there;
	const bool		known = find_address(n, far, deadline_ms,
	    &there) == 0;

	if (network_towards(known ? (const struct sockaddr *)&there.address :
	    NULL, &n->own, e) == 0)
		return 0;
	return error_prefix(e, "cannot reach host %s", far);
}

/* Whether each of the hosts has its address there. */
static bool
holds_all(const struct plan *p, int64_t deadline_ms)
{
	struct dial_target	there;
	size_t			i;

	for (i = 0; i < p->hosts.count; i++)
		if (!own_host_is(p->hosts.items[i]) &&
		    (find_address(&p->network, p->hosts.items[i], deadline_ms,
		    &there) != 0 || !is_in(&p->network, &there)))
			return false;
	return true;
}

/* Other hosts may not know the name, and know the address. */
static void
find_first(struct plan *p, int64_t deadline_ms)
{
	struct job_network	*n = &p->network;
	const char		*host = p->hosts.items[0];
	struct dial_target	 there;

	(void)strlcpy(n->first, host, sizeof(n->first));
	if (own_host_is(host))
		(void)strlcpy(n->first, n->own.address, sizeof(n->first));
	else if (find_address(n, host, deadline_ms, &there) == 0)
		(void)getnameinfo((const struct sockaddr *)&there.address,
		    there.length, n->first, sizeof(n->first), NULL, 0,
		    NI_NUMERICHOST);
}

int
job_network_choose(struct plan *p, struct error *e)
{
	struct job_network	*n = &p->network;
	const int64_t		 deadline = clock_monotonic_ms() + LOOK_UP_MS;

	*n = (struct job_network){ .asked = p->settings->host_subnet };
	if (p->far == NULL)
		return 0;
	if (n->asked == NULL && find_way(n, p->far, deadline, e) != 0)
		return -1;
	if (n->asked != NULL && network_find(n->asked, &n->own, e) != 0)
		return error_prefix(e, "--host-subnet");
	n->holds_all = n->asked != NULL || holds_all(p, deadline);
	find_first(p, deadline);
	return 0;
}

void
job_network_log(const struct plan *p)
{
	const struct job_network	*n = &p->network;

	if (p->named->count == 0)
		log_line(LOG_DEBUG, "No hosts specified; ignoring host-subnet "
		    "setting");
	log_line(LOG_DEBUG, "Default network/RNIC for host communication: %s",
	    p->far == NULL ? "None" : n->asked != NULL ? n->asked :
	    n->own.interface);
}

void
job_network_add_args(const struct plan *p, struct strvec *words)
{
	/* mpirun refuses both of them. */
	static const char *const	names[][3] = {
		{ "oob_tcp_if_include", "oob_tcp_if_exclude", NULL },
		{ "btl_tcp_if_include", "btl_tcp_if_exclude", NULL }
	};
	const struct job_network	*n = &p->network;
	size_t				 i;

	for (i = 0; p->far != NULL && n->holds_all && i < 2; i++) {
		if (parameter_get(p->settings, names[i], NULL) != NULL)
			continue;
		strvec_add(words, "--mca");
		strvec_add(words, names[i][0]);
		strvec_add(words, n->asked != NULL ? n->asked : n->own.subnet);
	}
}
