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

int
main(void)
{
	check_powers();
	return tap_done();
}
