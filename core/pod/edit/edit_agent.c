/*
 * Declaring, changing and removing machines.  A change is first made on a copy,
 * so that a refusal changes nothing.  Read edit.h and edit_internal.h.
 */
#include "core/pod/edit/edit.h"

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/document/document.h"
#include "core/pod/edit/edit_internal.h"
#include "core/pod/pod.h"

static const char first_host[] = "10.1.2.1";
static const char first_address[] = "10.1.5.1";

/* qsort(3): by number. */
static int
compare_serials(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Return the lowest free serial number from SERIAL on, by counting up at each
   sorted number that is taken. */
static uint32_t
free_serial(const struct pod *pod)
{
	uint32_t *serials, next = SERIAL;
	int i;

	serials = xcalloc((size_t)pod->agent_count + 1, sizeof(*serials));
	for (i = 0; i < pod->agent_count; i++)
		serials[i] = pod->agents[i].serial;
	qsort(serials, (size_t)pod->agent_count, sizeof(*serials),
	    compare_serials);
	for (i = 0; i < pod->agent_count && serials[i] <= next; i++)
		next += serials[i] == next;
	free(serials);
	return next;
}

/* Find the first free address from `first` on, for the member of struct agent
   at offset `member`. */
static int
free_address(const struct pod *pod, const char *first, size_t member, char *out,
    struct error *e)
{
	const char **taken;
	size_t n = (size_t)pod->agent_count, i;
	int k = 0, status;

	taken = xcalloc(n + 1, sizeof(*taken));
	for (i = 0; i < n; i++)
		taken[i] = (const char *)&pod->agents[i] + member;
	qsort(taken, n, sizeof(*taken), text_compare);
	do {
		status = agent_list_address(first, k++, out, e);
	} while (status == 0 &&
	    bsearch(&out, taken, n, sizeof(*taken), text_compare) != NULL);
	free(taken);
	return status;
}

/* Apply the request to the machine.  `self` is the present machine (its address
   counts as free), or NULL for a new one. */
static int
edit_agent_apply(const struct pod *pod, const struct agent_request *r,
    const struct agent *self, struct agent *a, struct error *e)
{
	const struct agent *other;

	if (r->host[0] != '\0' &&
	    agent_list_address(r->host, 0, a->host, e) != 0)
		return error_prefix(e, "host");
	if (r->address[0] != '\0' &&
	    agent_list_address(r->address, 0, a->address, e) != 0)
		return error_prefix(e, "data plane");
	if (r->port != -1)
		a->port = (uint32_t)r->port;
	if (r->model != -1)
		a->model = r->model;
	if (r->serial != -1)
		a->serial = (uint32_t)r->serial;
	if (r->lot != -1)
		a->lot = (uint32_t)r->lot;
	for (other = pod->agents; other < pod->agents + pod->agent_count;
	     other++)
		if (other != self && strcmp(other->address, a->address) == 0)
			return error_set_code(e, ERROR_EXISTS,
			    "the data plane address %s is already the address "
			    "of agent %s",
			    a->address, other->name);
	return 0;
}

/* Make an agent; omitted values are the next free ones. */
static int
make_agent(const struct pod *pod, const struct agent_request *r,
    struct agent *a, struct error *e)
{
	memset(a, 0, sizeof(*a));
	(void)strlcpy(a->name, r->name, sizeof(a->name));
	a->cluster = a->allocation = -1;
	a->port = AGENT_PORT;
	a->lot = LOT;
	a->model = MACHINE_M2000;
	if (r->host[0] == '\0' &&
	    free_address(pod, first_host, offsetof(struct agent, host), a->host,
		e) != 0)
		return -1;
	if (r->address[0] == '\0' &&
	    free_address(pod, first_address, offsetof(struct agent, address),
		a->address, e) != 0)
		return -1;
	if (r->serial == -1)
		a->serial = free_serial(pod);
	if (a->serial > SERIAL_MAX)
		return error_set_code(e, ERROR_NO_ROOM,
		    "all serial numbers up to %d are in use", SERIAL_MAX);
	return edit_agent_apply(pod, r, NULL, a, e);
}

/* Whether a new machine can be appended: machines outside clusters are ordered
   by lot and serial number.  Then nothing needs arranging. */
static bool
goes_last(const struct pod *pod, const struct agent *a)
{
	const struct agent *other;

	for (other = pod->agents; other < pod->agents + pod->agent_count;
	     other++)
		if (other->cluster == -1 &&
		    (other->lot > a->lot ||
			(other->lot == a->lot && other->serial >= a->serial)))
			return false;
	return true;
}

int
edit_agent_add(struct inventory *in, const struct agent_request *r,
    struct error *e)
{
	struct arrangement how = { .cluster = -1 };
	struct pod *pod = in->pod;
	struct agent a;
	int i;
	bool last;

	if (name_check("agent", r->name, e) != 0)
		return -1;
	for (i = 0; i < pod->agent_count; i++)
		if (pod->agents[i].cluster == -1 &&
		    strcmp(pod->agents[i].name, r->name) == 0)
			return error_set_code(e, ERROR_EXISTS,
			    "agent %s already exists", r->name);
	if (pod->agent_count >= POD_AGENTS_MAX)
		return error_set_code(e, ERROR_NO_ROOM,
		    "the pod has %d machines (%d IPUs) already, which is the "
		    "limit",
		    pod->agent_count, pod_ipu_count(pod));
	if (make_agent(pod, r, &a, e) != 0)
		return -1;
	last = goes_last(pod, &a);
	pod->agents = xreallocarray(pod->agents, (size_t)pod->agent_count + 1,
	    sizeof(*pod->agents));
	pod->agents[pod->agent_count++] = a;
	if (!last)
		arrange_machines(in, &how);
	return 0;
}

/* Refuse to change a machine that a partition uses. */
static int
check_unused(const struct inventory *in, int place, struct error *e)
{
	int32_t *users = members_agent_users(in);
	int user = users[place];

	free(users);
	return user == -1 ?
	    0 :
	    error_set_code(e, ERROR_BUSY,
		"partition %s uses it; remove the partition first",
		in->partitions[user].name);
}

/* Another serial number changes its place among machines outside clusters. */
int
edit_agent_update(struct inventory *in, const struct agent_request *r,
    struct error *e)
{
	struct arrangement how = { .cluster = -1 };
	struct pod *pod = in->pod;
	struct agent a;
	int place = selection_find_agent(pod, r->name, e);

	if (place == -1 || check_unused(in, place, e) != 0)
		return -1;
	a = pod->agents[place];
	if (r->model != -1 && r->model != a.model && a.cluster != -1 &&
	    pod->clusters[a.cluster].agent_count > 1)
		return error_set_code(e, ERROR_BUSY,
		    "it is in cluster %s, and all machines of the cluster are "
		    "%s; take it out of the cluster first",
		    pod->clusters[a.cluster].name, pod_machine_words[a.model]);
	if (edit_agent_apply(pod, r, &pod->agents[place], &a, e) != 0)
		return -1;
	pod->agents[place] = a;
	if (a.cluster == -1 && (r->serial != -1 || r->lot != -1))
		arrange_machines(in, &how);
	return 0;
}

int
edit_agent_remove(struct inventory *in, const char *name, struct error *e)
{
	struct arrangement how = { .cluster = -1 };
	struct pod *pod = in->pod;
	int place = selection_find_agent(pod, name, e);
	const char *cluster;
	bool *gone;

	if (place == -1)
		return -1;
	if (pod->agents[place].cluster != -1) {
		cluster = pod->clusters[pod->agents[place].cluster].name;
		return error_set_code(e, ERROR_BUSY,
		    "it is in cluster %s; vipu-admin remove cluster %s, or "
		    "update cluster %s --agents with the others, takes it out",
		    cluster, cluster, cluster);
	}
	gone = xcalloc((size_t)pod->agent_count, sizeof(*gone));
	gone[place] = true;
	how.gone = gone;
	arrange_machines(in, &how);
	free(gone);
	return 0;
}
