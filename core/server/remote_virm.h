/*
 * A controller on any server of the published contract, package virmgrpc: its
 * partitions can be listed, created, removed and reset, and nothing else.  What
 * it does not tell is refused with a sentence that says which server does.
 * Private to core/control.
 *
 * Source: graphcore/vipu-protos; config/sdk/proto/virmgrpc.proto.
 */
#ifndef CORE_SERVER_REMOTE_VIRM_H
#define CORE_SERVER_REMOTE_VIRM_H

#include "core/control/backend.h"

extern const struct backend	remote_virm_backend;

/*
 * "the server at HOST:PORT tells partitions alone; WHAT needs vipu-server of
 * ipubox", ERROR_UNSUPPORTED.
 */
int	remote_virm_lacks(const struct controller *, const char *what,
	    struct error *);

#endif
