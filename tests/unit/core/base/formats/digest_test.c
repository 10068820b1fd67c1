/*
 * The digest of a file.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/formats/encoding.h"
#include "tests/unit/tap.h"

/* Source: FIPS 180, the one-block example of SHA-512. */
static const char abc[] =
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a27"
    "4fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";

int
main(void)
{
	char name[] = "digest.XXXXXX", text[DIGEST_SIZE];
	const int fd = mkstemp(name);
	struct error e = { .text = "" };

	ok(fd != -1 && write(fd, "abc", 3) == 3 && close(fd) == 0, "a file");
	is_int(digest_file(name, 0, text, &e), 0, "of a file");
	is_str(text, abc, "as the standard has it");
	is_int(digest_file(name, 1, text, &e), 0, "of its first bytes");
	is_str(text, abc, "as far as they are read at once");
	(void)unlink(name);
	is_int(digest_file(name, 0, text, &e), -1, "no file");
	ok(strncmp(e.text, "cannot open digest.", 19) == 0, e.text);
	return tap_done();
}
