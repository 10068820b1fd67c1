/*
 * unshare(2), and the preparations of a user namespace; and the reasons of a
 * system's refusal.  The kernel reports most of them as EPERM, so the settings
 * that cause them are looked up.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/prctl.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/kube/sandbox/mount_call.h"

static int
refused(struct sandbox_refusal *r, const char *step, int number)
{
	r->step = step;
	r->number = number;
	return -1;
}

/* Write a map, which the kernel accepts in one write only. */
static int
write_once(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd == -1)
		return -1;
	n = write(fd, text, strlen(text));
	(void)close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

/*
 * Map the user's and the group's numbers to themselves; only root can map
 * others.  Groups must be fixed before a group is mapped (user_namespaces(7)).
 * A process that changed its user cannot write its files in /proc until it is
 * marked as dumpable.
 */
static int
namespace_map(uid_t uid, gid_t gid, struct sandbox_refusal *r)
{
	char users[32], groups[32];

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
	const int flags = CLONE_NEWNS | (hostname != NULL ? CLONE_NEWUTS : 0);
	const uid_t uid = geteuid();
	const gid_t gid = getegid();

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
	int tree, number;

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

/* ---- reasons of a refusal ---- */

/* First half of the messages, before the reason. */
#define CANNOT "a process cannot have its own mounts here: "

/* Read the first line of a small file, or "". */
static void
refusal_read(const char *path, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd != -1 ? read(fd, text, size - 1) : -1;

	if (fd != -1)
		(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
}

static long long
refusal_setting(const char *path)
{
	char text[64];
	long long value;

	refusal_read(path, text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	return parse_number(path, text, 0, LLONG_MAX, &value, NULL) == 0 ?
	    value :
	    -1;
}

void
sandbox_refusal_inspect(struct sandbox_refusal *r)
{
	char status[8192];

	r->unprivileged =
	    refusal_setting("/proc/sys/kernel/unprivileged_userns_clone");
	r->apparmor = refusal_setting(
	    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
	r->users_max = refusal_setting("/proc/sys/user/max_user_namespaces");
	r->mounts_max = refusal_setting("/proc/sys/user/max_mnt_namespaces");
	refusal_read("/proc/self/status", status, sizeof(status));
	r->is_filtered = strstr(status, "\nSeccomp:\t2") != NULL;
	/* mountinfo shows the mounts below the own root; the root itself is one
	   unless it was set by chroot(2). */
	r->is_chrooted = access("/proc/self/mountinfo", R_OK) == 0 &&
	    !mountinfo_has(0, "/");
}

/* Explain EPERM and EACCES; reasons that only a user namespace has come
   first. */
static int
refusal_explain_denied(const struct sandbox_refusal *r, struct error *e)
{
	if (r->is_user && r->unprivileged == 0)
		return error_set_code(e, ERROR_DENIED,
		    CANNOT
		    "only root can, because kernel.unprivileged_userns_clone "
		    "is 0; run 'sysctl kernel.unprivileged_userns_clone=1' as "
		    "root to allow it");
	if (r->is_user && r->apparmor == 1)
		return error_set_code(e, ERROR_DENIED,
		    CANNOT
		    "AppArmor refuses it, because "
		    "kernel.apparmor_restrict_unprivileged_userns is 1; give "
		    "this program a profile with the rule 'userns,', or run "
		    "'sysctl kernel.apparmor_restrict_unprivileged_userns=0' "
		    "as root");
	if (r->is_chrooted)
		return error_set_code(e, ERROR_DENIED,
		    CANNOT "this process was started in a chroot(8) that is "
			   "not a mount point; make it one with 'mount --bind "
			   "DIRECTORY DIRECTORY'");
	if (r->is_filtered)
		return error_set_code(e, ERROR_DENIED,
		    CANNOT "a seccomp filter, such as that of a container, "
			   "refuses %s; start the container with --privileged, "
			   "or with --security-opt seccomp=unconfined",
		    r->step);
	return error_set_code(e, ERROR_DENIED,
	    CANNOT "the system refuses %s%s; run ipubox as root, or in a "
		   "container that is started with --privileged",
	    r->step,
	    r->number == EACCES ?
		" (a security module, such as AppArmor or SELinux)" :
		"");
}

int
sandbox_refusal_explain(const struct sandbox_refusal *r, struct error *e)
{
	switch (r->number) {
	case EPERM:
	case EACCES:
		return refusal_explain_denied(r, e);
	case ENOSPC:
	case EUSERS:
		if (r->is_user && r->users_max == 0)
			return error_set_code(e, ERROR_DENIED,
			    CANNOT "user.max_user_namespaces is 0; run 'sysctl "
				   "user.max_user_namespaces=10000' as root to "
				   "allow it");
		return error_set_code(e, ERROR_DENIED,
		    CANNOT
		    "too many namespaces exist; end some of their processes, "
		    "or raise user.max_user_namespaces and "
		    "user.max_mnt_namespaces (%lld and %lld) with sysctl(8)",
		    r->users_max, r->mounts_max);
	case ENOSYS:
		return error_set_code(e, ERROR_UNSUPPORTED,
		    CANNOT "this kernel, or the container around it, lacks %s; "
			   "use Linux 5.10 or later",
		    r->step);
	case EINVAL:
		if (r->is_chrooted)
			return refusal_explain_denied(r, e);
		if (r->is_user && strcmp(r->step, "unshare(2)") == 0)
			return error_set_code(e, ERROR_UNSUPPORTED,
			    CANNOT "this kernel was built without user "
				   "namespaces; run ipubox as root");
		break;
	default:
		break;
	}
	return error_set_number(e, r->number, CANNOT "%s", r->step);
}
