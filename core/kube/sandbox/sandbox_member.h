/*
 * The processes of a pod, wherever they went: what is left of it when those who
 * watched over it were killed.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_MEMBER_H
#define CORE_KUBE_SANDBOX_SANDBOX_MEMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"

/* The variable that a pod's processes are started with. */
#define SANDBOX_MEMBER_VARIABLE	"IPUBOX_POD"

/*
 * What no other pod has; a mark is drawn, not counted.  Nobody removes the
 * directory while processes are to be found by it: the kernel takes away what
 * is mounted at a path that is removed.
 */
struct sandbox_mark {
	const char	*text;		/* the variable's value */
	const char	*directory;	/* plan->directory, NULL: it had none */
};

/*
 * Whether the process was started with IPUBOX_POD=TEXT, or sees the directory
 * mounted at its path.  The first is said of all that it starts unless it
 * clears their environment, the second also then, but where they change their
 * root.  false where that cannot be read.
 */
bool	sandbox_member_is(pid_t, const struct sandbox_mark *);

/*
 * Kill all members (SIGKILL), again and again until there is none, for limit_ms
 * at most; never this process and those above it.  Each is told by its pidfd,
 * so that no other process that comes to have its number is.  The number of
 * signals that were sent, or -1: some are left, of another user or in a call
 * that does not end, or this process sees the directory mounted as well
 * (ERROR_INVALID), as everybody would see "/".
 */
int	sandbox_member_kill(const struct sandbox_mark *, int64_t limit_ms,
	    struct error *);

#endif
