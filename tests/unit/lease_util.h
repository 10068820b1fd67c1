/*
 * A server of leases (ipu/device/lease_service.h) for tests: it listens at the
 * socket of the test's state and at a TCP port of this host.
 */
#ifndef TESTS_UNIT_LEASE_UTIL_H
#define TESTS_UNIT_LEASE_UTIL_H

#include <stdbool.h>

#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

enum { LEASE_UTIL_WAIT_MS = 10000 };

extern char lease_util_port[8];

/* A state with p4, which has devices of up to 4 IPUs from IPU 0 on, and hers,
   which the server lends to nobody. */
void lease_util_make_partitions(void);

void lease_util_start(void);
void lease_util_kill(void);

/* The IPU's slot as another program would see it; whether somebody holds it. */
bool lease_util_see(int ipu, struct ipu_slot *);

/* A raw client of the server, and a stream of it that has said its wish: all of
   p4, now, or when others have given it back. */
struct rpc_client *lease_util_dial(bool tcp);
struct rpc_stream *lease_util_wish(struct rpc_client *, bool wait);

#endif
