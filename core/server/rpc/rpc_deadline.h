/*
 * The grpc-timeout header: a caller's time limit, as "250m" or "8S".
 *
 * Source: grpc.github.io, "gRPC over HTTP2": up to 8 digits and a unit, H M S m
 * u n.
 */
#ifndef CORE_SERVER_RPC_RPC_DEADLINE_H
#define CORE_SERVER_RPC_RPC_DEADLINE_H

#include <stdint.h>

enum { RPC_DEADLINE_SIZE = 10 }; /* text with its NUL */

/* Return the limit in ms, rounded up; -1: not valid. */
int64_t rpc_deadline_parse(const char *text);

/* Write a limit in the finest unit from ms to hours that fits, rounded up; at
   most 99999999 hours.  Negative is 0. */
void rpc_deadline_format(int64_t ms, char text[RPC_DEADLINE_SIZE]);

/* Add the time limit to now, up to INT64_MAX. */
int64_t rpc_deadline_after(int64_t now_ms, int64_t timeout_ms);

#endif
