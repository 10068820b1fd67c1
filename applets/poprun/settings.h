/*
 * What each of poprun's options does to the settings: the value of each is
 * checked by itself, then all of them against each other.
 */
#ifndef APPLETS_POPRUN_SETTINGS_H
#define APPLETS_POPRUN_SETTINGS_H

#include "core/base/error.h"
#include "core/launch/plan/launch_settings.h"

/* Set what the option of that long name says; the value must last as long as
   the settings. */
int	settings_apply(struct launch_settings *, const char *name,
	    const char *value, struct error *);

/* What only all of them together can say. */
int	settings_check(struct launch_settings *, struct error *);

#endif
