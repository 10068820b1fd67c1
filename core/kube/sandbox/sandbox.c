/*
 * Entering a place of one's own, or another process's.  The mounts are made in
 * sandbox_volume.c, the directories for them in sandbox_place.c.
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
#include "core/base/parse.h"
#include "core/kube/sandbox/sandbox_namespace.h"
#include "core/kube/sandbox/sandbox_place.h"
#include "core/kube/sandbox/sandbox_root.h"
#include "core/kube/sandbox/sandbox_volume.h"
#include "core/process/process.h"

/* ---- one's own ---- */

/* Where nothing is said, the path of before, as far as it is there. */
static int
sandbox_go(struct sandbox_places *places, const char *working,
    const char *before, struct error *e)
{
	if (working == NULL) {
		if (before[0] != '/' || chdir(before) != 0)
			return chdir("/") == 0 ? 0 : error_set_errno(e, "/");
		return 0;
	}
	if (working[0] != '/')
		return error_set_code(e, ERROR_INVALID, "working directory "
		    "'%s' is not an absolute path", working);
	if (sandbox_place_make(places, working, e) != 0)
		return error_prefix(e, "working directory");
	if (chdir(working) != 0)
		return error_set_errno(e, "working directory %s", working);
	return 0;
}

/* In namespaces of its own: what is opened now is no other's. */
static int
sandbox_furnish(const struct sandbox_plan *plan, const char *before,
    struct error *e)
{
	struct sandbox_mounts	mounts;
	struct sandbox_places	places;
	int			status;

	sandbox_place_init(&places, plan->root != NULL ? SANDBOX_OWN :
	    SANDBOX_OTHERS);
	status = sandbox_volume_collect(plan, &mounts, e);
	if (status == 0 && plan->root != NULL)
		status = sandbox_root_enter(plan, e);
	if (status == 0)
		status = sandbox_volume_mount(&mounts, &places, e);
	if (status == 0)
		status = sandbox_go(&places, plan->working, before, e);
	if (status == 0)
		status = sandbox_place_seal(&places, e);
	sandbox_volume_release(&mounts);
	sandbox_place_release(&places);
	return status;
}

int
sandbox_enter(const struct sandbox_plan *plan, struct error *e)
{
	struct sandbox_refusal	refusal;
	char			before[PATH_MAX];
	mode_t			mask;
	int			status;

	if (plan->hostname != NULL && (plan->hostname[0] == '\0' ||
	    strlen(plan->hostname) > SANDBOX_HOSTNAME_MAX))
		return error_set_code(e, ERROR_INVALID, "host name '%s': it "
		    "must have 1 to %d characters", plan->hostname,
		    SANDBOX_HOSTNAME_MAX);
	if (getcwd(before, sizeof(before)) == NULL)
		before[0] = '\0';
	if (sandbox_namespace_enter(plan->hostname, &refusal) != 0) {
		sandbox_refusal_look(&refusal);
		return sandbox_refusal_explain(&refusal, e);
	}
	mask = umask(022);
	status = sandbox_furnish(plan, before, e);
	(void)umask(mask);
	return status;
}

/* ---- whether one may ---- */

/* What the child came to, in a pipe: nothing is allocated in it. */
static void
sandbox_try(int out)
{
	struct sandbox_refusal	r;

	if (sandbox_namespace_try(&r) == 0)
		r.number = 0;
	(void)!write(out, &r, sizeof(r));
	_exit(0);
}

bool
sandbox_is_possible(struct error *why)
{
	struct sandbox_refusal	r;
	int			ends[2];
	ssize_t			n;
	pid_t			child;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		(void)error_set_errno(why, "pipe");
		return false;
	}
	if ((child = fork()) == 0)
		sandbox_try(ends[1]);
	if (child == -1) {
		(void)program_fork_error(why, errno, "the process that tries "
		    "whether it can get mounts of its own");
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
		(void)error_set(why, "the process that tried whether it can "
		    "get mounts of its own gave no answer");
		return false;
	}
	if (r.number == 0)
		return true;
	sandbox_refusal_look(&r);
	(void)sandbox_refusal_explain(&r, why);
	return false;
}

/* ---- another's ---- */

/* A small file of /proc as a text; -1 and errno. */
static int
join_read(const char *path, char *text, size_t size)
{
	const int	fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t		n;

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
	struct pollfd	end = { .fd = pidfd, .events = POLLIN };

	return poll(&end, 1, 0) != 0;
}

/* "Pid:" of the descriptor, 0 where that process is not of this pid namespace,
   or has ended. */
static pid_t
join_find_pid(int pidfd)
{
	char		 path[64], text[1024], *line;
	long long	 pid;

	(void)snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	if (join_read(path, text, sizeof(text)) != 0 ||
	    (line = strstr(text, "\nPid:\t")) == NULL)
		return 0;
	line += strlen("\nPid:\t");
	line[strcspn(line, "\n")] = '\0';
	return parse_number("pid", line, 1, INT_MAX, &pid, NULL) == 0 ?
	    (pid_t)pid : 0;
}

/* The kinds of namespaces that it does not share with this process; a kind that
   is shared cannot be entered. */
static int
join_compare(pid_t pid, int *flags, struct error *e)
{
	static const struct { const char *name; int flag; } kinds[] = {
		{ "user", CLONE_NEWUSER }, { "mnt", CLONE_NEWNS },
		{ "uts", CLONE_NEWUTS }
	};
	struct stat	own, other;
	char		path[64];
	size_t		i;

	*flags = 0;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		(void)snprintf(path, sizeof(path), "/proc/self/ns/%s",
		    kinds[i].name);
		if (stat(path, &own) != 0)
			return error_set_errno(e, "%s", path);
		(void)snprintf(path, sizeof(path), "/proc/%ld/ns/%s",
		    (long)pid, kinds[i].name);
		if (stat(path, &other) != 0)
			return error_set_errno(e, "%s", path);
		if (own.st_dev != other.st_dev || own.st_ino != other.st_ino)
			*flags |= kinds[i].flag;
	}
	return 0;
}

/* In a user namespace only the user is somebody who made it: root, too, would
   be nobody there, who can write no file. */
static int
join_check_user(pid_t pid, struct error *e)
{
	char		path[64], text[256];
	unsigned	inside, outside, count;

	(void)snprintf(path, sizeof(path), "/proc/%ld/uid_map", (long)pid);
	if (join_read(path, text, sizeof(text)) != 0)
		return error_set_errno(e, "%s", path);
	if (sscanf(text, "%u %u %u", &inside, &outside, &count) == 3 &&
	    geteuid() - outside < count)
		return 0;
	return error_set_code(e, ERROR_DENIED, "process %ld is in a sandbox of "
	    "the user with the number %u; only that user can enter it",
	    (long)pid, outside);
}

static int
join_prepare(pid_t pid, int *flags, struct error *e)
{
	if (join_compare(pid, flags, e) != 0)
		return -1;
	return (*flags & CLONE_NEWUSER) != 0 ? join_check_user(pid, e) : 0;
}

/* What was read of the process was its own if it has not ended since. */
int
sandbox_join(int pidfd, struct error *e)
{
	const pid_t	pid = join_find_pid(pidfd);
	struct error	reason;
	int		flags = 0, status = -1;

	if (pid != 0)
		status = join_prepare(pid, &flags, &reason);
	if (pid == 0 || join_has_ended(pidfd))
		return error_set_code(e, ERROR_NOT_FOUND, "the process has "
		    "ended");
	if (status != 0) {
		(void)error_copy(e, &reason);
		return error_prefix(e, "cannot enter the sandbox of process "
		    "%ld", (long)pid);
	}
	if (flags != 0 && setns(pidfd, flags) != 0)
		return error_set_errno(e, "cannot enter the sandbox of process "
		    "%ld", (long)pid);
	return 0;
}
