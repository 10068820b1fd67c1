/*
 * A digest of a file, by which two hosts learn whether theirs are the same.
 */
#ifndef CORE_BASE_FORMATS_DIGEST_H
#define CORE_BASE_FORMATS_DIGEST_H

#include <sha512.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/hex.h"

/* "FILE __ipubox __digest" answers with a line of its own file's. */
#define DIGEST_WORD	"__digest"
#define DIGEST_MARK	"ipubox-digest "

enum { DIGEST_SIZE = HEX_SIZE(SHA512_DIGEST_LENGTH) };

/* SHA-512 of its bytes, or of the first `most` of them where that is not 0, as
   hexadecimal digits.  -1: it cannot be read. */
int	digest_file(const char *path, int64_t most, char text[DIGEST_SIZE],
	    struct error *);

#endif
