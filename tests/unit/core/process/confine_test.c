/*
 * What a confined process can no longer do, each in a child of its own; and
 * what it still can.
 */
#include "core/process/process.h"

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* A directory that it keeps, one that it may read, and one that is closed. */
static char *kept, *readable, *closed;

/* 0, or the errno of the call that failed. */
static int
outcome(long result)
{
	return result == -1 ? errno : 0;
}

static int
open_file(const char *directory, const char *name, int flags)
{
	char *path = xasprintf("%s/%s", directory, name);
	int number = outcome(open(path, flags | O_CLOEXEC, 0600));

	free(path);
	return number;
}

static int
make_in_kept(void)
{
	char *from = xasprintf("%s/new", kept);
	char *to = xasprintf("%s/newer", kept);
	int number = open_file(kept, "new", O_RDWR | O_CREAT | O_EXCL);

	if (number == 0)
		number = outcome(rename(from, to));
	if (number == 0)
		number = outcome(unlink(to));
	free(from);
	free(to);
	return number;
}

static int
read_readable(void)
{
	return open_file(readable, "file", O_RDONLY);
}

static int
write_readable(void)
{
	return open_file(readable, "file", O_WRONLY);
}

static int
read_closed(void)
{
	return open_file(closed, "file", O_RDONLY);
}

static int
make_in_closed(void)
{
	return open_file(closed, "new", O_RDWR | O_CREAT);
}

static int
connect_tcp(void)
{
	const struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(1) };

	return outcome(connect(socket(AF_INET, SOCK_STREAM, 0),
	    (const struct sockaddr *)&a, sizeof(a)));
}

static int
signal_parent(void)
{
	return outcome(kill(getppid(), 0));
}

/* The server acts as a user by a child, and ends it. */
static int
signal_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		(void)pause();
		_exit(0);
	}
	return child == -1 ?
	    errno :
	    outcome(kill(child, SIGKILL)) + outcome(waitpid(child, NULL, 0));
}

static int
execute(void)
{
	char *words[] = { (char[]){ "true" }, NULL };

	return outcome(execv("/bin/true", words));
}

static int
trace(void)
{
	return outcome(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int
leave_namespace(void)
{
	return outcome(unshare(CLONE_NEWUTS));
}

static int
mount_something(void)
{
	return outcome(mount("none", kept, "tmpfs", 0, NULL));
}

static int
make_code(void)
{
	void *page = mmap(NULL, 1, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return outcome(mprotect(page, 1, PROT_READ | PROT_EXEC));
}

static int
make_memory(void)
{
	return mmap(NULL, 1, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ?
	    errno :
	    0;
}

static int
make_packet_socket(void)
{
	return outcome(socket(AF_NETLINK, SOCK_RAW, 0));
}

static int
make_unix_socket(void)
{
	return outcome(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int
gain_privileges(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}

enum part { PRIVILEGES, LANDLOCK, SECCOMP };

static const struct row {
	const char *name;
	int (*act)(void);
	int wanted; /* its errno, 0: it goes well */
	enum part part;
	int version; /* of Landlock, that it needs */
} rows[] = {
	{ "gain privileges", gain_privileges, EPERM, PRIVILEGES, 0 },
	{ "make, rename and remove in its place", make_in_kept, 0, LANDLOCK,
	    2 },
	{ "read in a place for that", read_readable, 0, LANDLOCK, 1 },
	{ "write there", write_readable, EACCES, LANDLOCK, 1 },
	{ "read elsewhere", read_closed, EACCES, LANDLOCK, 1 },
	{ "make elsewhere", make_in_closed, EACCES, LANDLOCK, 1 },
	{ "connect to a port", connect_tcp, EACCES, LANDLOCK, 4 },
	{ "signal its parent", signal_parent, EPERM, LANDLOCK, 6 },
	{ "signal its child", signal_child, 0, LANDLOCK, 6 },
	{ "execute a program", execute, EPERM, SECCOMP, 0 },
	{ "be traced", trace, EPERM, SECCOMP, 0 },
	{ "leave a namespace", leave_namespace, EPERM, SECCOMP, 0 },
	{ "mount", mount_something, EPERM, SECCOMP, 0 },
	{ "make code", make_code, EPERM, SECCOMP, 0 },
	{ "make memory", make_memory, 0, SECCOMP, 0 },
	{ "make a socket of the kernel", make_packet_socket, EPERM, SECCOMP,
	    0 },
	{ "make a unix socket", make_unix_socket, 0, SECCOMP, 0 },
};

/* What the child came to, in one byte: the outcome, or that it is not here. */
enum { NOT_HERE = 255 };

static int
run_confined(const struct row *r)
{
	const struct confine_place places[] = { { kept, true },
		{ readable, false }, { NULL, true },
		{ "/nowhere/at/all", true } };
	struct confinement c;
	int status;
	pid_t child = fork();

	if (child == 0) {
		confine_apply(places, ARRAY_SIZE(places), &c);
		if ((r->part == LANDLOCK && c.landlock < r->version) ||
		    (r->part == SECCOMP && !c.seccomp))
			_exit(NOT_HERE);
		_exit(r->act());
	}
	if (child == -1 || waitpid(child, &status, 0) != child ||
	    !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static char *
make_directory(const char *name)
{
	char *path = xasprintf("%s/%s", tap_directory(), name);
	char *file = xasprintf("%s/file", path);

	if (mkdir(path, 0700) != 0 ||
	    close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) != 0)
		perror(path);
	free(file);
	return path;
}

static void
test_describe(void)
{
	static const struct {
		struct confinement c;
		const char *text;
	} all[] = {
		{ { true, 7, true }, "no new privileges, Landlock 7, seccomp" },
		{ { true, 0, true }, "no new privileges, seccomp" },
		{ { true, 0, false }, "no new privileges" },
		{ { false, 0, false }, "nothing" },
	};
	char text[CONFINE_TEXT_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		confine_describe(&all[i].c, text);
		is_str(text, all[i].text, all[i].text);
	}
}

int
main(void)
{
	size_t i;
	int got;

	kept = make_directory("kept");
	readable = make_directory("readable");
	closed = make_directory("closed");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		got = run_confined(&rows[i]);
		if (got == NOT_HERE)
			tap_skip(rows[i].name, "not confined so far here");
		else
			is_int(got, rows[i].wanted, rows[i].name);
	}
	test_describe();
	free(kept);
	free(readable);
	free(closed);
	return tap_done();
}
