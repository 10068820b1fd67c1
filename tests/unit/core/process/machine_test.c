/* core/process/machine: what is read of machines of many kinds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "tests/unit/sys_util.h"
#include "tests/unit/tap.h"

/*
 * Each processor as NUMBER:SOCKET.NODE.CORE in the machine's order, the node's
 * number as the kernel counts, '-' where it is in none; then nodes with their
 * cores, and '!' behind one without memory.
 */
static char *
describe(const struct machine *m)
{
	const struct machine_domain *nodes = m->groups[MACHINE_NODE];
	const struct machine_cpu *c;
	struct memstream s;
	int i;

	(void)memstream_open(&s);
	for (c = m->cpus; c < m->cpus + m->count; c++) {
		fprintf(s.file, "%s%d:%d.", c > m->cpus ? " " : "", c->number,
		    c->group[MACHINE_SOCKET]);
		if (c->group[MACHINE_NODE] == -1)
			fprintf(s.file, "-");
		else
			fprintf(s.file, "%d",
			    nodes[c->group[MACHINE_NODE]].number);
		fprintf(s.file, ".%d", c->core);
	}
	for (i = 0; i < m->group_count[MACHINE_NODE]; i++)
		fprintf(s.file, "%s%d=%d%s", i == 0 ? " | " : " ",
		    nodes[i].number, nodes[i].cores,
		    nodes[i].memory ? "" : "!");
	return memstream_close(&s, NULL);
}

static const struct row {
	const char *name;
	const char *machine; /* sys_make() */
	int lacks;
	const char *allowed; /* NULL: all */
	const char *wanted;
} rows[] = {
	{ "one processor", "[{0}]", 0, NULL, "0:0.0.0 | 0=1" },
	{ "one socket of two cores", "[{0 1}]", 0, NULL,
	    "0:0.0.0 1:0.0.1 | 0=2" },
	{ "threads, numbered in a second round", "[{0,4 1,5}][{2,6 3,7}]", 0,
	    NULL,
	    "0:0.0.0 4:0.0.0 1:0.0.1 5:0.0.1 2:1.1.2 6:1.1.2 3:1.1.3 7:1.1.3 | "
	    "0=2 1=2" },
	{ "threads that are neighbours", "[{0,1 2,3}]", 0, NULL,
	    "0:0.0.0 1:0.0.0 2:0.0.1 3:0.0.1 | 0=2" },
	{ "numbers that alternate", "[{0 2 4}][{1 3 5}]", 0, NULL,
	    "0:0.0.0 2:0.0.1 4:0.0.2 1:1.1.3 3:1.1.4 5:1.1.5 | 0=3 1=3" },
	{ "the older names of the lists", "[{0,2}][{1,3}]", SYS_LACKS_NEW_NAMES,
	    NULL, "0:0.0.0 2:0.0.0 1:1.1.1 3:1.1.1 | 0=1 1=1" },
	{ "offline processors", "[{0,!4 !1,!5}][{2,6 3,!7}]", 0, NULL,
	    "0:0.0.0 2:1.1.1 6:1.1.1 3:1.1.2 | 0=1 1=2" },
	{ "a first thread that is offline", "[{!0,2 1,3}]", 0, NULL,
	    "1:0.0.0 3:0.0.0 2:0.0.1 | 0=2" },
	{ "some are not for us", "[{0,4 1,5}][{2,6 3,7}]", 0, "1,4-7",
	    "1:0.0.0 5:0.0.0 4:0.0.1 6:1.1.2 7:1.1.3 | 0=2 1=2" },
	{ "a node that is not for us", "[{0 1}][{2 3}]", 0, "2-3",
	    "2:0.1.0 3:0.1.1 | 1=2" },
	{ "allowed, and not there", "[{0 1}]", 0, "1,7", "1:0.0.0 | 0=1" },
	{ "nothing is for us", "[{0 1}]", 0, "7", "" },
	{ "no NUMA nodes", "[0,2 1,3]", SYS_LACKS_NODES, NULL,
	    "0:0.-.0 2:0.-.0 1:0.-.1 3:0.-.1" },
	{ "no topology", "[{0,2}][{1,3}]", SYS_LACKS_TOPOLOGY, NULL,
	    "0:0.0.0 2:0.0.1 1:0.1.2 3:0.1.3 | 0=2 1=2" },
	{ "neither", "[{0,2}][{1,3}]", SYS_LACKS_TOPOLOGY | SYS_LACKS_NODES,
	    NULL, "0:0.-.0 1:0.-.1 2:0.-.2 3:0.-.3" },
	{ "a node of memory alone", "[{0 1}{2 3}]{}", 0, NULL,
	    "0:0.0.0 1:0.0.1 2:0.1.2 3:0.1.3 | 0=2 1=2" },
	{ "a node without memory", "[{0 1}{:2 3}]", 0, NULL,
	    "0:0.0.0 1:0.0.1 2:0.1.2 3:0.1.3 | 0=2 1=2!" },
	{ "one node, and that without memory", "[{:0}]", 0, NULL,
	    "0:0.0.0 | 0=1!" },
	{ "nothing says who has memory", "[{0}{1}]", SYS_LACKS_HAS_MEMORY, NULL,
	    "0:0.0.0 1:0.1.1 | 0=1 1=1" },
	{ "nodes with holes in their numbers", "[2{0 1}][9{2 3}]", 0, NULL,
	    "0:0.2.0 1:0.2.1 2:1.9.2 3:1.9.3 | 2=2 9=2" },
	{ "processors with holes in their numbers", "[{3 70}][{64 8000}]", 0,
	    NULL, "3:0.0.0 70:0.0.1 64:1.1.2 8000:1.1.3 | 0=2 1=2" },
	{ "a processor in no node", "[{0}{1} 2]", 0, NULL,
	    "2:0.-.0 0:0.0.1 1:0.1.2 | 0=1 1=1" },
	{ "one node over two sockets", "[0{0 1}][0{2 3}]", 0, NULL,
	    "0:0.0.0 1:0.0.1 2:1.0.2 3:1.0.3 | 0=4" },
	{ "two sockets of four nodes each",
	    "[{0 1}{2 3}{4 5}{6 7}][{8 9}{10 11}{12 13}{14 15}]", 0, "1-14",
	    "1:0.0.0 2:0.1.1 3:0.1.2 4:0.2.3 5:0.2.4 6:0.3.5 7:0.3.6 8:1.4.7 "
	    "9:1.4.8 10:1.5.9 11:1.5.10 12:1.6.11 13:1.6.12 14:1.7.13 | 0=1 "
	    "1=2 2=2 3=2 4=2 5=2 6=2 7=1" },
};

static void
check_rows(void)
{
	struct number_set allowed;
	const struct row *r;
	struct machine m;
	char *got;

	for (r = rows; r < rows + ARRAY_SIZE(rows); r++) {
		if (r->allowed != NULL)
			allowed = sys_set(r->allowed);
		machine_read(&m, sys_make(r->machine, r->lacks),
		    r->allowed != NULL ? &allowed : NULL, MACHINE_CORES);
		got = describe(&m);
		is_str(got, r->wanted, r->name);
		free(got);
		machine_release(&m);
	}
}

/* Without the cores: nodes, and the processors by their numbers. */
static void
check_nodes_alone(void)
{
	struct machine m;
	char *got;

	machine_read(&m, sys_make("[{0,4 2,6}][{1,5 3,7}]", 0), NULL,
	    MACHINE_NODES);
	got = describe(&m);
	is_str(got,
	    "0:0.0.0 1:0.1.0 2:0.0.0 3:0.1.0 4:0.0.0 5:0.1.0 6:0.0.0 7:0.1.0 | "
	    "0=0 1=0",
	    "nodes alone");
	free(got);
	machine_release(&m);
}

/* A host that shows nothing has the processors that the kernel lets us use. */
static void
check_nothing(void)
{
	struct number_set allowed = sys_set("4,6-7");
	struct machine m;
	char *got;

	machine_read(&m, tap_directory(), &allowed, MACHINE_CORES);
	got = describe(&m);
	is_str(got, "4:0.-.0 6:0.-.1 7:0.-.2", "no /sys");
	free(got);
	machine_release(&m);
	machine_read(&m, tap_directory(), NULL, MACHINE_CORES);
	is_int(m.count, 0, "no /sys, and nobody says what is allowed");
	is_int(m.cores, 0, "and no cores");
	machine_release(&m);
}

/* More processors than cpu_set_t holds: two sockets of 1024 cores. */
static void
check_many(void)
{
	struct memstream s;
	struct machine m;
	char *text;
	int i, cores = 1024;

	(void)memstream_open(&s);
	for (i = 0; i < 2 * cores; i++)
		fprintf(s.file, "%s%d,%d",
		    i % cores == 0 ? i == 0 ? "[{" : "}][{" : " ", i,
		    i + 2 * cores);
	fprintf(s.file, "}]");
	text = memstream_close(&s, NULL);
	machine_read(&m, sys_make(text, 0), NULL, MACHINE_CORES);
	is_int(m.count, 4 * cores, "4096 processors");
	is_int(m.cores, 2 * cores, "2048 cores");
	is_int(m.groups[MACHINE_NODE][1].cores, cores, "1024 of one node");
	is_int(m.cpus[m.count - 1].number, 4 * cores - 1, "the last one");
	is_int(m.cpus[m.count - 1].first, 2 * cores - 1, "and its core");
	machine_release(&m);
	free(text);
}

/* This one, whatever it is: no processor is forgotten. */
static void
check_own(void)
{
	struct machine m;

	machine_read_own(&m, MACHINE_CORES);
	ok(m.count >= 1 && m.cores >= 1 && m.cores <= m.count, "this machine");
	ok(m.group_count[MACHINE_SOCKET] >= 1, "it has a socket");
	machine_release(&m);
}

int
main(void)
{
	check_rows();
	check_nodes_alone();
	check_nothing();
	check_many();
	check_own();
	sys_remove();
	return tap_done();
}
