/*
 * A gRPC server in a separate process, for tests of both sides.
 *
 *	/test.Echo/Unary	the message comes back
 *	/test.Echo/Refuse	ERROR_BUSY, with the message as its sentence
 *	/test.Echo/Late		the message comes back after 20 ms
 *	/test.Echo/Never	no answer
 *	/test.Echo/Big		as many bytes as the message says
 *	/test.Echo/Metadata	the value of the metadata that it names, or "-"
 *	/test.Echo/Peer		"local UID" or "remote"
 *	/test.Echo/Pass		the message, in a file; its descriptor is
 *				passed; "passed", or "not"
 *	/test.Echo/Stream	each message comes back, until the end
 *	/test.Echo/Count	struct rpc_counts
 *	/test.Echo/Sick		the server does not serve from now on: health
 */
#ifndef TESTS_UNIT_RPC_UTIL_H
#define TESTS_UNIT_RPC_UTIL_H

#include <stdint.h>
#include <sys/types.h>

#include "core/server/rpc/rpc.h"

/* Counters of the server. */
struct rpc_counts {
	uint64_t connections, held;
	uint64_t ends[4]; /* by enum rpc_end */
	uint64_t troubles;
	uint64_t max_rss_kib;
};

struct rpc_process {
	pid_t pid;
	int port;
	char port_text[8];
	int troubles; /* read end of a pipe: one line per trouble */
};

/* Start it on 127.0.0.1 and, unless NULL, at "rpc" in the directory. */
void rpc_process_start(struct rpc_process *, const struct rpc_limits *,
    const char *directory);
/* Ask it to end cleanly, by SIGTERM. */
void rpc_process_ask(const struct rpc_process *);
/* Wait for its end.  Returns the exit status, 128 + n for signal n. */
int rpc_process_wait(struct rpc_process *);

/* Return a client with five seconds for everything. */
struct rpc_client *rpc_process_client(const struct rpc_process *);
/* Open a bare connection. */
int rpc_process_dial(const struct rpc_process *);
/* Return its counters. */
struct rpc_counts rpc_process_count(struct rpc_client *);

#endif
