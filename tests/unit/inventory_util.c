#include "tests/unit/inventory_util.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/pod/edit/edit.h"
#include "core/pod/pod.h"

struct pod pod;
struct partition partitions[8];
struct inventory in = { &pod, partitions, 0 };

static int
parse(const char *text, const char *const *words)
{
	int i;

	for (i = 0; words[i] != NULL; i++)
		if (strcmp(words[i], text) == 0)
			return i;
	return -1;
}

/* "key=value" of the words behind the name, or NULL. */
static const char *
option(char **words, int count, const char *key)
{
	size_t len = strlen(key);
	int i;

	for (i = 0; i < count; i++)
		if (strncmp(words[i], key, len) == 0 && words[i][len] == '=')
			return words[i] + len + 1;
	return NULL;
}

static int
number(char **words, int count, const char *key)
{
	const char *value = option(words, count, key);
	struct error e;
	long long got;

	return value == NULL ||
		parse_number(key, value, 0, INT32_MAX, &got, &e) != 0 ?
	    -1 :
	    (int)got;
}

static int
do_agent(const char *verb, const char *name, char **words, int count,
    struct error *e)
{
	struct agent_request r = { .port = number(words, count, "port"),
		.model = -1,
		.serial = number(words, count, "serial"),
		.lot = number(words, count, "lot") };
	const char *text;

	if (strcmp(verb, "remove") == 0)
		return edit_agent_remove(&in, name, e);
	(void)strlcpy(r.name, name, sizeof(r.name));
	if ((text = option(words, count, "host")) != NULL)
		(void)strlcpy(r.host, text, sizeof(r.host));
	if ((text = option(words, count, "address")) != NULL)
		(void)strlcpy(r.address, text, sizeof(r.address));
	if ((text = option(words, count, "type")) != NULL)
		r.model = parse(text, pod_machine_words);
	return strcmp(verb, "add") == 0 ?
	    edit_agent_add(&in, &r, e) :
	    edit_agent_update(&in, &r, e);
}

static int
do_cluster(const char *verb, const char *name, char **words, int count,
    struct error *e)
{
	struct cluster_request r = { .ilds = number(words, count, "ilds"),
		.topology = -1,
		.gateway = -1 };
	const char *text;

	if (strcmp(verb, "remove") == 0)
		return edit_cluster_remove(&in, name, e);
	(void)strlcpy(r.name, name, sizeof(r.name));
	r.agents = option(words, count, "agents");
	if ((text = option(words, count, "topology")) != NULL)
		r.topology = parse(text, pod_topology_words);
	if ((text = option(words, count, "gateway")) != NULL)
		r.gateway = parse(text, pod_gateway_words);
	return strcmp(verb, "add") == 0 ?
	    edit_cluster_add(&in, &r, e) :
	    edit_cluster_update(&in, &r, e);
}

static int
do_allocation(const char *verb, const char *name, char **words, int count,
    struct error *e)
{
	struct allocation_request r = { .name = "" };
	const char *text;

	if (strcmp(verb, "remove") == 0)
		return edit_allocation_remove(&in, name, e);
	(void)strlcpy(r.name, name, sizeof(r.name));
	if ((text = option(words, count, "cluster")) != NULL)
		(void)strlcpy(r.cluster, text, sizeof(r.cluster));
	r.agents = option(words, count, "agents");
	r.add = option(words, count, "add");
	r.remove = option(words, count, "remove");
	return strcmp(verb, "add") == 0 ?
	    edit_allocation_add(&in, &r, e) :
	    edit_allocation_update(&in, &r, e);
}

/* IPUs 0 to size-1 from `at` on of a cluster. */
static int
do_partition(const char *name, char **words, int count)
{
	struct partition *p = &partitions[in.partition_count++];

	memset(p, 0, sizeof(*p));
	(void)strlcpy(p->name, name, sizeof(p->name));
	p->placement.cluster = pod_find_cluster(&pod,
	    option(words, count, "cluster"));
	p->placement.ild_count = 1;
	p->placement.offset = number(words, count, "at");
	p->placement.per_ild = number(words, count, "size");
	p->num_gcds = 1;
	p->allocation =
	    pod.agents[placement_ipu(&pod, &p->placement, 0) / IPUS_PER_MACHINE]
		.allocation;
	return 0;
}

int
run(const char *command, struct error *e)
{
	char *copy = xstrdup(command), *rest = copy, *words[12];
	int n = 0, status = -2;

	e->text[0] = '\0';
	while (n < 12 && (words[n] = strsep(&rest, " ")) != NULL)
		n++;
	if (strcmp(words[1], "agent") == 0)
		status = do_agent(words[0], words[2], words + 3, n - 3, e);
	else if (strcmp(words[1], "cluster") == 0)
		status = do_cluster(words[0], words[2], words + 3, n - 3, e);
	else if (strcmp(words[1], "allocation") == 0)
		status = do_allocation(words[0], words[2], words + 3, n - 3, e);
	else if (strcmp(words[1], "partition") == 0)
		status = do_partition(words[2], words + 3, n - 3);
	free(copy);
	return status;
}

void
begin(void)
{
	pod_release(&pod);
	(void)strlcpy(pod.name, "test", sizeof(pod.name));
	in.partition_count = 0;
}
