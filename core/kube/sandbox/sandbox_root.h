/*
 * An image's directory as the root of a sandbox.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_ROOT_H
#define CORE_KUBE_SANDBOX_SANDBOX_ROOT_H

#include "core/base/error.h"
#include "core/kube/sandbox/sandbox.h"

/*
 * Make plan->root "/", in a mount namespace of its own: with an overlay, whose
 * upper and work directories are made below plan->upper.  In it are the plan's
 * host name in /etc/hostname and a /tmp, as far as the image has room for them.
 */
int	sandbox_root_enter(const struct sandbox_plan *, struct error *);

#endif
