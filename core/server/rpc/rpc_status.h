/*
 * How a call ended, in gRPC's numbers (grpc.github.io, statuscodes.md), and
 * what they are among the codes of core/base/error.h.
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

/* What goes out for a code, as error.h says behind each. */
enum rpc_status rpc_status_from(enum error_code);

/*
 * What came in.  Codes that share a status come back as the first of them:
 * ERROR_BUSY for ERROR_UNSAFE, ERROR_FAILED for ERROR_UNCONFIRMED.
 */
enum error_code rpc_status_error(enum rpc_status);

/*
 * The code itself travels where its status stands for another one first: as
 * metadata of this name behind the answer, a number of error.h.
 */
#define RPC_STATUS_EXACT "ipubox-error"
enum { RPC_STATUS_EXACT_SIZE = 4 };

/* The value; "": the status says it. */
void rpc_status_put_exact(enum error_code, char[RPC_STATUS_EXACT_SIZE]);
/* The code of such a value, which was not there if it is NULL.  One that is not
   a code of that status does not count: then as rpc_status_error(). */
enum error_code rpc_status_get_exact(enum rpc_status, const char *);

/* "NOT_FOUND", as gRPC spells it. */
const char *rpc_status_name(enum rpc_status);

/* The value of a grpc-status header: "0" to "16". */
void rpc_status_digits(enum rpc_status, char digits[4]);

/*
 * The value of a grpc-status header: RPC_UNKNOWN where it is not a status of
 * this list.
 */
enum rpc_status rpc_status_parse(const char *text);

/* For answers without a grpc-status: what an HTTP status, or the code of an
   HTTP/2 RST_STREAM, means (gRPC over HTTP2, "Responses" and "Errors"). */
enum rpc_status rpc_status_from_http(long long status);
enum rpc_status rpc_status_from_reset(uint32_t code);

/*
 * A grpc-message: bytes outside of 0x20 to 0x7e, and "%", become "%XX".  What
 * has no room is cut, in front of an escape.  strlen() * 3 + 1 is room for any
 * text.
 */
void rpc_status_escape(const char *text, char *out, size_t size);
/* And back; what is not an escape stays as it is. */
void rpc_status_unescape(const char *text, char *out, size_t size);

#endif
