/*
 * The namespaces that a sandbox is made of.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_NAMESPACE_H
#define CORE_KUBE_SANDBOX_SANDBOX_NAMESPACE_H

#include "core/kube/sandbox/sandbox_refusal.h"

/*
 * Mounts of its own for this process, which has one thread, and a host name
 * (NULL: it keeps the one it has); in a user namespace where it has not the
 * right to that by itself.  0, or -1 with what was refused (the first three
 * members).  It allocates nothing.
 */
int	sandbox_namespace_enter(const char *hostname,
	    struct sandbox_refusal *);

/* The same, and each kind of mount that a sandbox needs, once: for a child that
   ends after it. */
int	sandbox_namespace_try(struct sandbox_refusal *);

#endif
