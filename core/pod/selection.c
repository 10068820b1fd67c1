/*
 * Machines and IPUs by their names on a command line, and the errors for
 * unknown and ambiguous names.
 */
#include "core/pod/request.h"

#include <bsd/string.h>

#include "core/base/alloc.h"

/* Whether the name means the machine: "ag01", "cl0:ag01". */
static bool
selection_is_named(const struct pod *pod, const struct agent *a,
    const char *name)
{
	const char *colon = strchr(name, ':'), *cluster;
	size_t len = colon != NULL ? (size_t)(colon - name) : 0;

	if (colon == NULL)
		return strcmp(a->name, name) == 0;
	if (a->cluster == -1 || strcmp(a->name, colon + 1) != 0)
		return false;
	cluster = pod->clusters[a->cluster].name;
	return strlen(cluster) == len && strncmp(cluster, name, len) == 0;
}

int
selection_find_agent(const struct pod *pod, const char *name, struct error *e)
{
	const struct agent *a = pod->agents, *other;
	int i, found = -1, several = -1;

	for (i = 0; i < pod->agent_count; i++, a++) {
		if (!selection_is_named(pod, a, name))
			continue;
		/* The bare name prefers a machine outside clusters. */
		if (a->cluster == -1)
			return i;
		if (found != -1)
			several = found;
		found = i;
	}
	if (found == -1) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "the agent does not exist; vipu-admin list agents shows "
		    "the existing ones");
		return nearest_agent(pod, name, e);
	}
	if (several == -1)
		return found;
	other = &pod->agents[several];
	return error_set_code(e, ERROR_INVALID,
	    "agents of several clusters have that name; write %s:%s or %s:%s",
	    pod->clusters[other->cluster].name, name,
	    pod->clusters[pod->agents[found].cluster].name, name);
}

/* Context for the names of a list item. */
struct selection {
	const struct pod *pod;
	const char *cluster; /* "cl0:", or "" */
	bool *selected;
};

/* Called for each name of an item; marks the machine. */
static int
select_name(void *context, const char *name, struct error *e)
{
	const struct selection *s = context;
	char full[2 * NAME_SIZE];
	int agent;

	(void)snprintf(full, sizeof(full), "%s%s", s->cluster, name);
	agent = selection_find_agent(s->pod, full, e);
	if (agent == -1)
		return error_prefix(e, "%s", full);
	s->selected[agent] = true;
	return 0;
}

/* Select an item, which has no comma. */
static int
select_item(const struct pod *pod, const char *item, bool *selected,
    struct error *e)
{
	struct selection s = { pod, "", selected };
	const char *colon = strchr(item, ':');
	char cluster[NAME_SIZE + 1];
	size_t len;

	if (colon != NULL) {
		len = (size_t)(colon - item) + 1;
		if (len >= sizeof(cluster))
			return error_set_code(e, ERROR_INVALID,
			    "agents: '%.20s...': a name has at most %d "
			    "characters",
			    item, NAME_LENGTH_MAX);
		memcpy(cluster, item, len);
		cluster[len] = '\0';
		s.cluster = cluster;
		item = colon + 1;
	}
	return agent_list_each(item, select_name, &s, e);
}

/* "all" must be alone. */
int
selection_agents(const struct pod *pod, const char *list, bool *selected,
    struct error *e)
{
	char *copy, *rest, *item;
	int i, status = 0;

	for (i = 0; i < pod->agent_count; i++)
		selected[i] = strcmp(list, "all") == 0;
	if (strcmp(list, "all") == 0)
		return 0;
	copy = rest = xstrdup(list);
	while (status == 0 && (item = strsep(&rest, ",")) != NULL)
		status = select_item(pod, item, selected, e);
	free(copy);
	return status;
}

/* The IPU follows the last colon: "cl0:ag01:2" is IPU 2 of "cl0:ag01". */
int
selection_ipu(const struct pod *pod, const char *name, struct error *e)
{
	const char *colon = strrchr(name, ':');
	char agent[2 * NAME_SIZE];
	int index;

	if (colon == NULL || strlen(colon) != 2 || colon[1] < '0' ||
	    colon[1] >= '0' + IPUS_PER_MACHINE)
		return error_set_code(e, ERROR_INVALID,
		    "an IPU is named by its machine and a number from 0 to %d, "
		    "such as ag01:%d",
		    IPUS_PER_MACHINE - 1, IPUS_PER_MACHINE - 1);
	if ((size_t)(colon - name) >= sizeof(agent))
		return error_set_code(e, ERROR_INVALID,
		    "a name has at most %d characters", NAME_LENGTH_MAX);
	(void)strlcpy(agent, name, (size_t)(colon - name) + 1);
	index = selection_find_agent(pod, agent, e);
	return index == -1 ? -1 : index * IPUS_PER_MACHINE + colon[1] - '0';
}
