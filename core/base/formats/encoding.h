/*
 * Bytes in other forms: base64, gzip, and digests that prove something.
 */
#ifndef CORE_BASE_FORMATS_ENCODING_H
#define CORE_BASE_FORMATS_ENCODING_H

#include <sys/types.h>

#include <sha512.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/text.h"

/*
 * Returns the bytes of a text of base64 (RFC 4648, 4), with a NUL after them,
 * which the caller frees; line breaks are skipped.  NULL: a character that is
 * not of base64, or an end that is cut.
 */
char *base64_decode(const char *text, size_t *size);

/*
 * The bytes of one gzip member that is the whole file.  The caller frees them.
 * NULL, with `name` in the reason: damaged or truncated data, a second member
 * or other bytes behind the first, more than `limit` bytes.
 */
uint8_t *gzip_unpack(const char *name, const uint8_t *file, size_t file_size,
    size_t limit, size_t *size, struct error *);

/* "FILE __ipubox __digest" answers with a line of its own file's digest, by
   which two hosts learn whether theirs are the same. */
#define DIGEST_WORD "__digest"
#define DIGEST_MARK "ipubox-digest "

enum { DIGEST_SIZE = HEX_SIZE(SHA512_DIGEST_LENGTH) };

/* SHA-512 of its bytes, or of the first `most` of them where that is not 0, as
   hexadecimal digits.  -1: it cannot be read. */
int digest_file(const char *path, int64_t most, char text[DIGEST_SIZE],
    struct error *);

/*
 * HMAC (RFC 2104) with SHA-512: a proof that the sender of a text knows a key.
 * The key's two paddings are already taken in: one key, many texts.
 */
enum { HMAC_BYTES = SHA512_DIGEST_LENGTH };

struct hmac {
	SHA512_CTX inner;
	SHA512_CTX outer;
};

/* A key of any size; the caller wipes the struct, which is worth the key. */
void hmac_init(struct hmac *, const void *key, size_t size);

/*
 * HMAC(key, text) = H(outer key || H(inner key || text)).  `out` may be the
 * same bytes as the text.
 */
void hmac_compute(const struct hmac *, const void *text, size_t size,
    unsigned char out[HMAC_BYTES]);

/*
 * Whether both are the same, in a time that does not tell how far a guess was
 * right.
 */
bool hmac_equal(const unsigned char a[HMAC_BYTES],
    const unsigned char b[HMAC_BYTES]);

#endif
