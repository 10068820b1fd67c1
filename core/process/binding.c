/*
 * Chooses processors and memory for each instance, and sets them with two
 * system calls.
 */
#include "core/process/binding.h"

#include <sys/syscall.h>

#include <string.h>
#include <unistd.h>

#include "core/base/text.h"

/* Constants of <linux/mempolicy.h>; the last exists since Linux 5.15. */
enum { POLICY_DEFAULT = 0, POLICY_PREFERRED = 1, POLICY_PREFERRED_MANY = 5 };

enum machine_detail
binding_detail(enum binding_policy policy)
{
	return policy == BINDING_SPREADNUMA || policy == BINDING_NONE ?
	    MACHINE_NODES :
	    MACHINE_CORES;
}

static void
bind_cpu(struct binding *b, const struct machine *m,
    const struct machine_cpu *c)
{
	const int node = c->group[MACHINE_NODE];

	number_set_add(&b->cpus, c->number);
	if (node != -1)
		number_set_add(&b->nodes, m->groups[MACHINE_NODE][node].number);
}

/* Choose a block of nodes; a block of all nodes means unbound. */
static void
choose_nodes(const struct machine *m, int index, int count, struct binding *b)
{
	const struct machine_domain *nodes = m->groups[MACHINE_NODE];
	const int all = m->group_count[MACHINE_NODE];
	const int first = index * all / count;
	int end = (index + 1) * all / count;
	int i, node;

	if (end == first)
		end++;
	if (end - first >= all)
		return;
	for (i = first; i < end; i++)
		if (nodes[i].memory)
			number_set_add(&b->memory, nodes[i].number);
	for (i = 0; i < m->count; i++) {
		node = m->cpus[i].group[MACHINE_NODE];
		if (node >= first && node < end)
			bind_cpu(b, m, &m->cpus[i]);
	}
}

static void
choose_close(const struct machine *m, int place, struct binding *b)
{
	int i;

	for (i = 0; i < m->count; i++)
		if (m->cores > 0 && m->cpus[i].core == place % m->cores)
			bind_cpu(b, m, &m->cpus[i]);
}

/* Choose the core at that place, taking one from each group in turn and
   skipping exhausted groups: sockets of three cores and one core give A0 B0 A1
   A2.  If no groups are known, all is one group. */
static void
choose_scattered(const struct machine *m, enum machine_level level, int place,
    struct binding *b)
{
	const struct machine_domain *groups = m->groups[level];
	int group, rank = 0, total = 0, i;

	for (group = 0; group < m->group_count[level]; group++)
		total += groups[group].cores;
	if (total == 0) {
		choose_close(m, place, b);
		return;
	}
	place %= total;
	for (group = 0; groups[group].cores <= rank || place-- > 0;)
		if (++group == m->group_count[level]) {
			group = 0;
			rank++;
		}
	for (i = 0; i < m->count; i++)
		if (m->cpus[i].group[level] == group &&
		    m->cpus[i].rank[level] == rank)
			bind_cpu(b, m, &m->cpus[i]);
}

void
binding_choose(const struct machine *m, enum binding_policy policy, int index,
    int count, struct binding *b)
{
	memset(b, 0, sizeof(*b));
	switch (policy) {
	case BINDING_SPREADNUMA:
		choose_nodes(m, index, count, b);
		break;
	case BINDING_SCATTERSOCKET:
		choose_scattered(m, MACHINE_SOCKET, index, b);
		break;
	case BINDING_SCATTERNUMA:
		choose_scattered(m, MACHINE_NODE, index, b);
		break;
	case BINDING_CLOSE:
		choose_close(m, index, b);
		break;
	case BINDING_NONE:
		break;
	}
}

/* Prefer several nodes: the kernel takes the nearest with free memory.  Older
   kernels lack that, but do so anyway with the nodes that the process runs on;
   their policy for one node would draw all memory there. */
static void
prefer_memory(const struct number_set *nodes)
{
	const int policy = number_set_count(nodes) == 1 ?
	    POLICY_PREFERRED :
	    POLICY_PREFERRED_MANY;
	int now = POLICY_DEFAULT;

	if (syscall(SYS_get_mempolicy, &now, NULL, 0UL, NULL, 0UL) != 0 ||
	    now != POLICY_DEFAULT)
		return;
	(void)syscall(SYS_set_mempolicy, policy, nodes->words,
	    (unsigned long)NUMBER_SET_SIZE);
}

void
binding_apply(const struct binding *b)
{
	if (!number_set_is_empty(&b->cpus))
		(void)syscall(SYS_sched_setaffinity, 0L, sizeof(b->cpus),
		    &b->cpus);
	if (!number_set_is_empty(&b->memory))
		prefer_memory(&b->memory);
}

void
binding_choose_by_rule(const struct binding_rule *rule, int index,
    struct binding *b)
{
	const int *count = rule->counts != NULL ? rule->counts : &rule->count;

	while (index >= *count) {
		index -= *count;
		if (rule->counts != NULL)
			count++;
	}
	binding_choose(rule->machine, rule->policy, index, *count, b);
}

void
binding_apply_rule(const struct binding_rule *rule, int index)
{
	struct binding b;

	binding_choose_by_rule(rule, index, &b);
	binding_apply(&b);
}

char *
binding_text(const struct binding *b)
{
	struct memstream m;

	if (number_set_is_empty(&b->cpus))
		return NULL;
	number_set_print(memstream_open(&m), &b->cpus);
	if (!number_set_is_empty(&b->nodes)) {
		fprintf(m.file, " (NUMA node%s ",
		    number_set_count(&b->nodes) == 1 ? "" : "s");
		number_set_print(m.file, &b->nodes);
		fprintf(m.file, ")");
	}
	return memstream_close(&m, NULL);
}
