/*
 * Reads the processors, cores, sockets and NUMA nodes that Linux shows.  Read
 * machine_read() at the end first.
 */
#include "core/process/binding.h"

#include <sys/syscall.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"

/* Lists of NUMBER_SET_SIZE numbers are shorter. */
enum { MACHINE_FILE_MAX = 64 * 1024 };

/* Read the list in a file below root/devices/system.  Returns false if it
   cannot be read. */
static bool __attribute__((format(printf, 3, 4)))
machine_list(struct number_set *out, const char *root, const char *format, ...)
{
	va_list ap;
	char *name, *path, *text;
	size_t size;
	bool found;

	va_start(ap, format);
	name = xvasprintf(format, ap);
	va_end(ap);
	path = xasprintf("%s/devices/system/%s", root, name);
	text = file_read(path, MACHINE_FILE_MAX, &size, NULL);
	found = text != NULL && number_set_parse(out, text) == 0;
	free(text);
	free(path);
	free(name);
	return found;
}

/* Read the processors that are online and allowed, in the order of their
   numbers. */
static void
read_cpus(struct machine *m, const char *root, const struct number_set *allowed)
{
	static const struct number_set none;
	struct number_set online;
	int n;

	if (!machine_list(&online, root, "cpu/online"))
		online = allowed != NULL ? *allowed : none;
	m->cpus = xcalloc((size_t)number_set_count(&online) + 1,
	    sizeof(*m->cpus));
	for (n = number_set_next(&online, 0); n != -1;
	     n = number_set_next(&online, n + 1))
		if (allowed == NULL || number_set_has(allowed, n))
			m->cpus[m->count++] = (struct machine_cpu){ .number = n,
				.group = { 0, -1 } };
}

/* Add a group and return its index. */
static int
add_group(struct machine *m, enum machine_level level, int number, bool memory)
{
	const int index = m->group_count[level]++;

	m->groups[level] = xreallocarray(m->groups[level], (size_t)index + 1,
	    sizeof(*m->groups[level]));
	m->groups[level][index] = (struct machine_domain){ .number = number,
		.memory = memory };
	return index;
}

/* Read which of the online nodes have usable processors; memory-only nodes
   belong to no process.  The list of a single node need not be read. */
static void
read_nodes(struct machine *m, const char *root, const struct number_set *online)
{
	const bool one = number_set_count(online) == 1;
	struct number_set memory, cpus;
	bool is_known;
	int i, n, index;

	is_known = machine_list(&memory, root, "node/has_memory");
	for (n = number_set_next(online, 0); n != -1;
	     n = number_set_next(online, n + 1)) {
		if (!one &&
		    !machine_list(&cpus, root, "node/node%d/cpulist", n))
			continue;
		index = -1;
		for (i = 0; i < m->count; i++) {
			if (!one && !number_set_has(&cpus, m->cpus[i].number))
				continue;
			if (index == -1)
				index = add_group(m, MACHINE_NODE, n,
				    !is_known || number_set_has(&memory, n));
			m->cpus[i].group[MACHINE_NODE] = index;
		}
	}
}

/* Read which processors share a socket.  Each list is read once, for its first
   processor; without lists all share one. */
static void
read_sockets(struct machine *m, const char *root)
{
	struct number_set cpus;
	const int none = -1;
	bool is_known;
	int i, k, index;

	for (i = 0; i < m->count; i++)
		m->cpus[i].group[MACHINE_SOCKET] = none;
	for (i = 0; i < m->count; i++) {
		if (m->cpus[i].group[MACHINE_SOCKET] != none)
			continue;
		is_known = machine_list(&cpus, root,
			       "cpu/cpu%d/topology/package_cpus_list",
			       m->cpus[i].number) ||
		    machine_list(&cpus, root,
			"cpu/cpu%d/topology/core_siblings_list",
			m->cpus[i].number);
		index = add_group(m, MACHINE_SOCKET,
		    m->group_count[MACHINE_SOCKET], false);
		m->cpus[i].group[MACHINE_SOCKET] = index;
		for (k = i + 1; k < m->count; k++)
			if (m->cpus[k].group[MACHINE_SOCKET] == none &&
			    (!is_known ||
				number_set_has(&cpus, m->cpus[k].number)))
				m->cpus[k].group[MACHINE_SOCKET] = index;
	}
}

/* Read which processors share a core, in the same way; they also share the
   groups of the first one. */
static void
read_threads(struct machine *m, const char *root)
{
	struct number_set cpus;
	struct machine_cpu *first, *c;
	int i;

	for (i = 0; i < m->count; i++)
		m->cpus[i].first = -1;
	for (i = 0; i < m->count; i++) {
		first = &m->cpus[i];
		if (first->first != -1)
			continue;
		first->first = first->number;
		if (!machine_list(&cpus, root,
			"cpu/cpu%d/topology/core_cpus_list", first->number) &&
		    !machine_list(&cpus, root,
			"cpu/cpu%d/topology/thread_siblings_list",
			first->number))
			continue;
		for (c = first + 1; c < m->cpus + m->count; c++) {
			if (c->first != -1 || !number_set_has(&cpus, c->number))
				continue;
			c->first = first->number;
			memcpy(c->group, first->group, sizeof(c->group));
		}
	}
}

static int
compare_cpus(const void *va, const void *vb)
{
	const struct machine_cpu *a = va, *b = vb;
	int level;

	for (level = 0; level < MACHINE_LEVELS; level++)
		if (a->group[level] != b->group[level])
			return a->group[level] - b->group[level];
	return a->first != b->first ? a->first - b->first :
				      a->number - b->number;
}

/* Number the cores in the order of `cpus`, so that neighbours share most, in
   total and within each group. */
static void
number_cores(struct machine *m)
{
	struct machine_cpu *c;
	int level, group;

	qsort(m->cpus, (size_t)m->count, sizeof(*m->cpus), compare_cpus);
	for (c = m->cpus; c < m->cpus + m->count; c++) {
		if (c > m->cpus && c->first == c[-1].first) {
			c->core = c[-1].core;
			memcpy(c->rank, c[-1].rank, sizeof(c->rank));
			continue;
		}
		c->core = m->cores++;
		for (level = 0; level < MACHINE_LEVELS; level++)
			if ((group = c->group[level]) != -1)
				c->rank[level] =
				    m->groups[level][group].cores++;
	}
}

void
machine_read(struct machine *m, const char *root,
    const struct number_set *allowed, enum machine_detail detail)
{
	struct number_set nodes = { { 0 } };

	memset(m, 0, sizeof(*m));
	(void)machine_list(&nodes, root, "node/online");
	if (detail == MACHINE_NODES && number_set_count(&nodes) < 2)
		return;
	read_cpus(m, root, allowed);
	read_nodes(m, root, &nodes);
	if (detail != MACHINE_CORES)
		return;
	read_sockets(m, root);
	read_threads(m, root);
	number_cores(m);
}

void
machine_release(struct machine *m)
{
	int level;

	for (level = 0; level < MACHINE_LEVELS; level++)
		free(m->groups[level]);
	free(m->cpus);
	memset(m, 0, sizeof(*m));
}

/* The system call takes a set of any size, but cpu_set_t has a fixed one. */
void
machine_read_own(struct machine *m, enum machine_detail detail)
{
	struct number_set allowed = { { 0 } };

	machine_read(m, "/sys",
	    syscall(SYS_sched_getaffinity, 0L, sizeof(allowed), &allowed) > 0 ?
		&allowed :
		NULL,
	    detail);
}
