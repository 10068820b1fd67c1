/*
 * unshare(2), and what a user namespace needs before it can be used.
 */
#include "core/kube/sandbox/sandbox_refusal.h"

#include <sys/prctl.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/kube/sandbox/mount_call.h"

static int
refused(struct sandbox_refusal *r, const char *step, int number)
{
	r->step = step;
	r->number = number;
	return -1;
}

/* The kernel takes a map in one write. */
static int
write_once(const char *path, const char *text)
{
	const int	fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t		n;

	if (fd == -1)
		return -1;
	n = write(fd, text, strlen(text));
	(void)close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

/*
 * Each number stays what it is; others can be given only by root.  Groups have
 * to be fixed before a group is mapped (user_namespaces(7)).  A process that
 * changed its user before may not write its own files in /proc until it says
 * that it has no secrets.
 */
static int
namespace_map(uid_t uid, gid_t gid, struct sandbox_refusal *r)
{
	char	users[32], groups[32];

	(void)snprintf(users, sizeof(users), "%u %u 1", (unsigned)uid,
	    (unsigned)uid);
	(void)snprintf(groups, sizeof(groups), "%u %u 1", (unsigned)gid,
	    (unsigned)gid);
	(void)prctl(PR_SET_DUMPABLE, 1L, 0L, 0L, 0L);
	if (write_once("/proc/self/uid_map", users) != 0 ||
	    write_once("/proc/self/setgroups", "deny") != 0 ||
	    write_once("/proc/self/gid_map", groups) != 0)
		return refused(r, "writing /proc/self/uid_map", errno);
	return 0;
}

int
sandbox_namespace_enter(const char *hostname, struct sandbox_refusal *r)
{
	const int	flags = CLONE_NEWNS |
	    (hostname != NULL ? CLONE_NEWUTS : 0);
	const uid_t	uid = geteuid();
	const gid_t	gid = getegid();

	*r = (struct sandbox_refusal){ .is_user = false };
	if (unshare(flags) != 0) {
		if (errno != EPERM)
			return refused(r, "unshare(2)", errno);
		r->is_user = true;
		if (unshare(flags | CLONE_NEWUSER) != 0)
			return refused(r, "unshare(2)", errno);
		if (namespace_map(uid, gid, r) != 0)
			return -1;
	}
	if (hostname != NULL && sethostname(hostname, strlen(hostname)) != 0)
		return refused(r, "sethostname(2)", errno);
	if (mount_call_make_private() != 0)
		return refused(r, "mount(2)", errno);
	return 0;
}

int
sandbox_namespace_try(struct sandbox_refusal *r)
{
	int	tree, number;

	if (sandbox_namespace_enter("ipubox", r) != 0)
		return -1;
	if ((tree = mount_call_copy(AT_FDCWD, "/")) == -1)
		return refused(r, "open_tree(2)", errno);
	(void)close(tree);
	if ((number = mount_call_memory(0755, 0, &tree)) != 0)
		return refused(r, "fsmount(2)", number);
	if (mount_call_attach(tree, AT_FDCWD, "/") != 0)
		return refused(r, "move_mount(2)", errno);
	if (mount_call_pivot(tree) != 0)
		return refused(r, "pivot_root(2)", errno);
	return 0;
}
