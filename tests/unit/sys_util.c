/* Trees like /sys, from a line that describes a machine. */
#include "tests/unit/sys_util.h"

#include <sys/stat.h>

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { SYS_GROUPS_MAX = 512 };

/* A description, read. */
struct sys {
	struct number_set online;
	struct number_set sockets[SYS_GROUPS_MAX];
	struct number_set nodes[SYS_GROUPS_MAX];  /* by their numbers */
	struct number_set cores[NUMBER_SET_SIZE]; /* by each of theirs */
	struct number_set with_node, with_memory;
	int socket, node; /* now; -1: none */
};

static struct sys sys;
static char root[256];

static void
sys_fail(const char *what)
{
	fprintf(stderr, "sys_make: %s\n", what);
	exit(1);
}

struct number_set
sys_set(const char *list)
{
	struct number_set s;

	if (number_set_parse(&s, list) != 0)
		sys_fail(list);
	return s;
}

/* The file of that path below root, and the directories above it. */
static void __attribute__((format(printf, 2, 3)))
sys_write(const struct number_set *set, const char *format, ...)
{
	va_list ap;
	char *name, *path, *slash;
	FILE *f;

	va_start(ap, format);
	name = xvasprintf(format, ap);
	va_end(ap);
	path = xasprintf("%s/devices/system/%s", root, name);
	for (slash = strchr(path + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST)
			sys_fail(path);
		*slash = '/';
	}
	if ((f = fopen(path, "w")) == NULL)
		sys_fail(path);
	number_set_print(f, set);
	fputc('\n', f);
	if (fclose(f) != 0)
		sys_fail(path);
	free(path);
	free(name);
}

/* Decimal digits, and -1 where there are none. */
static int
sys_take_number(const char **p)
{
	int n = 0;

	if (!isdigit((unsigned char)**p))
		return -1;
	for (; isdigit((unsigned char)**p); (*p)++)
		n = n * 10 + (**p - '0');
	return n;
}

/* "0,8,!16": the next core. */
static const char *
sys_take_core(const char *p)
{
	struct number_set core = { { 0 } };
	bool online;
	int n;

	do {
		p += *p == ',';
		online = *p != '!';
		p += !online;
		if ((n = sys_take_number(&p)) == -1)
			sys_fail(p);
		if (!online)
			continue;
		number_set_add(&core, n);
		number_set_add(&sys.online, n);
		number_set_add(&sys.sockets[sys.socket], n);
		if (sys.node != -1)
			number_set_add(&sys.nodes[sys.node], n);
	} while (*p == ',');
	for (n = number_set_next(&core, 0); n != -1;
	     n = number_set_next(&core, n + 1))
		sys.cores[n] = core;
	return p;
}

/* "{", "{:" or "5{". */
static const char *
sys_take_node(const char *p, int *last)
{
	sys.node = sys_take_number(&p);
	if (sys.node == -1)
		sys.node = *last + 1;
	*last = sys.node;
	number_set_add(&sys.with_node, sys.node);
	if (p[1] == ':')
		return p + 2;
	number_set_add(&sys.with_memory, sys.node);
	return p + 1;
}

static void
sys_read(const char *p)
{
	int last_node = -1, last_socket = -1;

	memset(&sys, 0, sizeof(sys));
	sys.node = -1;
	while (*p != '\0') {
		if (*p == '[')
			sys.socket = ++last_socket;
		if (*p == '}')
			sys.node = -1;
		if (*p == '{' ||
		    (isdigit((unsigned char)*p) &&
			p[strspn(p, "0123456789")] == '{'))
			p = sys_take_node(p, &last_node);
		else if (isdigit((unsigned char)*p) || *p == '!')
			p = sys_take_core(p);
		else
			p++;
	}
}

/* Neither list of an offline processor is there. */
static void
sys_write_topology(int lacks)
{
	const bool older = (lacks & SYS_LACKS_NEW_NAMES) != 0;
	int n, socket;

	for (n = number_set_next(&sys.online, 0); n != -1;
	     n = number_set_next(&sys.online, n + 1)) {
		for (socket = 0; !number_set_has(&sys.sockets[socket], n);)
			socket++;
		sys_write(&sys.cores[n], "cpu/cpu%d/topology/%s", n,
		    older ? "thread_siblings_list" : "core_cpus_list");
		sys_write(&sys.sockets[socket], "cpu/cpu%d/topology/%s", n,
		    older ? "core_siblings_list" : "package_cpus_list");
	}
}

const char *
sys_make(const char *machine, int lacks)
{
	static int count;
	int n;

	(void)snprintf(root, sizeof(root), "%s/sys%d", tap_directory(),
	    count++);
	sys_read(machine);
	sys_write(&sys.online, "cpu/online");
	if ((lacks & SYS_LACKS_TOPOLOGY) == 0)
		sys_write_topology(lacks);
	if ((lacks & SYS_LACKS_NODES) != 0)
		return root;
	sys_write(&sys.with_node, "node/online");
	if ((lacks & SYS_LACKS_HAS_MEMORY) == 0)
		sys_write(&sys.with_memory, "node/has_memory");
	for (n = number_set_next(&sys.with_node, 0); n != -1;
	     n = number_set_next(&sys.with_node, n + 1))
		sys_write(&sys.nodes[n], "node/node%d/cpulist", n);
	return root;
}

static int
sys_remove_one(const char *path, const struct stat *st, int kind,
    struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

void
sys_remove(void)
{
	(void)nftw(tap_directory(), sys_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
