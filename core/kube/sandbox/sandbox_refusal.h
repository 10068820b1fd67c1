/*
 * Why a system gives a process no mounts of its own, in words that help.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_REFUSAL_H
#define CORE_KUBE_SANDBOX_SANDBOX_REFUSAL_H

#include <stdbool.h>

#include "core/base/error.h"

struct sandbox_refusal {
	const char	*step;		/* what was refused: "unshare(2)" */
	int		 number;	/* with this errno */
	bool		 is_user;	/* with a user namespace */
	/* What the system says of itself; -1 where it says nothing. */
	long long	 unprivileged;	/* kernel.unprivileged_userns_clone */
	long long	 apparmor;	/* kernel.
					   apparmor_restrict_unprivileged_userns
					   */
	long long	 users_max;	/* user.max_user_namespaces */
	long long	 mounts_max;	/* user.max_mnt_namespaces */
	bool		 is_filtered;	/* this process has a seccomp filter */
	bool		 is_chrooted;	/* its root is no mount */
};

/* Fill in what the system says of itself. */
void	sandbox_refusal_look(struct sandbox_refusal *);

/*
 * Say it: ERROR_UNSUPPORTED where the kernel lacks something, else
 * ERROR_DENIED.  Returns -1.
 */
int	sandbox_refusal_explain(const struct sandbox_refusal *,
	    struct error *);

#endif
