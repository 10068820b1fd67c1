/*
 * The grpc-timeout header: how long a caller waits, as "250m" or "8S".
 *
 * Source: grpc.github.io, "gRPC over HTTP2": up to 8 digits and a unit, H M S m
 * u n.
 */
#ifndef CORE_SERVER_RPC_RPC_DEADLINE_H
#define CORE_SERVER_RPC_RPC_DEADLINE_H

#include <stdint.h>

enum { RPC_DEADLINE_SIZE = 10 }; /* of the text, with its NUL */

/* Milliseconds, rounded up, or -1: it is not one. */
int64_t rpc_deadline_parse(const char *text);

/* Write it: the finest unit that has room, rounded up.  Negative is 0. */
void rpc_deadline_format(int64_t ms, char text[RPC_DEADLINE_SIZE]);

/* The moment: now and the time-out, INT64_MAX where that is later. */
int64_t rpc_deadline_after(int64_t now_ms, int64_t timeout_ms);

#endif
