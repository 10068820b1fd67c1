/*
 * Entering a new place, or another process's.  sandbox_volume.c makes the
 * mounts, sandbox_place.c their directories.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/kube/sandbox/sandbox_internal.h"
#include "core/process/process.h"

enum { SANDBOX_HOSTNAME_MAX = 64 }; /* the kernel's, uname(2) */

/* ---- the root of an image ---- */

enum { ROOT_DIRECTORY = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

/* The directories of an overlay, in the order of opening. */
struct root_parts {
	int lower, above, upper, work;
};

static int
root_open(int at, const char *name, struct error *e)
{
	const int fd = openat(at, name, ROOT_DIRECTORY | O_NOFOLLOW);

	return fd != -1 ?
	    fd :
	    error_set_errno(e, "cannot open %s of the sandbox's changes", name);
}

static int
root_make(int at, const char *name, struct error *e)
{
	if (mkdirat(at, name, 0755) != 0 && errno != EEXIST)
		return error_set_errno(e,
		    "cannot make %s for the sandbox's changes", name);
	return root_open(at, name, e);
}

/* Open the parts; the root gets the mode and the owner of its upper
   directory. */
static int
root_open_parts(const struct sandbox_plan *plan, struct root_parts *p,
    struct error *e)
{
	struct stat st;

	if ((p->lower = open(plan->root, ROOT_DIRECTORY)) == -1 ||
	    fstat(p->lower, &st) != 0)
		return error_set_errno(e, "cannot open the image's root %s",
		    plan->root);
	if ((p->above = open(plan->upper, ROOT_DIRECTORY)) == -1)
		return error_set_errno(e,
		    "cannot open the directory %s for the sandbox's changes",
		    plan->upper);
	if ((p->upper = root_make(p->above, "upper", e)) == -1 ||
	    (p->work = root_make(p->above, "work", e)) == -1)
		return -1;
	(void)!fchown(p->upper, st.st_uid, st.st_gid);
	(void)!fchmod(p->upper, st.st_mode & 07777);
	return 0;
}

static int
root_mount(const struct sandbox_plan *plan, const struct root_parts *p,
    struct error *e)
{
	const int tree = mount_call_overlay(p->lower, p->upper, p->work, e);
	int status = 0;

	if (tree == -1)
		return -1;
	mount_call_open_work(p->work);
	if (mount_call_attach(tree, AT_FDCWD, plan->root) != 0 ||
	    mount_call_pivot(tree) != 0)
		status = error_set_errno(e, "cannot make %s the root",
		    plan->root);
	(void)close(tree);
	return status;
}

/* Set the name in the file for scripts; programs ask the kernel.  Only the
   image is mounted so far, so no file of this host is written.  Failures are
   ignored. */
static void
root_name(const char *hostname)
{
	const int fd = open("/etc/hostname",
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd == -1)
		return;
	(void)!file_put(fd, hostname, strlen(hostname));
	(void)!file_put(fd, "\n", 1);
	(void)close(fd);
}

static void
root_make_tmp(void)
{
	if (mkdir("/tmp", 01777) == 0)
		(void)!chmod("/tmp", 01777);
}

/*
 * Enter the root of an image under an overlay, so that everything is writable
 * and the image stays unchanged.  It gets the plan's host name in /etc/hostname
 * and a /tmp, if the image has room for them.
 */
static int
root_enter(const struct sandbox_plan *plan, struct error *e)
{
	struct root_parts p = { -1, -1, -1, -1 };
	const int *const fds[] = { &p.lower, &p.above, &p.upper, &p.work };
	size_t i;
	int status;

	if (plan->upper == NULL)
		return error_set_code(e, ERROR_INVALID,
		    "an image's root needs a directory for the sandbox's "
		    "changes");
	status = root_open_parts(plan, &p, e);
	if (status == 0)
		status = root_mount(plan, &p, e);
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		if (*fds[i] != -1)
			(void)close(*fds[i]);
	if (status != 0)
		return -1;
	if (plan->hostname != NULL)
		root_name(plan->hostname);
	root_make_tmp();
	return 0;
}

/* ---- a new place ---- */

/* Change to the working directory; without one, to the previous path if it
   exists. */
static int
sandbox_change_directory(struct sandbox_places *places, const char *working,
    const char *before, struct error *e)
{
	if (working == NULL) {
		if (before[0] != '/' || chdir(before) != 0)
			return chdir("/") == 0 ? 0 : error_set_errno(e, "/");
		return 0;
	}
	if (working[0] != '/')
		return error_set_code(e, ERROR_INVALID,
		    "working directory '%s' is not an absolute path", working);
	if (sandbox_place_make(places, working, e) != 0)
		return error_prefix(e, "working directory");
	if (chdir(working) != 0)
		return error_set_errno(e, "working directory %s", working);
	return 0;
}

/* Mount everything in the new namespaces; nothing opened here is shared. */
static int
sandbox_furnish(const struct sandbox_plan *plan, const char *before,
    struct error *e)
{
	struct sandbox_mounts mounts;
	struct sandbox_places places;
	int status;

	sandbox_place_init(&places,
	    plan->root != NULL ? SANDBOX_OWN : SANDBOX_OTHERS);
	status = sandbox_volume_collect(plan, &mounts, e);
	if (status == 0 && plan->root != NULL)
		status = root_enter(plan, e);
	if (status == 0)
		status = sandbox_volume_mount(&mounts, &places, e);
	if (status == 0)
		status = sandbox_change_directory(&places, plan->working,
		    before, e);
	if (status == 0)
		status = sandbox_place_seal(&places, e);
	sandbox_volume_release(&mounts);
	sandbox_place_release(&places);
	return status;
}

int
sandbox_enter(const struct sandbox_plan *plan, struct error *e)
{
	struct sandbox_refusal refusal;
	char before[PATH_MAX];
	mode_t mask;
	int status;

	if (plan->hostname != NULL &&
	    (plan->hostname[0] == '\0' ||
		strlen(plan->hostname) > SANDBOX_HOSTNAME_MAX))
		return error_set_code(e, ERROR_INVALID,
		    "host name '%s': must have 1 to %d characters",
		    plan->hostname, SANDBOX_HOSTNAME_MAX);
	if (getcwd(before, sizeof(before)) == NULL)
		before[0] = '\0';
	if (sandbox_namespace_enter(plan->hostname, &refusal) != 0) {
		sandbox_refusal_inspect(&refusal);
		return sandbox_refusal_explain(&refusal, e);
	}
	mask = umask(022);
	status = sandbox_furnish(plan, before, e);
	(void)umask(mask);
	return status;
}

/* ---- permission ---- */

/* Try it in a child, and write the result to a pipe, without allocating
   memory. */
static void
sandbox_try(int out)
{
	struct sandbox_refusal r;

	if (sandbox_namespace_try(&r) == 0)
		r.number = 0;
	(void)!write(out, &r, sizeof(r));
	_exit(0);
}

bool
sandbox_is_possible(struct error *why)
{
	struct sandbox_refusal r;
	int ends[2];
	ssize_t n;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		(void)error_set_errno(why, "pipe");
		return false;
	}
	if ((child = fork()) == 0)
		sandbox_try(ends[1]);
	if (child == -1) {
		(void)program_fork_error(why, errno,
		    "the process that tests for mounts of its own");
		(void)close(ends[0]);
		(void)close(ends[1]);
		return false;
	}
	(void)close(ends[1]);
	while ((n = read(ends[0], &r, sizeof(r))) == -1 && errno == EINTR)
		continue;
	(void)close(ends[0]);
	while (waitpid(child, NULL, 0) == -1 && errno == EINTR)
		continue;
	if (n != (ssize_t)sizeof(r)) {
		(void)error_set(why,
		    "the process that tests for mounts of its own gave no "
		    "answer");
		return false;
	}
	if (r.number == 0)
		return true;
	sandbox_refusal_inspect(&r);
	(void)sandbox_refusal_explain(&r, why);
	return false;
}

/* ---- another process's place ---- */

/* Read a small file of /proc as a text; -1 and errno. */
static int
join_read(const char *path, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd == -1)
		return -1;
	n = read(fd, text, size - 1);
	(void)close(fd);
	if (n == -1)
		return -1;
	text[n] = '\0';
	return 0;
}

static bool
join_has_ended(int pidfd)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };

	return poll(&end, 1, 0) != 0;
}

/* Return "Pid:" of the descriptor, or 0 if the process is not in this pid
   namespace or has ended. */
static pid_t
join_find_pid(int pidfd)
{
	char path[64], text[1024], *line;
	long long pid;

	(void)snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	if (join_read(path, text, sizeof(text)) != 0 ||
	    (line = strstr(text, "\nPid:\t")) == NULL)
		return 0;
	line += strlen("\nPid:\t");
	line[strcspn(line, "\n")] = '\0';
	return parse_number("pid", line, 1, INT_MAX, &pid, NULL) == 0 ?
	    (pid_t)pid :
	    0;
}

/* Find the kinds of namespaces that differ from this process's; only those can
   be entered. */
static int
join_compare(pid_t pid, int *flags, struct error *e)
{
	static const struct {
		const char *name;
		int flag;
	} kinds[] = { { "user", CLONE_NEWUSER }, { "mnt", CLONE_NEWNS },
		{ "uts", CLONE_NEWUTS } };
	struct stat own, other;
	char path[64];
	size_t i;

	*flags = 0;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		(void)snprintf(path, sizeof(path), "/proc/self/ns/%s",
		    kinds[i].name);
		if (stat(path, &own) != 0)
			return error_set_errno(e, "%s", path);
		(void)snprintf(path, sizeof(path), "/proc/%ld/ns/%s", (long)pid,
		    kinds[i].name);
		if (stat(path, &other) != 0)
			return error_set_errno(e, "%s", path);
		if (own.st_dev != other.st_dev || own.st_ino != other.st_ino)
			*flags |= kinds[i].flag;
	}
	return 0;
}

/* Check the user: in a user namespace only its creator is mapped.  Even root
   would be an unknown user there and could not write files. */
static int
join_check_user(pid_t pid, struct error *e)
{
	char path[64], text[256];
	unsigned inside, outside, count;

	(void)snprintf(path, sizeof(path), "/proc/%ld/uid_map", (long)pid);
	if (join_read(path, text, sizeof(text)) != 0)
		return error_set_errno(e, "%s", path);
	if (sscanf(text, "%u %u %u", &inside, &outside, &count) == 3 &&
	    geteuid() - outside < count)
		return 0;
	return error_set_code(e, ERROR_DENIED,
	    "process %ld is in a sandbox of uid %u; only that user can enter "
	    "it",
	    (long)pid, outside);
}

static int
join_prepare(pid_t pid, int *flags, struct error *e)
{
	if (join_compare(pid, flags, e) != 0)
		return -1;
	return (*flags & CLONE_NEWUSER) != 0 ? join_check_user(pid, e) : 0;
}

/* The data read about the process are valid if it has not ended since. */
int
sandbox_join(int pidfd, struct error *e)
{
	const pid_t pid = join_find_pid(pidfd);
	struct error reason;
	int flags = 0, status = -1;

	if (pid != 0)
		status = join_prepare(pid, &flags, &reason);
	if (pid == 0 || join_has_ended(pidfd))
		return error_set_code(e, ERROR_NOT_FOUND,
		    "the process has ended");
	if (status != 0) {
		(void)error_copy(e, &reason);
		return error_prefix(e,
		    "cannot enter the sandbox of process %ld", (long)pid);
	}
	if (flags != 0 && setns(pidfd, flags) != 0)
		return error_set_errno(e,
		    "cannot enter the sandbox of process %ld", (long)pid);
	return 0;
}
