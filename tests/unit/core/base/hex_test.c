/* core/base/hex: bytes as digits, and back. */
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

static void
check_both_ways(void)
{
	const uint8_t bytes[] = { 0x00, 0x01, 0x7f, 0x80, 0xa5, 0xff };
	uint8_t again[sizeof(bytes)] = { 0 };
	char text[HEX_SIZE(sizeof(bytes))];

	hex_text(bytes, sizeof(bytes), text);
	is_str(text, "00017f80a5ff", "bytes as text");
	is_int(hex_parse(text, again, sizeof(again)), 0, "read back");
	ok(memcmp(bytes, again, sizeof(bytes)) == 0, "the same bytes");
	hex_text(bytes, 0, text);
	is_str(text, "", "no bytes");
}

static void
check_refused(void)
{
	static const char *const bad[] = { "", "0102", "010203040",
		"01020304ab", "0102030G", "0102030A", " 1020304", "0x020304" };
	uint8_t bytes[4] = { 1, 2, 3, 4 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_int(hex_parse(bad[i], bytes, sizeof(bytes)), -1, bad[i]);
	ok(bytes[0] == 1 && bytes[3] == 4, "nothing was written");
}

int
main(void)
{
	check_both_ways();
	check_refused();
	return tap_done();
}
