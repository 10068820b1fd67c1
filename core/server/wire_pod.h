/*
 * A pod as a message of ipubox.v1, and back.
 */
#ifndef CORE_SERVER_WIRE_POD_H
#define CORE_SERVER_WIRE_POD_H

#include <ipubox_v1.pb.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

/* Fill the zeroed message; rpc_message_release() frees what it holds. */
void	wire_pod_put(const struct pod *, ipubox_v1_Pod *);

/*
 * Fill a pod, which the caller releases; it is empty where that fails.
 * ERROR_INVALID: a limit of pod.h is passed, an index leads nowhere, or it is
 * not what pod_check() allows.
 */
int	wire_pod_get(const ipubox_v1_Pod *, struct pod *, struct error *);

#endif
