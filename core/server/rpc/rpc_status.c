/*
 * gRPC's statuses and our error codes.
 */
#include "core/server/rpc/rpc_status.h"

#include <nghttp2/nghttp2.h>

#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

/* Indexed by enum error_code. */
static const enum rpc_status status_of_code[] = {
	[ERROR_NONE] = RPC_OK,
	[ERROR_FAILED] = RPC_UNKNOWN,
	[ERROR_INVALID] = RPC_INVALID_ARGUMENT,
	[ERROR_NOT_FOUND] = RPC_NOT_FOUND,
	[ERROR_EXISTS] = RPC_ALREADY_EXISTS,
	[ERROR_DENIED] = RPC_PERMISSION_DENIED,
	[ERROR_UNAUTHENTICATED] = RPC_UNAUTHENTICATED,
	[ERROR_BUSY] = RPC_FAILED_PRECONDITION,
	[ERROR_UNSAFE] = RPC_FAILED_PRECONDITION,
	[ERROR_NO_ROOM] = RPC_RESOURCE_EXHAUSTED,
	[ERROR_IO] = RPC_INTERNAL,
	[ERROR_STALE] = RPC_ABORTED,
	[ERROR_UNAVAILABLE] = RPC_UNAVAILABLE,
	[ERROR_UNCONFIRMED] = RPC_UNKNOWN,
	[ERROR_TIMED_OUT] = RPC_DEADLINE_EXCEEDED,
	[ERROR_INTERRUPTED] = RPC_CANCELLED,
	[ERROR_DAMAGED] = RPC_DATA_LOSS,
	[ERROR_UNSUPPORTED] = RPC_UNIMPLEMENTED,
};
_Static_assert(ARRAY_SIZE(status_of_code) == ERROR_UNSUPPORTED + 1,
    "every code has a status");

static const char *const status_names[] = { "OK", "CANCELLED", "UNKNOWN",
	"INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
	"ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
	"DATA_LOSS", "UNAUTHENTICATED" };

enum rpc_status
rpc_status_from(enum error_code code)
{
	return (size_t)code < ARRAY_SIZE(status_of_code) ?
	    status_of_code[code] :
	    RPC_UNKNOWN;
}

enum error_code
rpc_status_error(enum rpc_status status)
{
	size_t i;

	if (status == RPC_OUT_OF_RANGE)
		return ERROR_INVALID;
	for (i = 0; i < ARRAY_SIZE(status_of_code); i++)
		if (status_of_code[i] == status)
			return (enum error_code)i;
	return ERROR_FAILED;
}

void
rpc_status_put_exact(enum error_code code, char text[RPC_STATUS_EXACT_SIZE])
{
	text[0] = '\0';
	if (rpc_status_error(rpc_status_from(code)) != code)
		(void)snprintf(text, RPC_STATUS_EXACT_SIZE, "%d", (int)code);
}

enum error_code
rpc_status_get_exact(enum rpc_status status, const char *text)
{
	long long code;

	if (text == NULL ||
	    parse_number("code", text, ERROR_FAILED, ERROR_UNSUPPORTED, &code,
		NULL) != 0 ||
	    rpc_status_from((enum error_code)code) != status)
		return rpc_status_error(status);
	return (enum error_code)code;
}

const char *
rpc_status_name(enum rpc_status status)
{
	return (size_t)status < ARRAY_SIZE(status_names) ?
	    status_names[status] :
	    "UNKNOWN";
}

void
rpc_status_digits(enum rpc_status status, char digits[4])
{
	int at = 0, n = (int)status;

	if (n >= 10)
		digits[at++] = (char)('0' + n / 10);
	digits[at++] = (char)('0' + n % 10);
	digits[at] = '\0';
}

enum rpc_status
rpc_status_parse(const char *text)
{
	long long n;

	return parse_number("grpc-status", text, RPC_OK, RPC_UNAUTHENTICATED,
		   &n, NULL) == 0 ?
	    (enum rpc_status)n :
	    RPC_UNKNOWN;
}

enum rpc_status
rpc_status_from_http(long long status)
{
	switch (status) {
	case 400:
		return RPC_INTERNAL;
	case 401:
		return RPC_UNAUTHENTICATED;
	case 403:
		return RPC_PERMISSION_DENIED;
	case 404:
		return RPC_UNIMPLEMENTED;
	case 429:
	case 502:
	case 503:
	case 504:
		return RPC_UNAVAILABLE;
	default:
		return RPC_UNKNOWN;
	}
}

enum rpc_status
rpc_status_from_reset(uint32_t code)
{
	switch (code) {
	case NGHTTP2_REFUSED_STREAM:
		return RPC_UNAVAILABLE;
	case NGHTTP2_CANCEL:
		return RPC_CANCELLED;
	case NGHTTP2_ENHANCE_YOUR_CALM:
		return RPC_RESOURCE_EXHAUSTED;
	case NGHTTP2_INADEQUATE_SECURITY:
		return RPC_PERMISSION_DENIED;
	default:
		return RPC_INTERNAL;
	}
}

static const char status_digits[] = "0123456789ABCDEF";

void
rpc_status_escape(const char *text, char *out, size_t size)
{
	const char *end = out + size;
	unsigned char c;

	for (; (c = (unsigned char)*text) != '\0'; text++) {
		const bool plain = c >= ' ' && c <= '~' && c != '%';

		if (end - out <= (plain ? 1 : 3))
			break;
		if (plain) {
			*out++ = (char)c;
			continue;
		}
		*out++ = '%';
		*out++ = status_digits[c >> 4];
		*out++ = status_digits[c & 15];
	}
	*out = '\0';
}

/* Return the value of a hexadecimal digit, or -1. */
static int
status_digit(char c)
{
	const char *at;

	if (c >= 'a' && c <= 'f')
		c = (char)(c - 'a' + 'A');
	at = c == '\0' ? NULL : strchr(status_digits, c);
	return at == NULL ? -1 : (int)(at - status_digits);
}

void
rpc_status_unescape(const char *text, char *out, size_t size)
{
	const char *end = out + size - 1;
	int high, low;

	for (; *text != '\0' && out < end; text++) {
		if (*text == '%' && (high = status_digit(text[1])) != -1 &&
		    (low = status_digit(text[2])) != -1) {
			*out++ = (char)(high << 4 | low);
			text += 2;
		} else
			*out++ = *text;
	}
	*out = '\0';
}
