/*
 * Where the instances run: --process-placement.
 */
#ifndef APPLETS_POPRUN_CORES_H
#define APPLETS_POPRUN_CORES_H

#include <stdbool.h>

#include "applets/poprun/poprun_internal.h"
#include "core/base/error.h"
#include "core/process/process.h"

/*
 * The directory that a dry run reads in place of /sys, to show where instances
 * would run on the machine whose tree it holds.
 */
#define CORES_SYS_VARIABLE	"IPUBOX_SYS"

/* Choose the plan's binding, and log where each instance will run. */
int	cores_choose(struct plan *, struct error *);

/* Whether the instance is bound, and to what. */
bool	cores_binding(const struct plan *, int instance, struct binding *);

/* Whether what the user gave mpirun says where instances run on a host. */
bool	cores_are_mpiruns(const struct poprun_settings *);

/* The arguments for mpirun before the user's own, with spaces between. */
const char	*cores_mpirun_args(const struct poprun_settings *);

#endif
