/* core/process/binding: who runs where, by each policy on many machines. */
#include <sys/syscall.h>
#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "tests/unit/sys_util.h"
#include "tests/unit/tap.h"

static const char *const policies[] = { "spreadnuma", "scattersocket",
	"scatternuma", "close", "disabled" };

/* What each of `count` processes gets, with " | " between; "-": nothing. */
static char *
describe(const struct machine *m, enum binding_policy policy, int count)
{
	struct memstream s;
	struct binding b;
	char *text;
	int i;

	(void)memstream_open(&s);
	for (i = 0; i < count; i++) {
		binding_choose(m, policy, i, count, &b);
		text = binding_text(&b);
		fprintf(s.file, "%s%s", i > 0 ? " | " : "",
		    text != NULL ? text : "-");
		free(text);
	}
	return memstream_close(&s, NULL);
}

/* Machines: two nodes with threads; two sockets of two nodes, whose processors
   alternate; two sockets of four nodes; sockets of three cores and one. */
#define TWO "[{0,4 1,5}][{2,6 3,7}]"
#define FOUR "[{0 4}{2 6}][{1 5}{3 7}]"
#define EIGHT "[{0 1}{2 3}{4 5}{6 7}][{8 9}{10 11}{12 13}{14 15}]"
#define UNEVEN "[{0 1 2}][{3}]"

static const struct row {
	const char *machine;
	int lacks;
	const char *allowed; /* NULL: all */
	enum binding_policy policy;
	int count;
	const char *wanted;
} rows[] = {
	/* one process gets all there is, which nobody has to say */
	{ TWO, 0, NULL, BINDING_SPREADNUMA, 1, "-" },
	{ TWO, 0, NULL, BINDING_SPREADNUMA, 2,
	    "0-1,4-5 (NUMA node 0) | 2-3,6-7 (NUMA node 1)" },
	{ TWO, 0, NULL, BINDING_SPREADNUMA, 3,
	    "0-1,4-5 (NUMA node 0) | 0-1,4-5 (NUMA node 0) | 2-3,6-7 (NUMA "
	    "node 1)" },
	{ TWO, 0, NULL, BINDING_SPREADNUMA, 5,
	    "0-1,4-5 (NUMA node 0) | 0-1,4-5 (NUMA node 0) | 0-1,4-5 (NUMA "
	    "node 0) | 2-3,6-7 (NUMA node 1) | 2-3,6-7 (NUMA node 1)" },
	{ FOUR, 0, NULL, BINDING_SPREADNUMA, 2,
	    "0,2,4,6 (NUMA nodes 0-1) | 1,3,5,7 (NUMA nodes 2-3)" },
	{ FOUR, 0, NULL, BINDING_SPREADNUMA, 3,
	    "0,4 (NUMA node 0) | 2,6 (NUMA node 1) | 1,3,5,7 (NUMA nodes "
	    "2-3)" },
	{ FOUR, 0, NULL, BINDING_SPREADNUMA, 4,
	    "0,4 (NUMA node 0) | 2,6 (NUMA node 1) | 1,5 (NUMA node 2) | 3,7 "
	    "(NUMA node 3)" },
	{ EIGHT, 0, NULL, BINDING_SPREADNUMA, 3,
	    "0-3 (NUMA nodes 0-1) | 4-9 (NUMA nodes 2-4) | 10-15 (NUMA nodes "
	    "5-7)" },
	{ EIGHT, 0, NULL, BINDING_SPREADNUMA, 4,
	    "0-3 (NUMA nodes 0-1) | 4-7 (NUMA nodes 2-3) | 8-11 (NUMA nodes "
	    "4-5) | 12-15 (NUMA nodes 6-7)" },
	{ "[{0 1 2 3}]", 0, NULL, BINDING_SPREADNUMA, 2, "- | -" },
	{ "[0 1][2 3]", SYS_LACKS_NODES, NULL, BINDING_SPREADNUMA, 2, "- | -" },
	/* what remains for us of the machine is one node */
	{ TWO, 0, "2-3,6", BINDING_SPREADNUMA, 2, "- | -" },
	{ TWO, 0, "1-2,6", BINDING_SPREADNUMA, 2,
	    "1 (NUMA node 0) | 2,6 (NUMA node 1)" },
	{ "[{0 1}{2 3}]{}", 0, NULL, BINDING_SPREADNUMA, 2,
	    "0-1 (NUMA node 0) | 2-3 (NUMA node 1)" },
	{ "[2{0 1}][9{2 3}]", 0, NULL, BINDING_SPREADNUMA, 2,
	    "0-1 (NUMA node 2) | 2-3 (NUMA node 9)" },
	{ TWO, SYS_LACKS_TOPOLOGY, NULL, BINDING_SPREADNUMA, 2,
	    "0-1,4-5 (NUMA node 0) | 2-3,6-7 (NUMA node 1)" },

	{ TWO, 0, NULL, BINDING_CLOSE, 6,
	    "0,4 (NUMA node 0) | 1,5 (NUMA node 0) | 2,6 (NUMA node 1) | 3,7 "
	    "(NUMA node 1) | 0,4 (NUMA node 0) | 1,5 (NUMA node 0)" },
	{ TWO, 0, NULL, BINDING_SCATTERSOCKET, 6,
	    "0,4 (NUMA node 0) | 2,6 (NUMA node 1) | 1,5 (NUMA node 0) | 3,7 "
	    "(NUMA node 1) | 0,4 (NUMA node 0) | 2,6 (NUMA node 1)" },
	{ FOUR, 0, NULL, BINDING_CLOSE, 5,
	    "0 (NUMA node 0) | 4 (NUMA node 0) | 2 (NUMA node 1) | 6 (NUMA "
	    "node 1) | 1 (NUMA node 2)" },
	{ FOUR, 0, NULL, BINDING_SCATTERSOCKET, 4,
	    "0 (NUMA node 0) | 1 (NUMA node 2) | 4 (NUMA node 0) | 5 (NUMA "
	    "node 2)" },
	{ FOUR, 0, NULL, BINDING_SCATTERNUMA, 5,
	    "0 (NUMA node 0) | 2 (NUMA node 1) | 1 (NUMA node 2) | 3 (NUMA "
	    "node 3) | 4 (NUMA node 0)" },
	{ UNEVEN, 0, NULL, BINDING_SCATTERSOCKET, 6,
	    "0 (NUMA node 0) | 3 (NUMA node 1) | 1 (NUMA node 0) | 2 (NUMA "
	    "node 0) | 0 (NUMA node 0) | 3 (NUMA node 1)" },
	{ UNEVEN, 0, "1-3", BINDING_SCATTERNUMA, 3,
	    "1 (NUMA node 0) | 3 (NUMA node 1) | 2 (NUMA node 0)" },
	{ "[{0,2 1,3}]", 0, "1-2", BINDING_CLOSE, 3,
	    "1 (NUMA node 0) | 2 (NUMA node 0) | 1 (NUMA node 0)" },
	{ "[0,2 1,3]", SYS_LACKS_NODES, NULL, BINDING_SCATTERNUMA, 3,
	    "0,2 | 1,3 | 0,2" },
	{ "[0,2][1,3]", SYS_LACKS_TOPOLOGY | SYS_LACKS_NODES, NULL,
	    BINDING_SCATTERSOCKET, 3, "0 | 1 | 2" },
	{ "[{0}]", 0, NULL, BINDING_SCATTERSOCKET, 2,
	    "0 (NUMA node 0) | 0 (NUMA node 0)" },
	{ "[{0 1}]", 0, "7", BINDING_CLOSE, 2, "- | -" },
	{ "[{0 1}]", 0, "7", BINDING_SCATTERNUMA, 2, "- | -" },
	{ TWO, 0, NULL, BINDING_NONE, 2, "- | -" },
};

static void
check_rows(void)
{
	struct number_set allowed;
	const struct row *r;
	struct machine m;
	char *got, name[128];

	for (r = rows; r < rows + ARRAY_SIZE(rows); r++) {
		if (r->allowed != NULL)
			allowed = sys_set(r->allowed);
		machine_read(&m, sys_make(r->machine, r->lacks),
		    r->allowed != NULL ? &allowed : NULL,
		    binding_detail(r->policy));
		got = describe(&m, r->policy, r->count);
		(void)snprintf(name, sizeof(name), "%s of %d on %s",
		    policies[r->policy], r->count, r->machine);
		is_str(got, r->wanted, name);
		free(got);
		machine_release(&m);
	}
}

static void
add_all(struct number_set *to, const struct number_set *from)
{
	int n;

	for (n = number_set_next(from, 0); n != -1;
	     n = number_set_next(from, n + 1))
		number_set_add(to, n);
}

/* Nobody runs elsewhere than the machine says, or nowhere; a core that is
   given is given with all its threads. */
static bool
is_sound(const struct machine *m, enum binding_policy policy,
    const struct binding *b)
{
	int i, cpus = 0, cores = 0, core = -1;

	for (i = 0; i < m->count; i++) {
		if (!number_set_has(&b->cpus, m->cpus[i].number))
			continue;
		cpus++;
		if (m->cpus[i].core != core)
			cores++;
		core = m->cpus[i].core;
	}
	if (cpus == 0 || cpus != number_set_count(&b->cpus))
		return false;
	for (i = 0; i < m->count && policy != BINDING_SPREADNUMA; i++)
		cpus -= m->cpus[i].core == core;
	return policy == BINDING_SPREADNUMA ||
	    (cores == 1 && cpus == 0 && number_set_is_empty(&b->memory));
}

/*
 * What holds on every machine: all that is there is used as far as there are
 * processes for it, and shared only where there are too many of them.
 */
static void
check_invariants(const struct machine *m, enum binding_policy policy, int count,
    const char *name)
{
	const int nodes = m->group_count[MACHINE_NODE];
	const bool spread = policy == BINDING_SPREADNUMA;
	const int parts = spread ? nodes : m->cores;
	struct number_set all = { { 0 } };
	struct binding b;
	bool sound = true;
	int i, sum = 0;

	for (i = 0; i < count; i++) {
		binding_choose(m, policy, i, count, &b);
		if (spread && (nodes < 2 || count == 1)) {
			sound = sound && number_set_is_empty(&b.cpus) &&
			    number_set_is_empty(&b.memory);
			continue;
		}
		sound = sound && is_sound(m, policy, &b);
		sum += number_set_count(&b.cpus);
		add_all(&all, &b.cpus);
	}
	if (spread && (nodes < 2 || count == 1))
		sum = 0;
	else if (count <= parts)
		sound = sound && sum == number_set_count(&all);
	if (sum > 0 && (spread || count >= parts))
		sound = sound && number_set_count(&all) == m->count;
	ok(sound, name);
}

/* Each policy with 1 to N + 3 processes, on each machine as it is and with
   every third processor taken away. */
static void
check_grid(void)
{
	static const char *const machines[] = { "[{0}]", "[{0 1}]",
		"[{0,1 2,3}]", TWO, FOUR, EIGHT, UNEVEN,
		"[{0 1 2 3}][{4 5 6 7}][{8 9 10 11}][{12 13 14 15}]",
		"[{0,16 4,20}][{1,17 5,21}][{2,18 6,22}][{3,19 7,23}]",
		"[{0,!9 1}{2 !3,4}]7{}", "[{0}{1}{2}][{3}{4}]" };
	struct number_set some = { { 0 } };
	struct machine m;
	enum binding_policy policy;
	const char *root;
	char name[128];
	size_t k;
	int n, part;

	for (n = 0; n < NUMBER_SET_SIZE; n++)
		if (n % 3 != 1)
			number_set_add(&some, n);
	for (k = 0; k < 2 * ARRAY_SIZE(machines); k++) {
		part = k % 2 == 1;
		root = sys_make(machines[k / 2], 0);
		machine_read(&m, root, part ? &some : NULL, MACHINE_CORES);
		for (policy = BINDING_SPREADNUMA; policy < BINDING_NONE;
		     policy++)
			for (n = 1; n <= m.count + 3; n++) {
				(void)snprintf(name, sizeof(name),
				    "%s of %d on %s%s", policies[policy], n,
				    machines[k / 2], part ? ", a part" : "");
				check_invariants(&m, policy, n, name);
			}
		machine_release(&m);
	}
}

/* Memory is preferred on those of the nodes that have some. */
static void
check_memory(void)
{
	struct machine m;
	struct binding b;

	machine_read(&m, sys_make("[{0}{:1}][{:2}{:3}]", 0), NULL,
	    MACHINE_NODES);
	binding_choose(&m, BINDING_SPREADNUMA, 0, 2, &b);
	is_int(number_set_count(&b.nodes), 2, "two nodes");
	is_int(number_set_count(&b.memory), 1, "one of them has memory");
	is_int(number_set_next(&b.memory, 0), 0, "the first");
	binding_choose(&m, BINDING_SPREADNUMA, 1, 2, &b);
	ok(number_set_is_empty(&b.memory), "nodes without memory");
	machine_release(&m);
}

/* What cannot be: a core whose first thread is in no node, so that its node has
   no core; and cores that were not read. */
static void
check_odd(void)
{
	struct machine_domain node = { .number = 3, .cores = 0 };
	struct machine_cpu cpus[] = {
		{ .number = 0, .first = 0, .group = { 0, -1 } },
		{ .number = 1, .first = 0, .group = { 0, -1 } },
	};
	struct machine m = { .cpus = cpus,
		.count = 2,
		.cores = 1,
		.groups = { NULL, &node },
		.group_count = { 0, 1 } };
	char *got = describe(&m, BINDING_SCATTERNUMA, 2);

	is_str(got, "0-1 | 0-1", "a node without a core");
	free(got);
	m.cores = 0;
	got = describe(&m, BINDING_CLOSE, 2);
	is_str(got, "- | -", "cores that were not read");
	free(got);
}

/* What the system says of this process: its processors, its memory policy. */
static void
own_state(struct number_set *cpus, int *policy, struct number_set *nodes)
{
	memset(cpus, 0, sizeof(*cpus));
	memset(nodes, 0, sizeof(*nodes));
	*policy = -1;
	(void)syscall(SYS_sched_getaffinity, 0L, sizeof(*cpus), cpus);
	(void)syscall(SYS_get_mempolicy, policy, nodes->words,
	    (unsigned long)NUMBER_SET_SIZE, NULL, 0UL);
}

/*
 * In a process of its own: bound to one processor and one node it is there; a
 * policy for memory that somebody chose stays, and processors that are not
 * there change nothing.
 */
static int
apply_here(void)
{
	enum { PREFERRED = 1, BIND = 2 };
	struct number_set cpus, nodes, before, absent = { { 0 } };
	struct binding b = { .cpus = { { 0 } } };
	int policy, cpu;

	own_state(&before, &policy, &nodes);
	number_set_add(&absent, NUMBER_SET_SIZE - 1);
	binding_apply(&(struct binding){ .cpus = absent, .memory = absent });
	own_state(&cpus, &policy, &nodes);
	if (memcmp(&cpus, &before, sizeof(cpus)) != 0 || policy != 0)
		return 1;
	for (cpu = -1; number_set_next(&before, cpu + 1) != -1;)
		cpu = number_set_next(&before, cpu + 1);
	number_set_add(&b.cpus, cpu);
	number_set_add(&b.memory, 0);
	binding_apply(&b);
	own_state(&cpus, &policy, &nodes);
	if (memcmp(&cpus, &b.cpus, sizeof(cpus)) != 0 || policy != PREFERRED ||
	    memcmp(&nodes, &b.memory, sizeof(nodes)) != 0)
		return 2;
	if (syscall(SYS_set_mempolicy, BIND, b.memory.words,
		(unsigned long)NUMBER_SET_SIZE) != 0)
		return 3;
	binding_apply(&b);
	own_state(&cpus, &policy, &nodes);
	return policy == BIND ? 0 : 4;
}

static void
check_apply(void)
{
	int status = -1;
	pid_t pid;

	if (syscall(SYS_set_mempolicy, 0, NULL, 0UL) != 0) {
		tap_skip("binding_apply", "no memory policies here");
		return;
	}
	if ((pid = fork()) == 0)
		_exit(apply_here());
	(void)waitpid(pid, &status, 0);
	is_int(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0,
	    "binding_apply");
}

int
main(void)
{
	check_rows();
	check_grid();
	check_memory();
	check_odd();
	check_apply();
	sys_remove();
	return tap_done();
}
