/*
 * A directory that cannot be changed, or must not be, is shown as a copy in
 * memory to which names can be added.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_MIMIC_H
#define CORE_KUBE_SANDBOX_SANDBOX_MIMIC_H

#include "core/base/error.h"

/* So many entries can be shown, each by a mount of its own. */
enum { SANDBOX_MIMIC_MAX = 10000 };

/*
 * Mount the copy over the directory, "/" as well, whose path has no symbolic
 * links: each of its entries is the very same as before, with all that is
 * mounted below, and a symbolic link has the same text.  *tree is the copy's
 * (mount_call.h), which the caller closes.  In a mount namespace of its own;
 * after "/" the working directory is "/".
 */
int	sandbox_mimic_make(const char *directory, int *tree, struct error *);

#endif
