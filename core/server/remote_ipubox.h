/*
 * A controller on a vipu-server: all that the embedded one does, over package
 * ipubox.v1.  Private to core/server.
 *
 * Source: config/sdk/proto/ipubox_v1.proto.
 */
#ifndef CORE_SERVER_REMOTE_IPUBOX_H
#define CORE_SERVER_REMOTE_IPUBOX_H

#include "core/control/operations.h"

/* What such a server says that it serves. */
#define REMOTE_IPUBOX_SERVICE	"ipubox.v1.ControllerService"

extern const struct controller_operations	remote_ipubox_operations;

#endif
