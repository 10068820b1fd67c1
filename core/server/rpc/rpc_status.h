/*
 * Status of a call in gRPC's numbers (grpc.github.io, statuscodes.md), and the
 * mapping to the codes of core/base/error.h.  Then the time limit and the
 * metadata, which travel in headers as well.
 */
#ifndef CORE_SERVER_RPC_RPC_STATUS_H
#define CORE_SERVER_RPC_RPC_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum rpc_status {
	RPC_OK,
	RPC_CANCELLED,
	RPC_UNKNOWN,
	RPC_INVALID_ARGUMENT,
	RPC_DEADLINE_EXCEEDED,
	RPC_NOT_FOUND,
	RPC_ALREADY_EXISTS,
	RPC_PERMISSION_DENIED,
	RPC_RESOURCE_EXHAUSTED,
	RPC_FAILED_PRECONDITION,
	RPC_ABORTED,
	RPC_OUT_OF_RANGE,
	RPC_UNIMPLEMENTED,
	RPC_INTERNAL,
	RPC_UNAVAILABLE,
	RPC_DATA_LOSS,
	RPC_UNAUTHENTICATED
};

/* Return the status to send for a code, as listed in error.h. */
enum rpc_status rpc_status_from(enum error_code);

/* Return the code for a received status.  Codes that share a status map to the
   first: ERROR_BUSY for ERROR_UNSAFE, ERROR_FAILED for ERROR_UNCONFIRMED. */
enum error_code rpc_status_error(enum rpc_status);

/* Metadata after the answer with the exact code, a number of error.h, if its
   status is ambiguous. */
#define RPC_STATUS_EXACT "ipubox-error"
enum { RPC_STATUS_EXACT_SIZE = 4 };

/* Write the value for a code; "" if its status suffices. */
void rpc_status_put_exact(enum error_code, char[RPC_STATUS_EXACT_SIZE]);
/* Return the code of such a value.  For NULL, or a value that does not match
   the status, return rpc_status_error(). */
enum error_code rpc_status_get_exact(enum rpc_status, const char *);

/* Return the name in gRPC's spelling: "NOT_FOUND"; of others "UNKNOWN". */
const char *rpc_status_name(enum rpc_status);

/* Write the value of a grpc-status header: "0" to "16". */
void rpc_status_digits(enum rpc_status, char digits[4]);

/* Parse a grpc-status header; RPC_UNKNOWN: not a number of the enum. */
enum rpc_status rpc_status_parse(const char *text);

/* Return the status for answers without grpc-status: from HTTP, or the code of
   an HTTP/2 RST_STREAM (gRPC over HTTP2, "Responses" and "Errors"). */
enum rpc_status rpc_status_from_http(long long status);
enum rpc_status rpc_status_from_reset(uint32_t code);

/* Escape a grpc-message: bytes outside of 0x20 to 0x7e, and "%", become "%XX".
   A long result is cut, but not in an escape; strlen() * 3 + 1 suffices. */
void rpc_status_escape(const char *text, char *out, size_t size);
/* Unescape, cut to the size; anything that is not an escape is unchanged. */
void rpc_status_unescape(const char *text, char *out, size_t size);

/*
 * The grpc-timeout header: a caller's time limit, as "250m" or "8S".
 *
 * Source: grpc.github.io, "gRPC over HTTP2": up to 8 digits and a unit, H M S m
 * u n.
 */

enum { RPC_DEADLINE_SIZE = 10 }; /* text with its NUL */

/* Return the limit in ms, rounded up; -1: not valid. */
int64_t rpc_deadline_parse(const char *text);

/* Write a limit in the finest unit from ms to hours that fits, rounded up; at
   most 99999999 hours.  Negative is 0. */
void rpc_deadline_format(int64_t ms, char text[RPC_DEADLINE_SIZE]);

/* Add the time limit to now, up to INT64_MAX. */
int64_t rpc_deadline_after(int64_t now_ms, int64_t timeout_ms);

/*
 * Metadata of a call: headers that its caller adds, each a lower-case name and
 * a printable ASCII value.
 */

/* A row to send; a list ends with a NULL name. */
struct rpc_metadata_row {
	const char *name, *value;
};

/* Received rows: "name\0value\0", one after another. */
struct rpc_metadata {
	char *text;
	size_t size, room;
};

/* _add: copy a row into metadata, which begins zeroed.  _release: free them. */
void rpc_metadata_add(struct rpc_metadata *, const void *name, size_t name_size,
    const void *value, size_t value_size);
void rpc_metadata_release(struct rpc_metadata *);

/* Return the first value of that name until the metadata changes, or NULL. */
const char *rpc_metadata_get(const struct rpc_metadata *, const char *name);

#endif
