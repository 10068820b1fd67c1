/* gRPC's statuses, our codes, and grpc-message. */
#include "core/server/rpc/rpc.h"

#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* A code, its status, and what comes back at a client. */
static const struct {
	enum error_code code;
	enum rpc_status status;
	enum error_code back;
} codes[] = {
	{ ERROR_NONE, RPC_OK, ERROR_NONE },
	{ ERROR_FAILED, RPC_UNKNOWN, ERROR_FAILED },
	{ ERROR_INVALID, RPC_INVALID_ARGUMENT, ERROR_INVALID },
	{ ERROR_NOT_FOUND, RPC_NOT_FOUND, ERROR_NOT_FOUND },
	{ ERROR_EXISTS, RPC_ALREADY_EXISTS, ERROR_EXISTS },
	{ ERROR_DENIED, RPC_PERMISSION_DENIED, ERROR_DENIED },
	{ ERROR_UNAUTHENTICATED, RPC_UNAUTHENTICATED, ERROR_UNAUTHENTICATED },
	{ ERROR_BUSY, RPC_FAILED_PRECONDITION, ERROR_BUSY },
	{ ERROR_UNSAFE, RPC_FAILED_PRECONDITION, ERROR_BUSY },
	{ ERROR_NO_ROOM, RPC_RESOURCE_EXHAUSTED, ERROR_NO_ROOM },
	{ ERROR_IO, RPC_INTERNAL, ERROR_IO },
	{ ERROR_STALE, RPC_ABORTED, ERROR_STALE },
	{ ERROR_UNAVAILABLE, RPC_UNAVAILABLE, ERROR_UNAVAILABLE },
	{ ERROR_UNCONFIRMED, RPC_UNKNOWN, ERROR_FAILED },
	{ ERROR_TIMED_OUT, RPC_DEADLINE_EXCEEDED, ERROR_TIMED_OUT },
	{ ERROR_INTERRUPTED, RPC_CANCELLED, ERROR_INTERRUPTED },
	{ ERROR_DAMAGED, RPC_DATA_LOSS, ERROR_DAMAGED },
	{ ERROR_UNSUPPORTED, RPC_UNIMPLEMENTED, ERROR_UNSUPPORTED },
};

static const struct {
	const char *plain, *escaped;
} texts[] = {
	{ "", "" },
	{ "p1: no such partition", "p1: no such partition" },
	{ "100%", "100%25" },
	{ "a\nb\tc", "a%0Ab%09c" },
	{ "Z\xc3\xbcrich", "Z%C3%BCrich" },
	{ "~\x7f", "~%7F" },
};

static const struct {
	const char *text;
	enum rpc_status status;
} statuses[] = {
	{ "0", RPC_OK },
	{ "16", RPC_UNAUTHENTICATED },
	{ "17", RPC_UNKNOWN },
	{ "-1", RPC_UNKNOWN },
	{ "", RPC_UNKNOWN },
	{ "5x", RPC_UNKNOWN },
};

/* Through a status and what stands beside it every code is what it was. */
static void
test_exact(void)
{
	char text[RPC_STATUS_EXACT_SIZE];
	int code, same = 0, said = 0;

	for (code = ERROR_FAILED; code <= ERROR_UNSUPPORTED; code++) {
		rpc_status_put_exact((enum error_code)code, text);
		said += text[0] != '\0';
		same += (int)rpc_status_get_exact(
			    rpc_status_from((enum error_code)code), text) ==
		    code;
	}
	is_int(same, ERROR_UNSUPPORTED, "every code comes back");
	is_int(said, 2, "ERROR_UNSAFE and ERROR_UNCONFIRMED say themselves");
	is_int(rpc_status_get_exact(RPC_NOT_FOUND, "8"), ERROR_NOT_FOUND,
	    "a code of another status does not count");
	is_int(rpc_status_get_exact(RPC_FAILED_PRECONDITION, "x"), ERROR_BUSY,
	    "nor does what is not a number");
	is_int(rpc_status_get_exact(RPC_FAILED_PRECONDITION,
		   "99999999999999999999"),
	    ERROR_BUSY, "nor one of no code");
	is_int(rpc_status_get_exact(RPC_UNKNOWN, NULL), ERROR_FAILED,
	    "nor what is not there");
}

static void
test_texts(void)
{
	char out[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		rpc_status_escape(texts[i].plain, out, sizeof(out));
		is_str(out, texts[i].escaped, "a text is escaped");
		rpc_status_unescape(texts[i].escaped, out, sizeof(out));
		is_str(out, texts[i].plain, "and comes back");
	}
	rpc_status_unescape("%zz %4 %e4%", out, sizeof(out));
	is_str(out, "%zz %4 \xe4%", "what is not an escape stays");
	rpc_status_escape("ab%c", out, 5);
	is_str(out, "ab", "an escape is not cut");
	rpc_status_escape("ab%c", out, 6);
	is_str(out, "ab%25", "one that has room is there");
	rpc_status_escape("abc", out, 3);
	is_str(out, "ab", "a text is cut");
	rpc_status_unescape("%41BC", out, 3);
	is_str(out, "AB", "and so is one that comes back");
}

static void
digits(void)
{
	char text[4];

	rpc_status_digits(RPC_OK, text);
	is_str(text, "0", "the least status");
	rpc_status_digits(RPC_FAILED_PRECONDITION, text);
	is_str(text, "9", "one digit");
	rpc_status_digits(RPC_ABORTED, text);
	is_str(text, "10", "two");
	rpc_status_digits(RPC_UNAUTHENTICATED, text);
	is_str(text, "16", "the last");
}

int
main(void)
{
	size_t i;

	digits();
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		is_int(rpc_status_from(codes[i].code), codes[i].status,
		    "the status of a code");
		is_int(rpc_status_error(codes[i].status), codes[i].back,
		    "the code of a status");
	}
	is_int(rpc_status_error(RPC_OUT_OF_RANGE), ERROR_INVALID,
	    "a status that is nobody's");
	is_str(rpc_status_name(RPC_OK), "OK", "the first name");
	is_str(rpc_status_name(RPC_UNAUTHENTICATED), "UNAUTHENTICATED",
	    "the last name");
	is_str(rpc_status_name((enum rpc_status)17), "UNKNOWN",
	    "a number without a name");
	for (i = 0; i < ARRAY_SIZE(statuses); i++)
		is_int(rpc_status_parse(statuses[i].text), statuses[i].status,
		    "a grpc-status");
	is_int(rpc_status_from_http(404), RPC_UNIMPLEMENTED, "HTTP 404");
	is_int(rpc_status_from_http(503), RPC_UNAVAILABLE, "HTTP 503");
	is_int(rpc_status_from_http(415), RPC_UNKNOWN, "HTTP 415");
	is_int(rpc_status_from_reset(7), RPC_UNAVAILABLE, "REFUSED_STREAM");
	is_int(rpc_status_from_reset(8), RPC_CANCELLED, "CANCEL");
	is_int(rpc_status_from_reset(11), RPC_RESOURCE_EXHAUSTED,
	    "ENHANCE_YOUR_CALM");
	is_int(rpc_status_from_reset(1), RPC_INTERNAL, "PROTOCOL_ERROR");
	test_exact();
	test_texts();
	return tap_done();
}
