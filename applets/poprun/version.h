/*
 * poprun --version in its three forms.
 */
#ifndef APPLETS_POPRUN_VERSION_H
#define APPLETS_POPRUN_VERSION_H

#include "applets/applet.h"
#include "core/launch/plan/plan.h"

/*
 * Text: one line.  Full text and full JSON: that of poprun, of PopDist, which
 * is the same file, and of the Open MPI that would be used.  Where a release
 * is emulated it is that one's.  Returns EXIT_DONE, or EXIT_FAILED where the
 * settings are refused.
 */
int	version_print(const struct applet *, enum version_format);

#endif
