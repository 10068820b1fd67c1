/*
 * What a pod is made of, changed at random: it stays sound, the partitions
 * keep their IPUs, a refusal changes nothing, and what was made can be undone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pod/pod.h"
#include "tests/unit/inventory_util.h"
#include "tests/unit/tap.h"

enum { SEQUENCES = 60, STEPS = 120, TEXT = 65536 };

static const char *const agent_names[] = { "a0", "a1", "a2", "a3", "a4", "a5",
	"a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15" };

static uint32_t seed;

static int
chance(int n)
{
	seed = seed * 1664525 + 1013904223;
	return (int)((seed >> 8) % (uint32_t)n);
}

/* The pod in words that do not depend on places. */
static void
describe(char text[TEXT])
{
	const struct agent *a;
	size_t n = 0;
	int i, k;

	for (k = 0; k < 16; k++)
		for (i = 0; i < pod.agent_count; i++) {
			a = &pod.agents[i];
			if (strcmp(a->name, agent_names[k]) != 0)
				continue;
			n += (size_t)snprintf(text + n, TEXT - n,
			    "%s %s %s %u %s %d %s\n", a->name, a->host,
			    a->address, a->serial,
			    a->cluster == -1 ? "-" :
					       pod.clusters[a->cluster].name,
			    a->cluster == -1 ?
				0 :
				i - pod.clusters[a->cluster].first_agent,
			    a->allocation == -1 ?
				"-" :
				pod.allocations[a->allocation].name);
		}
	for (k = 0; k < 8; k++)
		for (i = 0; i < pod.cluster_count; i++)
			if (pod.clusters[i].name[1] - '0' == k)
				n += (size_t)snprintf(text + n, TEXT - n,
				    "%s %d %d %d\n", pod.clusters[i].name,
				    pod.clusters[i].agent_count,
				    pod.clusters[i].ild_count,
				    pod.clusters[i].topology);
	for (k = 0; k < 8; k++)
		for (i = 0; i < pod.allocation_count; i++)
			if (pod.allocations[i].name[1] - '0' == k)
				n += (size_t)snprintf(text + n, TEXT - n,
				    "%s\n", pod.allocations[i].name);
	if (n == 0)
		text[0] = '\0';
}

/* The serials of the machines that the partitions lie on. */
static void
describe_partitions(char text[TEXT])
{
	const struct partition *p;
	size_t n = 0;
	int i, k, ipu;

	text[0] = '\0';
	for (i = 0; i < in.partition_count; i++) {
		p = &partitions[i];
		n += (size_t)snprintf(text + n, TEXT - n, "%s in %s:", p->name,
		    p->allocation == -1 ? "-" :
					  pod.allocations[p->allocation].name);
		for (k = 0; k < partition_size(p); k++) {
			ipu = placement_ipu(&pod, &p->placement, k);
			n += (size_t)snprintf(text + n, TEXT - n, " %u:%d",
			    pod.agents[ipu / IPUS_PER_MACHINE].serial,
			    ipu % IPUS_PER_MACHINE);
		}
	}
}

/* Some machines' names, by chance. */
static void
some_agents(char *text, size_t size)
{
	static const int counts[] = { 1, 2, 2, 4, 4, 8 };
	int i, n = counts[chance(6)], first = chance(16);

	text[0] = '\0';
	for (i = 0; i < n; i++)
		(void)snprintf(text + strlen(text), size - strlen(text),
		    "%sa%d", i > 0 ? "," : "", (first + i) % 16);
}

/* A command and, for one that adds, what takes it back. */
static void
random_command(char *command, char *undo, size_t size)
{
	char list[128];
	int n = chance(16), k = chance(4);

	undo[0] = '\0';
	some_agents(list, sizeof(list));
	switch (chance(10)) {
	case 0:
	case 1:
		(void)snprintf(command, size, "add agent a%d", n);
		(void)snprintf(undo, size, "remove agent a%d", n);
		break;
	case 2:
		(void)snprintf(command, size, "remove agent a%d", n);
		break;
	case 3:
	case 4:
		(void)snprintf(command, size, "add cluster c%d agents=%s", k,
		    list);
		(void)snprintf(undo, size, "remove cluster c%d", k);
		break;
	case 5:
		(void)snprintf(command, size, "remove cluster c%d", k);
		break;
	case 6:
		(void)snprintf(command, size, "update cluster c%d agents=%s", k,
		    list);
		break;
	case 7:
		(void)snprintf(command, size, "add allocation x%d agents=%s",
		    n % 4, list);
		(void)snprintf(undo, size, "remove allocation x%d", n % 4);
		break;
	case 8:
		(void)snprintf(command, size, "remove allocation x%d", n % 4);
		break;
	default:
		(void)snprintf(command, size, "update allocation x%d %s=%s",
		    n % 4, chance(2) != 0 ? "add" : "remove", list);
		break;
	}
}

/* Now and then a partition comes or goes. */
static void
random_partition(void)
{
	char command[160];
	int c;

	if (in.partition_count > 0 && chance(3) == 0) {
		in.partition_count--;
		return;
	}
	if (in.partition_count == 2 || pod.cluster_count == 0)
		return;
	c = chance(pod.cluster_count);
	(void)snprintf(command, sizeof(command),
	    "add partition p%d cluster=%s at=%d size=4", in.partition_count,
	    pod.clusters[c].name,
	    IPUS_PER_MACHINE * chance(pod.clusters[c].agent_count));
	(void)run(command, &(struct error){ .text = "" });
}

/* One step; what is wrong with it, or NULL. */
static const char *
random_step(int *done)
{
	static char before[TEXT], after[TEXT], parts[TEXT], now[TEXT];
	char command[256], undo[256];
	struct error e;
	int status;

	random_command(command, undo, sizeof(undo));
	describe(before);
	describe_partitions(parts);
	status = run(command, &e);
	describe(after);
	describe_partitions(now);
	if (strcmp(parts, now) != 0)
		return "a partition lost its IPUs";
	if (status != 0)
		return strcmp(before, after) == 0 && e.text[0] != '\0' ?
		    NULL :
		    "a refusal that changed something";
	++*done;
	if (pod_check(&pod, &e) != 0)
		return "a pod that is not sound";
	if (undo[0] == '\0' || chance(3) != 0)
		return NULL;
	if (run(undo, &e) != 0)
		return "it cannot be undone";
	describe(now);
	return strcmp(before, now) == 0 ? NULL : "undone it is another";
}

static void
test_random(void)
{
	const char *wrong = NULL;
	int done = 0, i, k;

	for (i = 0; i < SEQUENCES && wrong == NULL; i++) {
		begin();
		seed = (uint32_t)i;
		for (k = 0; k < STEPS && wrong == NULL; k++) {
			wrong = random_step(&done);
			if (chance(8) == 0)
				random_partition();
		}
	}
	is_str(wrong, NULL, "random changes");
	if (wrong != NULL)
		printf("# sequence %d, step %d\n", i - 1, k - 1);
	printf("# %d changes done\n", done);
	ok(done > 1000, "many of them done");
}

int
main(void)
{
	test_random();
	pod_release(&pod);
	return tap_done();
}
