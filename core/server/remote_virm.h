/*
 * A controller on any server of the published contract, package virmgrpc: its
 * partitions can be listed, created, removed and reset, and nothing else.  What
 * it does not tell is refused with a sentence that says which server does.
 * Private to core/server.
 *
 * Source: graphcore/vipu-protos; config/sdk/proto/virmgrpc.proto.
 */
#ifndef CORE_SERVER_REMOTE_VIRM_H
#define CORE_SERVER_REMOTE_VIRM_H

#include "core/control/operations.h"

extern const struct controller_operations	remote_virm_operations;

/*
 * "the server at HOST:PORT tells partitions alone; WHAT needs vipu-server of
 * ipubox", ERROR_UNSUPPORTED.
 */
int	remote_virm_lacks(const struct controller *, const char *what,
	    struct error *);

#endif
