/* core/base/base64: letters to bytes. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/encoding.h"
#include "tests/unit/tap.h"

static void
check_decoding(void)
{
	static const struct {
		const char *text;
		const char *bytes; /* NULL: it is none */
		size_t size;
	} vectors[] = {
		/* RFC 4648, 10 */
		{ "", "", 0 },
		{ "Zg==", "f", 1 },
		{ "Zm8=", "fo", 2 },
		{ "Zm9v", "foo", 3 },
		{ "Zm9vYg==", "foob", 4 },
		{ "Zm9vYmE=", "fooba", 5 },
		{ "Zm9vYmFy", "foobar", 6 },
		/* every kind of letter, NUL bytes, all bits */
		{ "+/+/", "\373\377\277", 3 },
		{ "AAAA", "\0\0\0", 3 },
		{ "////", "\377\377\377", 3 },
		/* as base64(1) folds it */
		{ "Zm9v\nYmFy\n", "foobar", 6 },
		{ "Zm\r\n9v", "foo", 3 },
		{ "Zg=\n=", "f", 1 },
		/* bits that are no byte's: whatever they are, as in Go */
		{ "Zh==", "f", 1 },
		{ "Zm9=", "fo", 2 },
		/* cut, filled too much, in the middle */
		{ "Z", NULL, 0 },
		{ "Zg", NULL, 0 },
		{ "Zg=", NULL, 0 },
		{ "Zg===", NULL, 0 },
		{ "=", NULL, 0 },
		{ "====", NULL, 0 },
		{ "Z===", NULL, 0 },
		{ "Zg==Zg==", NULL, 0 },
		{ "Zm=v", NULL, 0 },
		/* other characters; the alphabet of addresses */
		{ "Zm 9v", NULL, 0 },
		{ "Zm9-", NULL, 0 },
		{ "Zm9_", NULL, 0 },
		{ "not-base64!", NULL, 0 },
		{ "\377\377\377\377", NULL, 0 },
	};
	char *bytes;
	size_t size, i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		bytes = base64_decode(vectors[i].text, &size);
		if (vectors[i].bytes == NULL)
			ok(bytes == NULL, vectors[i].text);
		else if (ok(bytes != NULL, vectors[i].text)) {
			is_int((long long)size, (long long)vectors[i].size,
			    "as many bytes");
			ok(memcmp(bytes, vectors[i].bytes, size + 1) == 0,
			    "these, and NUL");
		}
		free(bytes);
	}
}

int
main(void)
{
	check_decoding();
	return tap_done();
}
