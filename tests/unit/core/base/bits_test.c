/* core/base/bits: whole numbers as bits. */
#include <limits.h>

#include "core/base/bits.h"
#include "tests/unit/tap.h"

static void
check_powers(void)
{
	ok(!bits_is_power_of_two(0), "0 is no power of two");
	ok(bits_is_power_of_two(1), "1 is one");
	ok(bits_is_power_of_two(64), "64 is one");
	ok(!bits_is_power_of_two(65), "65 is none");
	ok(bits_is_power_of_two(1UL << 63), "2^63 is one");
	ok(!bits_is_power_of_two(ULONG_MAX), "2^64 - 1 is none");
}

static void
check_bytes(void)
{
	unsigned char b[8];

	bits_put_le16(b, 0x8182);
	ok(b[0] == 0x82 && b[1] == 0x81, "two bytes, the low one first");
	is_int(bits_get_le16(b), 0x8182, "and back");
	bits_put_le32(b, 0x81828384);
	ok(b[0] == 0x84 && b[3] == 0x81, "four bytes");
	is_int(bits_get_le32(b), 0x81828384, "and back");
	bits_put_le64(b, 0x8182838485868788);
	ok(b[0] == 0x88 && b[3] == 0x85 && b[4] == 0x84 && b[7] == 0x81,
	    "eight bytes");
	ok(bits_get_le64(b) == 0x8182838485868788, "and back");
}

int
main(void)
{
	check_powers();
	check_bytes();
	return tap_done();
}
