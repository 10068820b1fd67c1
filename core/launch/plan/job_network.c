/*
 * The network of a job's hosts.  Read job_network_choose().
 */
#include "core/launch/plan/remote_hosts.h"

#include <netdb.h>
#include <sys/socket.h>

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/network.h"
#include "core/launch/plan/plan.h"
#include "core/process/process.h"

enum { LOOK_UP_MS = 10000 }; /* for all names together */

static bool
is_in(const struct job_network *n, const struct dial_target *t)
{
	return network_holds(&n->own, (const struct sockaddr *)&t->address);
}

/* Look up the addresses that a host reached by an agent reported, or the host
   if it is an address itself.  No name is looked up. */
static int
look_up_reported(const char *host, const char *reported, int64_t deadline_ms,
    struct dial_target *targets)
{
	struct dial_target one[DIAL_TARGETS_MAX];
	char *copy = xasprintf("%s %s", reported, host);
	char *rest = copy, *word;
	int count = 0;

	while ((word = strsep(&rest, " ")) != NULL && count < DIAL_TARGETS_MAX)
		/* Debian gives a host's name the address 127.0.1.1. */
		if (word[strspn(word, "0123456789abcdefABCDEF.:")] == '\0' &&
		    dial_look_up(word, "9", deadline_ms, one, NULL) == 1 &&
		    !own_host_is_loopback((struct sockaddr *)&one[0].address))
			targets[count++] = one[0];
	free(copy);
	return count > 0 ? count : -1;
}

/* Find a host's address within the network, else its first one.  -1: this host
   does not know one. */
static int
find_address(const struct plan *p, const char *host, int64_t deadline_ms,
    struct dial_target *found)
{
	const char *reported = remote_hosts_addresses(&p->remote, host);
	struct dial_target targets[DIAL_TARGETS_MAX];
	const int count = reported != NULL ?
	    look_up_reported(host, reported, deadline_ms, targets) :
	    dial_look_up(host, "9", deadline_ms, targets, NULL);
	int i;

	if (count == -1)
		return -1;
	*found = targets[0];
	for (i = 0; i < count; i++)
		if (is_in(&p->network, &targets[i])) {
			*found = targets[i];
			break;
		}
	return 0;
}

/* Find the first network of this host that the user names for mpirun. */
static bool
find_users(const struct plan *p, struct network *n)
{
	static const char *const names[][2] = { { "oob_tcp_if_include", NULL },
		{ "btl_tcp_if_include", NULL } };
	const char *list;
	char *copy, *rest, *word;
	bool found = false;
	size_t i;

	for (i = 0; i < 2 && !found; i++) {
		list = parameter_get(p->settings, names[i], NULL);
		copy = rest = xstrdup(list != NULL ? list : "");
		while (!found && (word = strsep(&rest, ",")) != NULL)
			found = network_find(word, n, NULL) == 0;
		free(copy);
	}
	return found;
}

/* Use any network if all hosts share this host's. */
static void
find_shared(struct network *n)
{
	if (network_towards(NULL, n, NULL) != 0)
		*n = (struct network){ .interface = "lo",
			.address = "127.0.0.1",
			.subnet = "127.0.0.0/8" };
}

/* Find the network to the other hosts.  A host known only to ssh's
   configuration has no address here; then use the default route. */
static int
find_way(struct plan *p, int64_t deadline_ms, struct error *e)
{
	struct network *n = &p->network.own;
	struct dial_target there;
	bool known;

	if (p->agent.has_names && find_users(p, n))
		return 0;
	if (p->remote.share_network) {
		find_shared(n);
		return 0;
	}
	known = find_address(p, p->far, deadline_ms, &there) == 0;
	if (network_towards(known ? (const struct sockaddr *)&there.address :
				    NULL,
		n, e) == 0)
		return 0;
	return error_prefix(e, "cannot reach host %s", p->far);
}

/* Return true if each host has its address in the network. */
static bool
holds_all(const struct plan *p, int64_t deadline_ms)
{
	struct dial_target there;
	size_t i;

	if (p->remote.share_network)
		return true;
	for (i = 0; i < p->hosts.count; i++)
		if (!own_host_is(p->hosts.items[i]) &&
		    (find_address(p, p->hosts.items[i], deadline_ms, &there) !=
			    0 ||
			!is_in(&p->network, &there)))
			return false;
	return true;
}

/* Set the first host's address, because other hosts may not know its name. */
static void
find_first(struct plan *p, int64_t deadline_ms)
{
	struct job_network *n = &p->network;
	const char *host = p->hosts.items[0];
	struct dial_target there;

	(void)strlcpy(n->first, host, sizeof(n->first));
	if (own_host_is(host) || p->remote.share_network)
		(void)strlcpy(n->first, n->own.address, sizeof(n->first));
	else if (find_address(p, host, deadline_ms, &there) == 0)
		(void)getnameinfo((const struct sockaddr *)&there.address,
		    there.length, n->first, sizeof(n->first), NULL, 0,
		    NI_NUMERICHOST);
}

int
job_network_choose(struct plan *p, struct error *e)
{
	struct job_network *n = &p->network;
	const int64_t deadline = clock_monotonic_ms() + LOOK_UP_MS;

	*n = (struct job_network){ .asked = p->settings->host_subnet };
	if (p->far == NULL)
		return 0;
	if (n->asked == NULL && find_way(p, deadline, e) != 0)
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
	const struct job_network *n = &p->network;

	if (p->named->count == 0)
		job_log_line(LOG_DEBUG,
		    "No hosts specified; ignoring host-subnet setting");
	job_log_line(LOG_DEBUG,
	    "Default network/RNIC for host communication: %s",
	    p->far == NULL	 ? "None" :
		n->asked != NULL ? n->asked :
				   n->own.interface);
}

void
job_network_add_args(const struct plan *p, struct strvec *words)
{
	/* mpirun refuses an include together with an exclude. */
	static const char *const names[][3] = {
		{ "oob_tcp_if_include", "oob_tcp_if_exclude", NULL },
		{ "btl_tcp_if_include", "btl_tcp_if_exclude", NULL },
	};
	const struct job_network *n = &p->network;
	size_t i;

	for (i = 0; p->far != NULL && n->holds_all && i < 2; i++) {
		if (parameter_get(p->settings, names[i], NULL) != NULL)
			continue;
		strvec_add(words, "--mca");
		strvec_add(words, names[i][0]);
		strvec_add(words, n->asked != NULL ? n->asked : n->own.subnet);
	}
}
