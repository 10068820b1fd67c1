/*
 * The namespaces that a sandbox is made of, and why a system gives none to a
 * process, in words that help.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_NAMESPACE_H
#define CORE_KUBE_SANDBOX_SANDBOX_NAMESPACE_H

#include <stdbool.h>

#include "core/base/error.h"

struct sandbox_refusal {
	const char *step; /* what was refused: "unshare(2)" */
	int number;	  /* with this errno */
	bool is_user;	  /* with a user namespace */
	/* What the system says of itself; -1 where it says nothing. */
	long long unprivileged; /* kernel.unprivileged_userns_clone */
	long long apparmor;	/* kernel.
				   apparmor_restrict_unprivileged_userns */
	long long users_max;	/* user.max_user_namespaces */
	long long mounts_max;	/* user.max_mnt_namespaces */
	bool is_filtered;	/* this process has a seccomp filter */
	bool is_chrooted;	/* its root is no mount */
};

/*
 * Gives this process, which has one thread, mounts of its own and a host name
 * (NULL: it keeps the one it has); in a user namespace where it has not the
 * right to that by itself.  -1: the first three members say what was refused.
 * It allocates nothing.
 */
int sandbox_namespace_enter(const char *hostname, struct sandbox_refusal *);

/* The same, and each kind of mount that a sandbox needs, once: for a child that
   ends after it. */
int sandbox_namespace_try(struct sandbox_refusal *);

/* Fill in what the system says of itself. */
void sandbox_refusal_look(struct sandbox_refusal *);

/*
 * Say it: ERROR_UNSUPPORTED where the kernel lacks something, else
 * ERROR_DENIED.  Returns -1.
 */
int sandbox_refusal_explain(const struct sandbox_refusal *, struct error *);

#endif
