/*
 * The system calls for mounts, by their numbers.  The constants are those of
 * linux/mount.h and linux/fcntl.h, which musl lacks.
 */
#include "core/kube/sandbox/mount_call.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum {
	TREE_CLONE = 1,		 /* OPEN_TREE_CLONE */
	TREE_RECURSIVE = 0x8000, /* AT_RECURSIVE */
	MOVE_FROM_TREE = 0x4,	 /* MOVE_MOUNT_F_EMPTY_PATH */
	CONTEXT_CLOEXEC = 1,	 /* FSOPEN_CLOEXEC, FSMOUNT_CLOEXEC */
	SET_FLAG = 0,		 /* FSCONFIG_SET_FLAG */
	SET_STRING = 1,		 /* FSCONFIG_SET_STRING */
	CREATE = 6,		 /* FSCONFIG_CMD_CREATE */
	/* MOUNT_ATTR_* */
	WITH_READ_ONLY = 1,
	WITH_NO_SETUID = 2,
	WITH_NO_DEVICES = 4
};

/* The inode of the first user namespace: PROC_USER_INIT_INO of linux/proc_ns.h,
   USER_NS_INIT_INO of linux/nsfs.h. */
#define FIRST_USER_NAMESPACE 0xEFFFFFFDU

/* struct mount_attr */
struct mount_attributes {
	uint64_t set, clear, propagation, user_namespace;
};

int
mount_call_copy(int at, const char *path)
{
	return (int)syscall(SYS_open_tree, at, path,
	    TREE_CLONE | TREE_RECURSIVE | O_CLOEXEC);
}

int
mount_call_copy_entry(int at, const char *name)
{
	return (int)syscall(SYS_open_tree, at, name,
	    TREE_CLONE | TREE_RECURSIVE | O_CLOEXEC | AT_SYMLINK_NOFOLLOW |
		AT_NO_AUTOMOUNT);
}

static int
mount_call_set(int context, int command, const char *key, const char *value)
{
	return (int)syscall(SYS_fsconfig, context, command, key, value, 0);
}

int
mount_call_memory(mode_t mode, uint64_t size_bytes, int *tree)
{
	char octal[16], bytes[32];
	int context = (int)syscall(SYS_fsopen, "tmpfs", CONTEXT_CLOEXEC);
	int number = 0;

	*tree = -1;
	if (context == -1)
		return errno;
	(void)snprintf(octal, sizeof(octal), "%o", (unsigned)mode & 07777);
	(void)snprintf(bytes, sizeof(bytes), "%llu",
	    (unsigned long long)size_bytes);
	if (mount_call_set(context, SET_STRING, "source", "ipubox") != 0 ||
	    mount_call_set(context, SET_STRING, "mode", octal) != 0 ||
	    (size_bytes != 0 &&
		mount_call_set(context, SET_STRING, "size", bytes) != 0) ||
	    mount_call_set(context, CREATE, NULL, NULL) != 0 ||
	    (*tree = (int)syscall(SYS_fsmount, context, CONTEXT_CLOEXEC,
		 WITH_NO_SETUID | WITH_NO_DEVICES)) == -1)
		number = errno;
	(void)close(context);
	return number;
}

/* Whether this process is in the first user namespace. */
static bool
is_first_user_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/user", &st) == 0 &&
	    st.st_ino == FIRST_USER_NAMESPACE;
}

/* Name the directory by its descriptor: colons, commas and backslashes in a
   path have a different meaning in each release of the kernel. */
static int
overlay_set(int context, const char *key, int fd)
{
	char path[32];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return mount_call_set(context, SET_STRING, key, path);
}

/* Read the kernel's explanation of an error, "e overlay: ...", one message per
   read. */
static void
overlay_reason(int context, int number, struct error *e)
{
	char text[512];
	ssize_t n;

	(void)error_set_number(e, number,
	    "cannot mount the sandbox's changes over its root (an overlay)");
	while ((n = read(context, text, sizeof(text) - 1)) > 0) {
		text[n] = '\0';
		text[strcspn(text, "\n")] = '\0';
		if (text[0] == 'e' && text[1] == ' ')
			(void)error_append(e, "; the kernel says: %s",
			    text + 2);
	}
	if (number == EPERM && !is_first_user_namespace())
		(void)error_append(e,
		    "; before Linux 5.11 only root can: run ipubox as root, or "
		    "without an image's root");
	else if (number == EINVAL)
		(void)error_append(e,
		    "; the directory for the changes must be on a disk or in "
		    "memory, not on the file system of a network or a "
		    "container");
	else if (number == ENODEV)
		(void)error_append(e, "; run 'modprobe overlay' as root");
}

int
mount_call_overlay(int lower, int upper, int work, struct error *e)
{
	int context = (int)syscall(SYS_fsopen, "overlay", CONTEXT_CLOEXEC);
	int tree = -1;

	if (context == -1) {
		overlay_reason(-1, errno, e);
		return -1;
	}
	/* In other user namespaces the kernel must keep its notes in user
	   attributes, because only root may set the default ones.  Before 5.11
	   it knows no others. */
	if (!is_first_user_namespace())
		(void)mount_call_set(context, SET_FLAG, "userxattr", NULL);
	if (mount_call_set(context, SET_STRING, "source", "ipubox") != 0 ||
	    overlay_set(context, "lowerdir", lower) != 0 ||
	    overlay_set(context, "upperdir", upper) != 0 ||
	    overlay_set(context, "workdir", work) != 0 ||
	    mount_call_set(context, CREATE, NULL, NULL) != 0 ||
	    (tree = (int)syscall(SYS_fsmount, context, CONTEXT_CLOEXEC, 0)) ==
		-1)
		overlay_reason(context, errno, e);
	(void)close(context);
	return tree;
}

void
mount_call_open_work(int work)
{
	(void)!fchmodat(work, "work", 0700, 0);
	(void)!fchmodat(work, "index", 0700, 0);
}

int
mount_call_attach(int tree, int at, const char *path)
{
	return (int)syscall(SYS_move_mount, tree, "", at, path, MOVE_FROM_TREE);
}

int
mount_call_seal(int tree, bool with_below)
{
	const struct mount_attributes a = { .set = WITH_READ_ONLY };

	return (int)syscall(SYS_mount_setattr, tree, "",
	    AT_EMPTY_PATH | (with_below ? TREE_RECURSIVE : 0), &a, sizeof(a));
}

/* Keep the present flags: in a user namespace they cannot be removed. */
int
mount_call_seal_path(const char *path)
{
	static const struct {
		unsigned long is, flag;
	} flags[] = { { ST_NOSUID, MS_NOSUID }, { ST_NODEV, MS_NODEV },
		{ ST_NOEXEC, MS_NOEXEC }, { ST_NOATIME, MS_NOATIME },
		{ ST_NODIRATIME, MS_NODIRATIME },
		{ ST_RELATIME, MS_RELATIME } };
	struct statvfs v;
	unsigned long set = MS_REMOUNT | MS_BIND | MS_RDONLY;
	size_t i;

	if (statvfs(path, &v) != 0)
		return -1;
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if ((v.f_flag & flags[i].is) != 0)
			set |= flags[i].flag;
	return mount(NULL, path, NULL, set, NULL);
}

int
mount_call_make_private(void)
{
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

/* pivot_root(2): with equal names the old root covers the new one for a moment,
   and is unmounted from there. */
int
mount_call_pivot(int tree)
{
	if (fchdir(tree) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
	    umount2(".", MNT_DETACH) != 0)
		return -1;
	return chdir("/");
}
