/*
 * vipu-admin create, update and remove of agents, clusters and allocations:
 * making the request from the options, and applying the rules to the pod.
 */
#include <bsd/string.h>

#include <string.h>
#include <strings.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/pod/edit/edit.h"

const struct option_row edit_create_agent_options[] = {
	{ KEY_HOST, "host", "H", "set its management address; required" },
	{ KEY_PORT, "port", "P", "set the port of its agent (default: 8080)" },
	{ KEY_ADDRESS, "address", "A",
	    "set its data plane address (default: the next free one)" },
	{ KEY_TYPE, "type", "TYPE",
	    "set its type: M2000 or BOW-2000 (default: M2000)" },
	{ 0 },
};

const struct option_row edit_update_agent_options[] = {
	{ KEY_HOST, "host", "H", "set its management address" },
	{ KEY_PORT, "port", "P", "set the port of its agent" },
	{ KEY_ADDRESS, "address", "A", "set its data plane address" },
	{ KEY_TYPE, "type", "TYPE", "set its type: M2000 or BOW-2000" },
	{ 0 },
};

const struct option_row edit_cluster_options[] = {
	{ KEY_AGENTS, "agents", "A,B",
	    "set its machines, in rack order; ag[01-16] names sixteen" },
	{ KEY_TOPOLOGY, "topology", "T",
	    "wire its IPU-Links as mesh or torus (default: mesh)" },
	{ KEY_NUM_DOMAINS, "num-ipulink-domains", "N",
	    "divide it into N IPU-Link domains (default: one for each 16 "
	    "machines)" },
	{ KEY_NUM_DOMAINS, "num-ipulinkdomains", "N", NULL },
	{ KEY_CLUSTER_TOPOLOGY, "cluster-topology", "T",
	    "wire the GW-Links between the domains: looped or switched "
	    "(default: looped)" },
	{ 0 },
};

const struct option_row edit_create_allocation_options[] = {
	{ KEY_AGENTS, "agents", "A,B",
	    "put these machines into it; ag[01-04] names four" },
	{ KEY_CLUSTER, "cluster", "C",
	    "put all machines of this cluster into it; with --agents: find the "
	    "machines in this cluster" },
	{ 0 },
};

const struct option_row edit_update_allocation_options[] = {
	{ KEY_AGENTS, "agents", "A,B", "replace its machines by these" },
	{ KEY_ADD_AGENTS, "add-agents", "A,B", "add these machines" },
	{ KEY_REMOVE_AGENTS, "remove-agents", "A,B", "remove these machines" },
	{ 0 },
};

/* A change of the pod: a rule of core/pod/edit/edit.h, and its request.  A
   removal has only a name. */
struct edit {
	const struct call *call;
	enum edit_rule {
		ADD_AGENT,
		UPDATE_AGENT,
		REMOVE_AGENT,
		ADD_CLUSTER,
		UPDATE_CLUSTER,
		REMOVE_CLUSTER,
		ADD_ALLOCATION,
		UPDATE_ALLOCATION,
		REMOVE_ALLOCATION
	} rule;
	struct agent_request agent;
	struct cluster_request cluster;
	struct allocation_request allocation;
	char twin[2 * NAME_SIZE]; /* "CLUSTER:NAME" of another agent with that
				     name */
};

/*
 * Fill in the missing parts of the request from the discovered machines.  Names
 * are unique only within a cluster: another machine of that name is kept for a
 * warning.
 */
static int
edit_add_agent(struct inventory *in, struct edit *new, struct error *e)
{
	struct pod *pod = in->pod, found;
	const struct agent *a;

	if (discovery_find_agents(pod, &found, e) != 0)
		return -1;
	discovery_complete_request(&found, &new->agent);
	pod_release(&found);
	for (a = pod->agents; a < pod->agents + pod->agent_count; a++)
		if (a->cluster != -1 && strcmp(a->name, new->agent.name) == 0)
			(void)snprintf(new->twin, sizeof(new->twin), "%s:%s",
			    pod->clusters[a->cluster].name, a->name);
	return edit_agent_add(in, &new->agent, e);
}

static int
edit_run(struct inventory *in, void *context, struct error *e)
{
	struct edit *r = context;
	const char *name = r->call->name;

	switch (r->rule) {
	case ADD_AGENT:
		return edit_add_agent(in, r, e);
	case UPDATE_AGENT:
		return edit_agent_update(in, &r->agent, e);
	case REMOVE_AGENT:
		return edit_agent_remove(in, name, e);
	case ADD_CLUSTER:
		return edit_cluster_add(in, &r->cluster, e);
	case UPDATE_CLUSTER:
		return edit_cluster_update(in, &r->cluster, e);
	case REMOVE_CLUSTER:
		return edit_cluster_remove(in, name, e);
	case ADD_ALLOCATION:
		return edit_allocation_add(in, &r->allocation, e);
	case UPDATE_ALLOCATION:
		return edit_allocation_update(in, &r->allocation, e);
	case REMOVE_ALLOCATION:
		break;
	}
	return edit_allocation_remove(in, name, e);
}

/* Change the pod by the rule, and print the result. */
static int
edit_change(struct edit *r, enum edit_rule rule)
{
	struct controller *c;
	struct error error;
	int status;

	r->rule = rule;
	if ((c = call_open(r->call, &error)) == NULL)
		return call_failed(r->call, &error);
	status = pod_change_run(c, edit_run, r, &error);
	call_close(r->call, c);
	return status == 0 ? call_success(r->call) :
			     call_failed(r->call, &error);
}

/* Take the operand, which becomes a file's name; CLUSTER:AGENT does not. */
static int
take_name(const struct call *call, char *out, size_t size)
{
	const char *colon = strchr(call->name, ':');
	struct error error;

	if (name_check(call->command->entity,
		colon != NULL ? colon + 1 : call->name, &error) == 0 &&
	    strlcpy(out, call->name, size) < size)
		return EXIT_DONE;
	if (colon != NULL)
		(void)error_set_code(&error, ERROR_NOT_FOUND,
		    "the agent does not exist");
	return call_failed(call, &error);
}

/* Take an address that fits ADDRESS_SIZE bytes; EXIT_DONE also without one. */
static int
take_address(const struct call *call, int key, const char *option, char *out)
{
	const char *text = call->values[key];

	if (text == NULL)
		return EXIT_DONE;
	if (text[0] != '\0' && strlcpy(out, text, ADDRESS_SIZE) < ADDRESS_SIZE)
		return EXIT_DONE;
	return call_misuse(call, "--%s: must be an IPv4 or IPv6 address",
	    option);
}

/* Take a number like call_number(), but return an exit status. */
static int
edit_take_number(const struct call *call, int key, long long max, int *value)
{
	return call_number(call, key, 1, max, value) == 0 ?
	    EXIT_DONE :
	    EXIT_USAGE;
}

/* Take the word's index in the list, -1 if the option was not given. */
static int
edit_take_word(const struct call *call, int key, const char *option,
    const char *const *words, int first, int *value)
{
	const char *text = call->values[key];
	int i;

	*value = -1;
	if (text == NULL)
		return EXIT_DONE;
	for (i = first; words[i] != NULL; i++)
		if (strcasecmp(words[i], text) == 0)
			*value = i;
	return *value != -1 ?
	    EXIT_DONE :
	    call_misuse(call, "--%s: must be %s or %s", option, words[first],
		words[first + 1]);
}

/* ---- agents ---- */

/*
 * Make the request from the options; -1 and "" mark missing ones.  Returns 0,
 * or the exit status of misuse.
 */
static int
agent_request(const struct call *call, struct agent_request *r)
{
	int status;

	*r = (struct agent_request){ .port = -1, .serial = -1, .lot = -1 };
	status = take_address(call, KEY_HOST, "host", r->host);
	if (status == EXIT_DONE)
		status = take_address(call, KEY_ADDRESS, "address", r->address);
	if (status == EXIT_DONE)
		status = edit_take_number(call, KEY_PORT, UINT16_MAX, &r->port);
	if (status == EXIT_DONE)
		status = edit_take_word(call, KEY_TYPE, "type",
		    pod_machine_words, 0, &r->model);
	return status != EXIT_DONE ? status :
				     take_name(call, r->name, sizeof(r->name));
}

/* The warning follows the answer, and does not change the status. */
int
edit_create_agent(const struct call *call)
{
	struct edit new = { .call = call };
	int status;

	if (call->values[KEY_HOST] == NULL)
		return call_misuse(call, "create agent needs --host");
	status = agent_request(call, &new.agent);
	if (status == EXIT_DONE)
		status = edit_change(&new, ADD_AGENT);
	if (status == EXIT_DONE && new.twin[0] != '\0')
		fprintf(stderr,
		    "vipu-admin: warning: agent %s has the same name\n",
		    new.twin);
	return status;
}

/* An update without changes is most likely a mistyped option. */
int
edit_update_agent(const struct call *call)
{
	struct edit new = { .call = call };
	const struct agent_request *r = &new.agent;
	int status;

	if ((status = agent_request(call, &new.agent)) != EXIT_DONE)
		return status;
	if (r->host[0] == '\0' && r->address[0] == '\0' && r->port == -1 &&
	    r->model == -1)
		return call_misuse(call,
		    "update agent: nothing to change; give --host, --port, "
		    "--address or --type");
	return edit_change(&new, UPDATE_AGENT);
}

int
edit_remove_agent(const struct call *call)
{
	return edit_change(&(struct edit){ .call = call }, REMOVE_AGENT);
}

/* ---- clusters ---- */

/* Make the request for a cluster, like agent_request(). */
static int
cluster_request(const struct call *call, struct cluster_request *r)
{
	int status;

	*r = (struct cluster_request){ .agents = call->values[KEY_AGENTS],
		.ilds = -1 };
	status = edit_take_number(call, KEY_NUM_DOMAINS, POD_AGENTS_MAX,
	    &r->ilds);
	if (status == EXIT_DONE)
		status = edit_take_word(call, KEY_TOPOLOGY, "topology",
		    pod_topology_words, 0, &r->topology);
	if (status == EXIT_DONE)
		status = edit_take_word(call, KEY_CLUSTER_TOPOLOGY,
		    "cluster-topology", pod_gateway_words, GATEWAY_LOOPED,
		    &r->gateway);
	return status != EXIT_DONE ? status :
				     take_name(call, r->name, sizeof(r->name));
}

int
edit_create_cluster(const struct call *call)
{
	struct edit new = { .call = call };
	int status;

	if (call->values[KEY_AGENTS] == NULL)
		return call_misuse(call, "create cluster needs --agents");
	status = cluster_request(call, &new.cluster);
	return status == EXIT_DONE ? edit_change(&new, ADD_CLUSTER) : status;
}

int
edit_update_cluster(const struct call *call)
{
	struct edit new = { .call = call };
	const struct cluster_request *r = &new.cluster;
	int status;

	if ((status = cluster_request(call, &new.cluster)) != EXIT_DONE)
		return status;
	if (r->agents == NULL && r->ilds == -1 && r->topology == -1 &&
	    r->gateway == -1)
		return call_misuse(call,
		    "update cluster: nothing to change; give at least one "
		    "option");
	return edit_change(&new, UPDATE_CLUSTER);
}

int
edit_remove_cluster(const struct call *call)
{
	return edit_change(&(struct edit){ .call = call }, REMOVE_CLUSTER);
}

/* ---- allocations ---- */

/* Make the request for an allocation, like agent_request(). */
static int
allocation_request(const struct call *call, struct allocation_request *r)
{
	*r = (struct allocation_request){ .agents = call->values[KEY_AGENTS],
		.add = call->values[KEY_ADD_AGENTS],
		.remove = call->values[KEY_REMOVE_AGENTS] };
	if (call_name(call, KEY_CLUSTER, "cluster", r->cluster) != 0)
		return EXIT_FAILED;
	return take_name(call, r->name, sizeof(r->name));
}

int
edit_create_allocation(const struct call *call)
{
	struct edit new = { .call = call };
	int status;

	if (call->values[KEY_AGENTS] == NULL &&
	    call->values[KEY_CLUSTER] == NULL)
		return call_misuse(call,
		    "create allocation needs --agents or --cluster");
	status = allocation_request(call, &new.allocation);
	return status == EXIT_DONE ? edit_change(&new, ADD_ALLOCATION) : status;
}

int
edit_update_allocation(const struct call *call)
{
	struct edit new = { .call = call };
	const struct allocation_request *r = &new.allocation;
	int status;

	if ((status = allocation_request(call, &new.allocation)) != EXIT_DONE)
		return status;
	if (r->agents == NULL && r->add == NULL && r->remove == NULL)
		return call_misuse(call,
		    "update allocation: nothing to change; give --agents, "
		    "--add-agents or --remove-agents");
	if (r->agents != NULL && (r->add != NULL || r->remove != NULL))
		return call_misuse(call,
		    "--agents names all machines: leave out --add-agents and "
		    "--remove-agents");
	return edit_change(&new, UPDATE_ALLOCATION);
}

int
edit_remove_allocation(const struct call *call)
{
	return edit_change(&(struct edit){ .call = call }, REMOVE_ALLOCATION);
}
