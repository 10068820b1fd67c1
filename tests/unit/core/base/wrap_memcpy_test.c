/*
 * The memcpy(3) of the program: every size that it treats by itself and some
 * behind, at every place in a word, and not a byte beside it.
 */
#include "core/base/wrap_memcpy.h"

#include <string.h>

#include "tests/unit/tap.h"

enum { SIZES = 200, PLACES = 17, ROOM = SIZES + 2 * PLACES };

/* Whether all of it came, and nothing else changed. */
static int
is_copied(size_t to, size_t from, size_t size)
{
	unsigned char	a[ROOM], b[ROOM];
	size_t		i;

	for (i = 0; i < ROOM; i++) {
		a[i] = (unsigned char)(i * 7 + 1);
		b[i] = 0;
	}
	if (__wrap_memcpy(b + to, a + from, size) != b + to)
		return 0;
	for (i = 0; i < ROOM; i++)
		if (b[i] != (i >= to && i < to + size ?
		    a[i - to + from] : 0))
			return 0;
	return 1;
}

int
main(void)
{
	size_t	size, to, from;
	int	bad;

	for (size = 0; size < SIZES; size++) {
		bad = 0;
		for (to = 0; to < PLACES; to++)
			for (from = 0; from < PLACES; from++)
				bad += !is_copied(to, from, size);
		is_int(bad, 0, "a copy that is wrong somewhere");
	}
	return tap_done();
}
