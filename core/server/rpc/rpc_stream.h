/*
 * Calls of a client, each on a stream of its connection.
 *
 * Codes of errors: what the server answered, by rpc_status_get_exact();
 * ERROR_TIMED_OUT, the time is over; ERROR_UNAVAILABLE, the connection is lost,
 * after which each call fails so.
 */
#ifndef CORE_SERVER_RPC_RPC_STREAM_H
#define CORE_SERVER_RPC_RPC_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_client.h"
#include "core/server/rpc/rpc_metadata.h"

struct rpc_stream;

/*
 * Ask and wait for the answer, which the caller frees.  `metadata` ends with a
 * NULL name, or is NULL.  timeout_ms is told to the server as well; 0: none.
 */
int	rpc_stream_call(struct rpc_client *, const char *path,
	    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
	    const void *bytes, size_t size, unsigned char **answer,
	    size_t *answer_size, struct error *);

/* A call of many messages; nothing is waited for.  NULL: no connection. */
struct rpc_stream	*rpc_stream_begin(struct rpc_client *,
			    const char *path,
			    const struct rpc_metadata_row *metadata,
			    int64_t timeout_ms, struct error *);
void	rpc_stream_send(struct rpc_stream *, const void *bytes, size_t size);
/* There will be no more of them. */
void	rpc_stream_half_close(struct rpc_stream *);

enum rpc_received {
	RPC_FAILED = -1,	/* it has ended, as the error says */
	RPC_ENDED,		/* it has ended well */
	RPC_MESSAGE,		/* *bytes, until the next call */
	RPC_NOTHING		/* in the time */
};

/* Wait at most so long (negative: as long as it takes) for a message. */
enum rpc_received	rpc_stream_receive(struct rpc_stream *,
			    int64_t wait_ms, const unsigned char **bytes,
			    size_t *size, struct error *);
/* Give it up, where it has not ended, and free it.  NULL is fine. */
void	rpc_stream_drop(struct rpc_stream *);

#endif
