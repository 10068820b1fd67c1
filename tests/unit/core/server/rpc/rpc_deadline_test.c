/* grpc-timeout, both ways. */
#include "core/server/rpc/rpc_status.h"

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const struct {
	const char *text;
	int64_t ms;
} parsed[] = { { "1H", 3600000 }, { "2M", 120000 }, { "8S", 8000 },
	{ "250m", 250 }, { "0m", 0 }, { "1u", 1 }, { "1000u", 1 },
	{ "1001u", 2 }, { "1n", 1 }, { "1000000n", 1 }, { "1000001n", 2 },
	{ "0n", 0 }, { "99999999H", 99999999LL * 3600000 },
	{ "00000001S", 1000 }, { "000000001S", -1 }, { "100000000m", -1 },
	{ "", -1 }, { "S", -1 }, { "5", -1 }, { "5s", -1 }, { "5SS", -1 },
	{ "-5S", -1 }, { "5 S", -1 }, { "1.5S", -1 }, { "+1S", -1 } };

static const struct {
	int64_t ms;
	const char *text;
} formatted[] = { { 0, "0m" }, { -5, "0m" }, { 1, "1m" },
	{ 99999999, "99999999m" }, { 100000000, "100000S" },
	{ 100000001, "100001S" }, { 99999999000LL, "99999999S" },
	{ 99999999001LL, "1666667M" }, { 99999999LL * 60000 + 1, "1666667H" },
	{ INT64_MAX, "99999999H" } };

int
main(void)
{
	char text[RPC_DEADLINE_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parsed); i++)
		is_int(rpc_deadline_parse(parsed[i].text), parsed[i].ms,
		    parsed[i].text);
	for (i = 0; i < ARRAY_SIZE(formatted); i++) {
		rpc_deadline_format(formatted[i].ms, text);
		is_str(text, formatted[i].text, "a time-out is written");
	}
	is_int(rpc_deadline_after(100, 50), 150, "a moment");
	is_int(rpc_deadline_after(100, INT64_MAX), INT64_MAX, "never");
	is_int(rpc_deadline_after(100, INT64_MAX - 50), INT64_MAX,
	    "later than all moments");
	return tap_done();
}
