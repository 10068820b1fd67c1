/*
 * What a pod is made of, changed: every rule, and the limits.
 */
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/inventory_util.h"
#include "tests/unit/tap.h"

enum { TEXT = 4096 };

/* Eight machines: two clusters of two and four, one with allocations, two
   machines to spare, and a partition. */
static const char *const house[] = { "add agent a1 host=10.1.2.1",
	"add agent a2", "add agent a3", "add agent a4", "add agent a5",
	"add agent a6", "add agent a7", "add agent a8",
	"add cluster c0 agents=a1,a2 topology=torus",
	"add cluster c1 agents=a3,a4,a5,a6", "add allocation x agents=a3,a4",
	"add allocation y agents=a5", "add partition p cluster=c1 at=4 size=4",
	NULL };

static void
build(const char *const *commands)
{
	struct error e;

	begin();
	for (; *commands != NULL; commands++)
		if (run(*commands, &e) != 0) {
			printf("# %s: %s\n", *commands, e.text);
			exit(1);
		}
}

/* The agents' names in their places; '|' behind each cluster. */
static const char *
places(char text[TEXT])
{
	int cluster = -1, i;
	size_t n = 0;

	text[0] = '\0';
	for (i = 0; i < pod.agent_count; i++) {
		if (i > 0 && pod.agents[i].cluster != cluster)
			n += (size_t)snprintf(text + n, TEXT - n, "| ");
		cluster = pod.agents[i].cluster;
		n += (size_t)snprintf(text + n, TEXT - n, "%s ",
		    pod.agents[i].name);
	}
	return text;
}

struct step {
	const char *command;
	const char *answer; /* the reason, or NULL: it is done */
	const char *places; /* behind it, NULL: as before */
};

#define SAME NULL

static const struct step steps[] = {
	{ "add agent a7", "agent a7 already exists", SAME },
	{ "add agent a1", NULL, "a1 a2 | a3 a4 a5 a6 | a7 a8 a1 " },
	{ "add agent a1", "agent a1 already exists", SAME },
	{ "remove agent a1", NULL, "a1 a2 | a3 a4 a5 a6 | a7 a8 " },
	{ "add agent ../x",
	    "agent name '../x': only letters, digits and . _ - are allowed, "
	    "and the first must be a letter or a digit",
	    SAME },
	{ "add agent n host=here",
	    "host: address 'here': must be an IPv4 or IPv6 address", SAME },
	{ "add agent n host=10.1.2.255",
	    "host: address '10.1.2.255': the last number must be 1 to 254",
	    SAME },
	{ "add agent n address=10.1.5.3",
	    "the data plane address 10.1.5.3 is already the address of agent "
	    "a3",
	    SAME },
	{ "add agent n", NULL, "a1 a2 | a3 a4 a5 a6 | a7 a8 n " },
	{ "add agent m serial=1", NULL, "a1 a2 | a3 a4 a5 a6 | m a7 a8 n " },
	{ "remove agent m", NULL, "a1 a2 | a3 a4 a5 a6 | a7 a8 n " },
	{ "remove agent n", NULL, "a1 a2 | a3 a4 a5 a6 | a7 a8 " },
	{ "remove agent none",
	    "the agent does not exist; vipu-admin list agents shows the "
	    "existing ones",
	    SAME },
	{ "remove agent a1",
	    "it is in cluster c0; vipu-admin remove cluster c0, or update "
	    "cluster c0 --agents with the others, takes it out",
	    SAME },
	{ "remove agent c1:a1",
	    "the agent does not exist; vipu-admin list agents shows the "
	    "existing ones",
	    SAME },
	{ "update agent a4 port=9",
	    "partition p uses it; remove the partition first", SAME },
	{ "update agent c1:a3 port=9", NULL, SAME },
	{ "update agent a3 address=10.1.5.1",
	    "the data plane address 10.1.5.1 is already the address of agent "
	    "a1",
	    SAME },
	{ "update agent a3 type=BOW-2000",
	    "it is in cluster c1, and all machines of the cluster are M2000; "
	    "take it out of the cluster first",
	    SAME },
	{ "update agent a8 type=BOW-2000", NULL, SAME },
	{ "update agent none port=1",
	    "the agent does not exist; vipu-admin list agents shows the "
	    "existing ones",
	    SAME },

	{ "add cluster c0 agents=a7", "cluster c0 already exists", SAME },
	{ "add cluster c2", "a cluster needs agents", SAME },
	{ "add cluster -c agents=a7",
	    "cluster name '-c': only letters, digits and . _ - are allowed, "
	    "and the first must be a letter or a digit",
	    SAME },
	{ "add cluster c2 agents=a7,a8",
	    "agent a7 is a M2000 and a8 is a BOW-2000; the machines of a "
	    "cluster must be of one type",
	    SAME },
	{ "update agent a8 type=M2000", NULL, SAME },
	{ "add cluster c2 agents=a7,none",
	    "agent none does not exist; vipu-admin list agents shows the "
	    "existing ones",
	    SAME },
	{ "add cluster c2 agents=a7,a7", "agent a7 is named twice", SAME },
	{ "add cluster c2 agents=a7,a1",
	    "agent a1 is in cluster c0; vipu-admin remove cluster c0, or "
	    "update cluster c0 --agents with the others, takes it out",
	    SAME },
	{ "add cluster c2 agents=a7,a8 ilds=3",
	    "cluster c2: 2 machines cannot be divided evenly among 3 ILDs",
	    SAME },
	{ "add cluster c2 agents=a7,a8 gateway=looped",
	    "cluster c2: gateway links join ILDs, but it has only one ILD",
	    SAME },
	{ "add cluster c2 agents=a8,a7 ilds=2", NULL,
	    "a1 a2 | a3 a4 a5 a6 | a8 a7 " },
	{ "update cluster c2 ilds=1", NULL, SAME },
	{ "update cluster c2 agents=a7", NULL,
	    "a1 a2 | a3 a4 a5 a6 | a7 | a8 " },
	{ "update cluster c2 agents=a8,a7", NULL,
	    "a1 a2 | a3 a4 a5 a6 | a8 a7 " },
	{ "update cluster c2 agents=a8,a1",
	    "agent a1 is in cluster c0; vipu-admin remove cluster c0, or "
	    "update cluster c0 --agents with the others, takes it out",
	    SAME },
	{ "update cluster c1 topology=torus",
	    "partition p uses it; remove the partition first", SAME },
	{ "update cluster none ilds=1",
	    "the cluster does not exist; vipu-admin list clusters shows the "
	    "existing ones",
	    SAME },
	{ "remove cluster c1",
	    "partition p uses it; remove the partition first", SAME },
	{ "remove cluster none",
	    "the cluster does not exist; vipu-admin list clusters shows the "
	    "existing ones",
	    SAME },
	{ "add allocation z agents=a1", NULL, SAME },
	{ "remove cluster c0",
	    "allocation z has machines of it; first use vipu-admin remove "
	    "allocation z",
	    SAME },
	{ "update cluster c0 agents=a2",
	    "agent a1 is in allocation z; vipu-admin update allocation z "
	    "--remove-agents a1 takes it out",
	    SAME },
	{ "update cluster c0 agents=a1", NULL,
	    "a1 | a2 | a3 a4 a5 a6 | a8 a7 " },
	{ "remove allocation z", NULL, SAME },
	{ "remove cluster c2", NULL, "a1 | a2 | a3 a4 a5 a6 | a7 a8 " },
	{ "remove agent a2", NULL, "a1 | a7 | a3 a4 a5 a6 | a8 " },
	{ "remove cluster c0", NULL, "a1 a7 | a3 a4 a5 a6 | a8 " },
	{ "remove agent a7", NULL, "a1 a8 | a3 a4 a5 a6 " },
	{ "remove agent a8", NULL, "a1 | a3 a4 a5 a6 " },
	{ "add agent a2", NULL, "a1 | a3 a4 a5 a6 | a2 " },
	{ "add agent a7", NULL, "a1 | a3 a4 a5 a6 | a2 a7 " },

	{ "add allocation x agents=a6", "allocation x already exists", SAME },
	{ "add allocation w", "an allocation needs agents or a cluster", SAME },
	{ "add allocation w agents=a7",
	    "agent a7 is in no cluster; vipu-admin create cluster puts it into "
	    "one",
	    SAME },
	{ "add allocation w cluster=none",
	    "cluster none does not exist; vipu-admin list clusters shows the "
	    "existing ones",
	    SAME },
	{ "add allocation w agents=a6,a6", "agent a6 is named twice", SAME },
	{ "add allocation w agents=a5,a6",
	    "agent a5 is in allocation y; vipu-admin remove allocation y frees "
	    "all of its machines",
	    SAME },
	{ "add allocation w agents=a3",
	    "agent a3 is in allocation x; vipu-admin update allocation x "
	    "--remove-agents a3 takes it out",
	    SAME },
	{ "add allocation w cluster=c1",
	    "agent a3 is in allocation x; vipu-admin remove allocation x frees "
	    "all of its machines",
	    SAME },
	{ "add cluster c9 agents=a2 ", NULL, "a2 | a3 a4 a5 a6 | a1 a7 " },
	{ "add allocation w agents=a6,a2",
	    "agents a6 and a2 are in clusters c1 and c9; the machines of an "
	    "allocation must be in one cluster",
	    SAME },
	{ "add allocation w cluster=c9 agents=a6",
	    "agent a6 is in cluster c1, not in c9", SAME },
	{ "update allocation x remove=a4",
	    "partition p uses agent a4; remove the partition first", SAME },
	{ "update allocation x agents=a3",
	    "partition p uses agent a4; remove the partition first", SAME },
	{ "update allocation x remove=a5", "agent a5 is not in it", SAME },
	{ "update allocation x add=a5",
	    "agent a5 is in allocation y; vipu-admin remove allocation y frees "
	    "all of its machines",
	    SAME },
	{ "update allocation x add=a6", NULL, SAME },
	{ "update allocation x remove=a6,a3", NULL, SAME },
	{ "update allocation x add=a3", NULL, SAME },
	{ "update allocation y remove=a5",
	    "no machine would be left in it; vipu-admin remove allocation y "
	    "removes it",
	    SAME },
	{ "update allocation none add=a5",
	    "the allocation does not exist; vipu-admin list allocations shows "
	    "the existing ones",
	    SAME },
	{ "remove allocation x",
	    "partition p uses it; remove the partition first", SAME },
	{ "remove allocation none",
	    "the allocation does not exist; vipu-admin list allocations shows "
	    "the existing ones",
	    SAME },
	{ "remove allocation y", NULL, SAME },
	{ "add allocation y cluster=c9", NULL, SAME },
};

static void
test_steps(void)
{
	static char before[TEXT], after[TEXT];
	struct error e;
	size_t i;
	int status;

	build(house);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		(void)places(before);
		status = run(steps[i].command, &e);
		is_str(status == 0 ? "" : e.text,
		    steps[i].answer != NULL ? steps[i].answer : "",
		    steps[i].command);
		is_str(places(after),
		    steps[i].places != NULL ? steps[i].places : before,
		    "the machines' places");
		if (pod_check(&pod, &e) != 0)
			is_str(e.text, "", "a sound pod");
	}
}

/* What is left out: the next that is free. */
static void
test_defaults(void)
{
	struct error e;
	int i;

	build(house);
	is_str(pod.agents[1].host, "10.1.2.2", "a2's host");
	is_str(pod.agents[1].address, "10.1.5.2", "and address");
	is_int((int)pod.agents[1].port, 8080, "and port");
	is_int((int)pod.agents[1].serial, (int)pod.agents[0].serial + 1,
	    "and serial number");
	is_int(pod.clusters[1].topology, TOPOLOGY_MESH, "a mesh");
	is_int(pod.clusters[1].ild_count, 1, "one ILD");
	is_int(pod.clusters[1].gateway, GATEWAY_NONE, "so no gateway links");
	is_int(run("remove agent a7", &e), 0, "a7 goes");
	is_int(run("add agent b", &e), 0, "and b comes");
	i = selection_find_agent(&pod, "b", &e);
	is_str(pod.agents[i].address, "10.1.5.7", "in its place");
	is_int(run("update agent b address=10.9.1.9 host=10.9.1.1 port=1", &e),
	    0, "b changes");
	i = selection_find_agent(&pod, "b", &e);
	is_str(pod.agents[i].address, "10.9.1.9", "its address");
	is_str(pod.agents[i].host, "10.9.1.1", "its host");
	is_int((int)pod.agents[i].port, 1, "its port");
}

/* Two racks: ILDs and their joining where the request is silent. */
static void
test_racks(void)
{
	struct error e;
	char text[64];
	int i;

	begin();
	for (i = 1; i <= 32; i++) {
		(void)snprintf(text, sizeof(text), "add agent ag%d", i);
		if (run(text, &e) != 0)
			is_str(e.text, "", text);
	}
	is_int(run("add cluster big agents=ag[1-32]", &e), 0, "32 machines");
	is_int(pod.clusters[0].ild_count, 2, "are two ILDs");
	is_int(pod.clusters[0].gateway, GATEWAY_LOOPED, "looped");
	is_int(run("update cluster big gateway=switched", &e), 0, "or");
	is_int(pod.clusters[0].gateway, GATEWAY_SWITCHED, "switched");
	is_int(run("update cluster big ilds=4", &e), 0, "in four ILDs");
	is_int(pod.clusters[0].gateway, GATEWAY_SWITCHED, "still switched");
	is_int(run("update cluster big ilds=1", &e), -1, "not in one");
	is_str(e.text,
	    "cluster big: 32 machines make an ILD of 128 IPUs; the number must "
	    "be a power of two, at most 64",
	    "for that is a rack");
	is_int(run("add allocation a agents=ag[1-4]", &e), 0, "an allocation");
	is_int(run("add allocation b agents=ag[3-6]", &e), -1, "overlaps");
	is_str(e.text,
	    "agent ag3 is in allocation a; vipu-admin update allocation a "
	    "--remove-agents ag3 takes it out",
	    "by one name");
	is_int(run("add allocation b agents=ag[3-4]", &e), -1, "inside it");
	is_str(e.text,
	    "agent ag3 is in allocation a; vipu-admin update allocation a "
	    "--remove-agents ag[3-4] takes them out",
	    "by the list");
}

/* Names that are in two clusters. */
static void
test_twins(void)
{
	struct error e;

	pod_release(&pod);
	in.partition_count = 0;
	is_int(pod_file_parse(&pod, "t",
		   "[pod]\nname = t\n[cluster c0]\n"
		   "agents = a,b\n[cluster c1]\nagents = a,c\n",
		   &e),
	    0, "twins");
	is_int(run("remove allocation c0", &e), 0, "no allocation");
	is_int(run("remove allocation c1", &e), 0, "at all");
	is_int(selection_find_agent(&pod, "a", &e), -1, "a is two");
	is_str(e.text,
	    "agents of several clusters have that name; write c0:a or c1:a",
	    "and the reason says how to name one");
	is_int(selection_find_agent(&pod, "c1:a", &e), 2, "c1:a is one");
	is_int(selection_find_agent(&pod, "c", &e), 3, "c is one");
	is_int(selection_find_agent(&pod, "c:a", &e), -1, "c:a is none");
	is_int(run("add allocation z agents=a", &e), -1, "not in a list");
	is_str(e.text, "several agents are named a; choose one with --cluster",
	    "either");
	is_int(run("add allocation z agents=a cluster=c1", &e), 0,
	    "but with its cluster");
	is_int(pod.agents[2].allocation, 0, "it is that one");
	is_int(run("remove cluster c0", &e), 0, "c0 goes");
	is_int(selection_find_agent(&pod, "a", &e), 0, "a is the one in none");
	is_int(run("remove allocation z", &e), 0, "and then");
	is_int(run("remove cluster c1", &e), -1, "c1 not");
	is_str(e.text,
	    "another agent a exists outside clusters; first put that one into "
	    "a cluster, or remove it",
	    "for there would be two");
	is_int(run("add cluster c2 agents=a,c", &e), -1, "nor");
	is_str(e.text,
	    "agent c is in cluster c1; vipu-admin remove cluster c1, or update "
	    "cluster c1 --agents with the others, takes it out",
	    "c of c1");
	is_int(run("update cluster c1 agents=a", &e), -1, "which a?");
	is_str(e.text, "several agents are named a", "is not clear");
	is_int(run("add cluster c2 agents=a", &e), 0, "a of no cluster");
	is_int(pod_check(&pod, &e), 0, "is sound");
}

/*
 * Machines g00000 and on, which are in no cluster, as if each had been added:
 * that takes longer the more there are.
 */
static void
put_agents(int count)
{
	struct agent *a;
	int i;

	pod.agents = xreallocarray(NULL, (size_t)count, sizeof(*a));
	pod.agent_count = count;
	for (i = 0; i < count; i++) {
		a = &pod.agents[i];
		*a = (struct agent){ .cluster = -1,
			.allocation = -1,
			.port = 8080,
			.serial = 8203321 + i,
			.lot = 24 };
		(void)snprintf(a->name, sizeof(a->name), "g%05d", i);
		(void)strlcpy(a->host, "10.1.2.1", sizeof(a->host));
		(void)snprintf(a->address, sizeof(a->address), "10.%d.%d.%d",
		    100 + i / 62500, i / 250 % 250, i % 250 + 1);
	}
}

static void
test_limits(void)
{
	struct error e;
	char text[96];
	int i, bad = 0;

	begin();
	put_agents(tap_amount(POD_AGENTS_MAX - 100, 1));
	for (i = pod.agent_count; i < POD_AGENTS_MAX; i++) {
		(void)snprintf(text, sizeof(text),
		    "add agent g%05d serial=%d host=10.1.2.1 "
		    "address=10.%d.%d.%d",
		    i, 8203321 + i, 100 + i / 62500, i / 250 % 250,
		    i % 250 + 1);
		bad += run(text, &e) != 0;
	}
	is_int(bad, 0, "16,384 machines");
	is_int(run("add agent more address=10.99.1.1", &e), -1, "one more");
	is_str(e.text,
	    "the pod has 16384 machines (65536 IPUs) already, which is the "
	    "limit",
	    "is refused");
	is_int(run("add cluster all agents=g[00000-16383]", &e), 0,
	    "all in one cluster");
	is_int(pod.clusters[0].ild_count, 1024, "1,024 racks");
	is_int(run("add allocation all cluster=all", &e), 0, "one allocation");
	is_int(pod_check(&pod, &e), 0, "is sound");
	is_int(run("remove allocation all", &e), 0, "and none");
	is_int(run("remove cluster all", &e), 0, "no cluster");
	for (i = 0, bad = 0; i < POD_CLUSTERS_MAX; i++) {
		(void)snprintf(text, sizeof(text),
		    "add cluster c%d agents=g%05d", i, i);
		bad += run(text, &e) != 0;
	}
	is_int(bad, 0, "64 clusters");
	is_int(run("add cluster more agents=g10000", &e), -1, "one more");
	is_str(e.text, "the pod has 64 clusters already, which is the limit",
	    "is refused");
	is_int(run("remove cluster c3", &e), 0, "one goes");
	is_int(run("add cluster big agents=g[01000-01255]", &e), 0, "another");
	for (i = 0, bad = 0; i < 255; i++) {
		(void)snprintf(text, sizeof(text),
		    "add allocation a%d agents=g%05d", i, 1000 + i);
		bad += run(text, &e) != 0;
	}
	bad += run("add allocation a255 agents=g00001", &e) != 0;
	is_int(bad, 0, "256 allocations");
	is_int(run("add allocation more agents=g01255", &e), -1, "one more");
	is_str(e.text,
	    "the pod has 256 allocations already, which is the limit",
	    "is refused");
}

int
main(void)
{
	test_steps();
	test_defaults();
	test_racks();
	test_twins();
	test_limits();
	pod_release(&pod);
	return tap_done();
}
