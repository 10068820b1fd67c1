/*
 * The root of an image under an overlay, so that all of it can be written and
 * nothing of it changes.
 */
#include "core/kube/sandbox/sandbox_root.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/kube/sandbox/mount_call.h"

enum { ROOT_DIRECTORY = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

/* The directories of an overlay, in the order in which they are opened. */
struct root_parts {
	int	lower, above, upper, work;
};

static int
root_open(int at, const char *name, struct error *e)
{
	const int	fd = openat(at, name, ROOT_DIRECTORY | O_NOFOLLOW);

	return fd != -1 ? fd : error_set_errno(e, "the sandbox's changes: %s",
	    name);
}

static int
root_make(int at, const char *name, struct error *e)
{
	if (mkdirat(at, name, 0755) != 0 && errno != EEXIST)
		return error_set_errno(e, "the sandbox's changes: cannot make "
		    "%s", name);
	return root_open(at, name, e);
}

/* The new root has the mode and the owner of its upper directory. */
static int
root_open_parts(const struct sandbox_plan *plan, struct root_parts *p,
    struct error *e)
{
	struct stat	st;

	if ((p->lower = open(plan->root, ROOT_DIRECTORY)) == -1 ||
	    fstat(p->lower, &st) != 0)
		return error_set_errno(e, "the image's root %s", plan->root);
	if ((p->above = open(plan->upper, ROOT_DIRECTORY)) == -1)
		return error_set_errno(e, "the directory %s for the sandbox's "
		    "changes", plan->upper);
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
	const int	tree = mount_call_overlay(p->lower, p->upper, p->work,
	    e);
	int		status = 0;

	if (tree == -1)
		return -1;
	/* The kernel makes them with no rights at all, so that this user could
	   not remove what is left of the sandbox. */
	(void)!fchmodat(p->work, "work", 0700, 0);
	(void)!fchmodat(p->work, "index", 0700, 0);
	if (mount_call_attach(tree, AT_FDCWD, plan->root) != 0 ||
	    mount_call_pivot(tree) != 0)
		status = error_set_errno(e, "cannot make %s the root",
		    plan->root);
	(void)close(tree);
	return status;
}

/* Programs ask the kernel, scripts read the file.  Only the image is mounted
   yet, so no file of this host is written; where it cannot be, there is
   none. */
static void
root_name(const char *hostname)
{
	const int	fd = open("/etc/hostname", O_WRONLY | O_CREAT |
	    O_TRUNC | O_CLOEXEC, 0644);

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

int
sandbox_root_enter(const struct sandbox_plan *plan, struct error *e)
{
	struct root_parts	p = { -1, -1, -1, -1 };
	const int		*const fds[] = {
		&p.lower, &p.above, &p.upper, &p.work
	};
	size_t			i;
	int			status;

	if (plan->upper == NULL)
		return error_set_code(e, ERROR_INVALID, "an image's root needs "
		    "a directory for the sandbox's changes");
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
