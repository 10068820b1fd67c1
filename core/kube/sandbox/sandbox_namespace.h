/*
 * The namespaces of a sandbox, and readable reasons for a system's refusal.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_NAMESPACE_H
#define CORE_KUBE_SANDBOX_SANDBOX_NAMESPACE_H

#include <stdbool.h>

#include "core/base/error.h"

struct sandbox_refusal {
	const char *step; /* refused call: "unshare(2)" */
	int number;	  /* with this errno */
	bool is_user;	  /* a user namespace was tried */
	/* Settings of the system, from sandbox_refusal_inspect(); -1:
	   unknown. */
	long long unprivileged; /* kernel.unprivileged_userns_clone */
	long long apparmor;	/* kernel.
				   apparmor_restrict_unprivileged_userns */
	long long users_max;	/* user.max_user_namespaces */
	long long mounts_max;	/* user.max_mnt_namespaces */
	bool is_filtered;	/* this process has a seccomp filter */
	bool is_chrooted;	/* its root is not a mount point */
};

/* Give this process, which has one thread, a private mount namespace and a host
   name (NULL: unchanged), in a user namespace if it lacks the right.  -1: the
   first three members describe the refusal and the others are 0.  Does not
   allocate memory. */
int sandbox_namespace_enter(const char *hostname, struct sandbox_refusal *);

/* Do the same with a host name, and try the mounts that every sandbox needs.
   Call it only in a child that then ends: it changes the root of the calling
   process. */
int sandbox_namespace_try(struct sandbox_refusal *);

/* Fill in all members but the first three. */
void sandbox_refusal_inspect(struct sandbox_refusal *);

/* Describe the refusal and the remedy, after sandbox_refusal_inspect():
   ERROR_DENIED if the system forbids it, ERROR_UNSUPPORTED if the kernel lacks
   a feature, else the error of `number`.  Returns -1. */
int sandbox_refusal_explain(const struct sandbox_refusal *, struct error *);

#endif
