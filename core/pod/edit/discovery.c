/*
 * Machines of the original description that the pod lacks: agent discovery
 * without a network.
 */
#include "core/pod/edit/edit.h"

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"

const char discovery_empty_pod[] = "empty";

static const char empty_rack[] = "pod64";

/* Whether the machine is declared, by its serial number or address. */
static bool
is_declared(const struct pod *pod, const struct agent *machine)
{
	const struct agent *a;

	for (a = pod->agents; a < pod->agents + pod->agent_count; a++)
		if ((a->serial == machine->serial && a->lot == machine->lot) ||
		    strcmp(a->address, machine->address) == 0)
			return true;
	return false;
}

static bool
has_name(const struct pod *pod, const char *name)
{
	int i;

	for (i = 0; i < pod->agent_count; i++)
		if (strcmp(pod->agents[i].name, name) == 0)
			return true;
	return false;
}

/* Propose the description's name, or the next free one. */
static void
propose_name(const struct pod *pod, const struct pod *found, struct agent *a)
{
	int n = 1;

	while (has_name(pod, a->name) || has_name(found, a->name))
		(void)snprintf(a->name, sizeof(a->name), "ag%02d", n++);
}

int
discovery_find_agents(const struct pod *pod, struct pod *found, struct error *e)
{
	const char *text =
	    pod_embedded(strcmp(pod->name, discovery_empty_pod) == 0 ?
		    empty_rack :
		    pod->name);
	struct pod there;
	struct agent *a;
	int i;

	pod_init(found);
	if (text == NULL)
		return 0;
	if (pod_file_parse(&there, pod->name, text, e) != 0)
		return -1;
	found->agents = xcalloc((size_t)there.agent_count + 1,
	    sizeof(*found->agents));
	for (i = 0; i < there.agent_count; i++) {
		if (is_declared(pod, &there.agents[i]))
			continue;
		a = &found->agents[found->agent_count];
		*a = there.agents[i];
		a->cluster = a->allocation = -1;
		propose_name(pod, found, a);
		found->agent_count++;
	}
	pod_release(&there);
	return 0;
}

void
discovery_complete_request(const struct pod *found, struct agent_request *r)
{
	const struct agent *a;
	uint32_t port = r->port == -1 ? AGENT_PORT : (uint32_t)r->port;

	if (r->address[0] != '\0' || r->serial != -1 || r->lot != -1)
		return;
	for (a = found->agents; a < found->agents + found->agent_count; a++) {
		if (strcmp(a->host, r->host) != 0 || a->port != port ||
		    (r->model != -1 && r->model != a->model))
			continue;
		(void)strlcpy(r->address, a->address, sizeof(r->address));
		r->serial = (int)a->serial;
		r->lot = (int)a->lot;
		r->model = a->model;
		return;
	}
}
