/*
 * Which partition a job uses.
 *
 * Source: the PopRun guide 2.7.
 */
#ifndef APPLETS_POPRUN_PARTITION_CHOICE_H
#define APPLETS_POPRUN_PARTITION_CHOICE_H

#include "applets/poprun/settings.h"
#include "core/base/error.h"
#include "core/control/control.h"
#include "core/state/state.h"

/*
 * The name from the command line, the environment, or that of the only
 * partition of the snapshot.  -1: there is none, or there are several and none
 * is said.
 */
int	partition_choice_name(const struct poprun_settings *,
	    const struct controller *, const struct snapshot *,
	    char name[NAME_SIZE], struct error *);

#endif
