/*
 * Serving a pod, from the first client to the last.
 */
#ifndef APPLETS_VIPU_SERVER_SERVE_H
#define APPLETS_VIPU_SERVER_SERVE_H

#include "applets/vipu-server/server_settings.h"
#include "core/base/error.h"

/*
 * Open the state and serve it until a signal ends it.  0: it was stopped well.
 */
int	serve_run(const struct server_settings *, struct error *);

#endif
