/*
 * The message PartitionConfig: what a program needs to find its IPUs.
 */
#ifndef APPLETS_VIPU_SERVER_CONFIG_MESSAGES_H
#define APPLETS_VIPU_SERVER_CONFIG_MESSAGES_H

#include <virmgrpc.pb.h>

#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

/*
 * Fill it for one GCD, -1: all of them; it is for rpc_message_release().  -1,
 * ERROR_INVALID: the partition has no such GCD.
 */
int	config_messages_fill(virmgrpc_PartitionConfig *, const struct pod *,
	    const struct partition *, int64_t gcd, const struct versions *,
	    struct error *);

#endif
