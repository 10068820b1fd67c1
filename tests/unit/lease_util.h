/*
 * A server of leases (ipu/device/device.h) for tests.  It listens at the
 * socket of the test's state and at a TCP port of this host.
 */
#ifndef TESTS_UNIT_LEASE_UTIL_H
#define TESTS_UNIT_LEASE_UTIL_H

#include <stdbool.h>

#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

enum { LEASE_UTIL_WAIT_MS = 10000 };

extern char lease_util_port[8];

/* Make a state with the partitions p4, which has devices of up to 4 IPUs from
   IPU 0, and hers, which the server lends to no one. */
void lease_util_make_partitions(void);

void lease_util_start(void);
void lease_util_kill(void);

/* Copy the IPU's slot as another program sees it; whether the IPU is held. */
bool lease_util_see(int ipu, struct ipu_slot *);

/* Connect a raw client; and open a stream that has asked for all of p4, at once
   or after others have given it back. */
struct rpc_client *lease_util_dial(bool tcp);
struct rpc_stream *lease_util_wish(struct rpc_client *, bool wait);

#endif
