/*
 * The options about the run itself: its output and its end.
 */
#ifndef APPLETS_POPRUN_SETTINGS_RUN_H
#define APPLETS_POPRUN_SETTINGS_RUN_H

#include "core/launch/plan/launch_settings.h"

/* As settings_apply() and settings_check() do for all options; the key is one
   from KEY_ONLY_OUTPUT to KEY_CHECK. */
int	settings_run_apply(struct launch_settings *, int key,
	    const char *value, struct error *);
int	settings_run_check(const struct launch_settings *, struct error *);

#endif
