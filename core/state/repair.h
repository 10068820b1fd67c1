/*
 * What a reader does about a registry that a writer left in mid-change.
 * Private to core/state.
 */
#ifndef CORE_STATE_REPAIR_H
#define CORE_STATE_REPAIR_H

#include <stdbool.h>

#include "core/base/error.h"

/* Whether a program holds the lock of the state directory. */
bool	state_has_writer(const char *directory);

/* Bring the registry `path` of the state directory in step with its files. */
int	state_repair(const char *directory, const char *path, struct error *);

#endif
