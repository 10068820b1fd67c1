/*
 * memcpy(3) for the few bytes that most copies have: names, headers, numbers.
 * musl's begins a string instruction for each, and takes a tenth of a
 * microsecond; a call over HTTP/2 has thirty of them.
 */
#include "core/base/wrap_memcpy.h"

#include <stdint.h>
#include <string.h>

/* Anything, anywhere. */
typedef uint16_t	any16 __attribute__((may_alias, aligned(1)));
typedef uint32_t	any32 __attribute__((may_alias, aligned(1)));
typedef uint64_t	any64 __attribute__((may_alias, aligned(1)));

/* 16 to 32 bytes: the first 16 and the last, which may overlap. */
static void
copy_from_16(unsigned char *to, const unsigned char *from, size_t size)
{
	const any64	a = *(const any64 *)from;
	const any64	b = *(const any64 *)(from + 8);
	const any64	c = *(const any64 *)(from + size - 16);
	const any64	d = *(const any64 *)(from + size - 8);

	*(any64 *)to = a;
	*(any64 *)(to + 8) = b;
	*(any64 *)(to + size - 16) = c;
	*(any64 *)(to + size - 8) = d;
}

/* Fewer than 16, in the same way. */
static void
copy_few(unsigned char *to, const unsigned char *from, size_t size)
{
	if (size >= 8) {
		const any64	first = *(const any64 *)from;
		const any64	last = *(const any64 *)(from + size - 8);

		*(any64 *)to = first;
		*(any64 *)(to + size - 8) = last;
	} else if (size >= 4) {
		const any32	first = *(const any32 *)from;
		const any32	last = *(const any32 *)(from + size - 4);

		*(any32 *)to = first;
		*(any32 *)(to + size - 4) = last;
	} else if (size >= 2) {
		const any16	first = *(const any16 *)from;
		const any16	last = *(const any16 *)(from + size - 2);

		*(any16 *)to = first;
		*(any16 *)(to + size - 2) = last;
	} else if (size == 1) {
		*to = *from;
	}
}

/*
 * musl's memmove(3) is its memcpy(3) where nothing overlaps.  The compiler is
 * not told so (restrict): it would call memcpy(3).
 */
void *
__wrap_memcpy(void *to, const void *from, size_t size)
{
	unsigned char		*t = to;
	const unsigned char	*f = from;

	if (size > 64)
		return memmove(to, from, size);
	if (size > 32) {
		copy_from_16(t, f, 32);
		copy_from_16(t + size - 32, f + size - 32, 32);
	} else if (size >= 16) {
		copy_from_16(t, f, size);
	} else {
		copy_few(t, f, size);
	}
	return to;
}
