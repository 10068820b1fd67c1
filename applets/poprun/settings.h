/*
 * poprun's settings, one option at a time: the value of each checked by itself,
 * then all of them against each other.
 */
#ifndef APPLETS_POPRUN_SETTINGS_H
#define APPLETS_POPRUN_SETTINGS_H

#include "applets/poprun/poprun_internal.h"

enum {
	SETTINGS_TIMEOUT_S = 120,		/* of a V-IPU server */
	SETTINGS_PORT = 8090
};

/* Set what the option of that long name says; the value must last as long as
   the settings. */
int	settings_apply(struct poprun_settings *, const char *name,
	    const char *value, struct error *);

/* What only all of them together can say. */
int	settings_check(struct poprun_settings *, struct error *);

#endif
