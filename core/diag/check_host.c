/*
 * poprun --check: a host's resources for the job's processes.
 */
#include "core/diag/diag.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/state/state.h"

enum {
	MEBIBYTE = 1 << 20,
	LOCKED_LOW_BYTES = 8 << 20, /* Linux's default */
	PROCESSES_BESIDE = 8,
	PROCESSES_LOW = 16, /* per instance: threads count too */
	PORT_MAX = 65535,
	NUMBER_FILE_MAX = 64
};

/* Drivers of IPUs reached by RDMA lock the memory that they send. */
static void
check_host_locked_memory(struct diagnosis *d)
{
	struct rlimit limit;

	d->checking = "memlock";
	if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0)
		diagnosis_add(d, VERDICT_WARN,
		    "unknown: %s\tulimit -l shows it", strerror(errno));
	else if (limit.rlim_cur == RLIM_INFINITY)
		diagnosis_add(d, VERDICT_OK, "unlimited");
	else
		diagnosis_add(d,
		    limit.rlim_cur < LOCKED_LOW_BYTES ? VERDICT_WARN :
							VERDICT_OK,
		    "%" PRIu64 " KiB may be locked%s",
		    (uint64_t)limit.rlim_cur / 1024,
		    limit.rlim_cur < LOCKED_LOW_BYTES ?
			"\tset ulimit -l unlimited if IPUs are reached by "
			"RDMA" :
			"");
}

/* Without /dev/shm the job's directory is made elsewhere. */
static void
check_host_shared_memory(struct diagnosis *d)
{
	d->checking = "shared-memory";
	if (access("/dev/shm", F_OK) != 0)
		diagnosis_add(d, VERDICT_WARN,
		    "/dev/shm: %s; the instances share memory below TMPDIR or "
		    "/tmp\tmount a tmpfs there",
		    strerror(errno));
	else
		check_files_check_room(d, "shared memory", "/dev/shm");
}

static void
check_host_temporary(struct diagnosis *d)
{
	const char *directory = getenv("TMPDIR");

	d->checking = "temporary";
	check_files_check_room(d, "temporary files",
	    directory != NULL && directory[0] == '/' ? directory : "/tmp");
}

static void
check_host_state(struct diagnosis *d)
{
	struct state_paths paths;
	struct error e;

	d->checking = "state";
	if (paths_find(&paths, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL, "%s\tvipu doctor says more",
		    e.text);
	else
		check_files_check_room(d, "state directory", paths.directory);
}

static void
check_host_open_files(const struct check_load *l, struct diagnosis *d)
{
	const rlim_t wanted = (rlim_t)l->files;
	struct rlimit limit;

	d->checking = "open-files";
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		diagnosis_add(d, VERDICT_WARN,
		    "unknown: %s\tulimit -Hn shows the limit", strerror(errno));
	else if (limit.rlim_max < wanted)
		diagnosis_add(d, VERDICT_FAIL,
		    "%" PRIu64 " files may be open, %d instances need %" PRIu64
		    "\traise ulimit -Hn, or use fewer instances",
		    (uint64_t)limit.rlim_max, l->outputs, (uint64_t)wanted);
	else
		diagnosis_add(d, VERDICT_OK,
		    "%" PRIu64 " may be open, at most %" PRIu64 " are needed",
		    (uint64_t)limit.rlim_max, (uint64_t)wanted);
}

/* Return a number from a file of the control group, or -1. */
static long long
group_number(const char *path)
{
	size_t size;
	char *text = file_read(path, NUMBER_FILE_MAX, &size, NULL);
	long long number = -1;

	if (text != NULL) {
		text[strcspn(text, "\n")] = '\0';
		if (parse_number(path, text, 0, INT64_MAX, &number, NULL) != 0)
			number = -1;
	}
	free(text);
	return number;
}

/* Return how many more processes this user may start, at most: the user's limit
   includes those that run already.  -1: unlimited. */
static long long
processes_left(void)
{
	struct rlimit limit;
	long long max = group_number("/sys/fs/cgroup/pids.max");
	long long now = group_number("/sys/fs/cgroup/pids.current");
	long long left = max >= 0 && now >= 0 ? max - now : -1;

	/* Root is exempt from its limit. */
	if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY &&
	    (left == -1 || (long long)limit.rlim_cur < left))
		left = (long long)limit.rlim_cur;
	return left;
}

static void
check_host_processes(const struct check_load *l, struct diagnosis *d)
{
	const int n = l->instances;
	const long long left = processes_left();

	d->checking = "processes";
	if (left == -1)
		diagnosis_add(d, VERDICT_OK, "unlimited");
	else if (left < 2LL * n + PROCESSES_BESIDE)
		diagnosis_add(d, VERDICT_FAIL,
		    "%lld more may be started, too few for %d instances\traise "
		    "ulimit -u, or pids.max of the control group",
		    left, n);
	else
		diagnosis_add(d,
		    left < (long long)n * PROCESSES_LOW ? VERDICT_WARN :
							  VERDICT_OK,
		    "%lld more may be started%s", left,
		    left < (long long)n * PROCESSES_LOW ?
			", and the instances' threads count too\traise ulimit "
			"-u, or pids.max of the control group" :
			"");
}

static void
check_host_cores(const struct check_load *l, struct diagnosis *d)
{
	const int n = l->instances;
	cpu_set_t set;
	int cores;

	d->checking = "cores";
	if (sched_getaffinity(0, sizeof(set), &set) != 0) {
		diagnosis_add(d, VERDICT_WARN, "unknown: %s\tnproc shows them",
		    strerror(errno));
		return;
	}
	cores = CPU_COUNT(&set);
	diagnosis_add(d, n > cores ? VERDICT_WARN : VERDICT_OK,
	    "%d for %d instance%s%s", cores, n, n == 1 ? "" : "s",
	    n > cores ? "\tinstances that share a core wait for each other; "
			"use fewer, or more hosts" :
			"");
}

/* Try to listen on that port of this host. */
static int
bind_port(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int status;

	if (fd == -1)
		return -1;
	address.sin_addr.s_addr = htonl(INADDR_ANY);
	address.sin_port = htons((uint16_t)port);
	status = bind(fd, (struct sockaddr *)&address, sizeof(address));
	(void)close(fd);
	return status;
}

static void
check_host_port(struct diagnosis *d)
{
	const char *given = getenv("MASTER_PORT");
	long long port = 0;
	struct error e;

	d->checking = "port";
	if (given != NULL &&
	    parse_number("MASTER_PORT", given, 1, PORT_MAX, &port, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL, "%s\tunset it", e.text);
	else if (bind_port((int)port) != 0)
		diagnosis_add(d, given != NULL ? VERDICT_FAIL : VERDICT_WARN,
		    given != NULL ? "MASTER_PORT %lld: %s\tunset it: poprun "
				    "takes a free one" :
				    "cannot bind a port (%lld): "
				    "%s\ttorch.distributed needs one",
		    port, strerror(errno));
	else if (given != NULL)
		diagnosis_add(d, VERDICT_OK, "MASTER_PORT %lld is free", port);
	else
		diagnosis_add(d, VERDICT_OK, "poprun takes a free one");
}

/* Open and close a pseudo terminal. */
static void
check_host_terminal(const struct check_load *l, struct diagnosis *d)
{
	const int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	d->checking = "terminal";
	if (fd != -1 && access("/dev/pts", X_OK) == 0)
		diagnosis_add(d, VERDICT_OK, "/dev/pts");
	else
		diagnosis_add(d, l->pipes ? VERDICT_OK : VERDICT_WARN,
		    "cannot open a pseudo terminal: %s; the instances write to "
		    "pipes\tmount devpts on /dev/pts, or use --pty=no",
		    strerror(errno));
	if (fd != -1)
		(void)close(fd);
}

void
check_host_run(const struct check_load *l, struct diagnosis *d)
{
	check_host_locked_memory(d);
	check_host_shared_memory(d);
	check_host_temporary(d);
	if (l->has_poprun)
		check_host_state(d);
	check_host_open_files(l, d);
	check_host_processes(l, d);
	if (l->instances > 0)
		check_host_cores(l, d);
	if (l->has_poprun)
		check_host_port(d);
	check_host_terminal(l, d);
}
