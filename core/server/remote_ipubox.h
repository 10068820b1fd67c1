/*
 * A controller on a vipu-server: all that the embedded one does, over package
 * ipubox.v1.  Private to core/control.
 *
 * Source: config/sdk/proto/ipubox_v1.proto.
 */
#ifndef CORE_SERVER_REMOTE_IPUBOX_H
#define CORE_SERVER_REMOTE_IPUBOX_H

#include "core/control/backend.h"

/* What such a server says that it serves. */
#define REMOTE_IPUBOX_SERVICE	"ipubox.v1.ControllerService"

extern const struct backend	remote_ipubox_backend;

#endif
