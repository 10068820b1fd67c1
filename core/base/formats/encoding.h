/*
 * Encodings of bytes: base64, gzip, digests and message authentication.
 */
#ifndef CORE_BASE_FORMATS_ENCODING_H
#define CORE_BASE_FORMATS_ENCODING_H

#include <sys/types.h>

#include <sha512.h>
#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/text.h"

/* Decode base64 (RFC 4648, 4); line breaks are skipped.  Returns the bytes,
   which the caller frees; *size is their number, without the NUL that follows
   them.  NULL: another character, or the padding is missing or wrong. */
char *base64_decode(const char *text, size_t *size);

/* Unpack a file that is one gzip member.  Returns the bytes, *size in number,
   which the caller frees.  NULL, with `name` in the error: damaged or truncated
   data, a second member or other bytes after the first, more than `limit`
   bytes. */
uint8_t *gzip_unpack(const char *name, const uint8_t *file, size_t file_size,
    size_t limit, size_t *size, struct error *);

/* "FILE __ipubox __digest" prints "ipubox-digest DIGEST", the digest_file() of
   its own file, so that two hosts can compare their programs. */
#define DIGEST_WORD "__digest"
#define DIGEST_MARK "ipubox-digest "

enum { DIGEST_SIZE = HEX_SIZE(SHA512_DIGEST_LENGTH) };

/* Write the SHA-512 of the file, as hexadecimal digits.  Only the first `most`
   bytes count; `most` must be a multiple of 64 KiB, or 0 for the whole file.
   -1: unreadable. */
int digest_file(const char *path, int64_t most, char text[DIGEST_SIZE],
    struct error *);

/* HMAC (RFC 2104) with SHA-512: proves that the sender of a text knows a key.
   The struct has processed the key's two paddings, so one key serves many
   texts. */
enum { HMAC_BYTES = SHA512_DIGEST_LENGTH };

struct hmac {
	SHA512_CTX inner;
	SHA512_CTX outer;
};

/* Begin with a key of any size.  The caller must wipe the struct at the end,
   because it is as secret as the key. */
void hmac_init(struct hmac *, const void *key, size_t size);

/* Compute HMAC(key, text) = H(outer key || H(inner key || text)).  `out` may be
   the text itself. */
void hmac_compute(const struct hmac *, const void *text, size_t size,
    unsigned char out[HMAC_BYTES]);

/* Return true if both are equal.  Takes the same time for all bytes, so that it
   does not reveal how much of a guess is right. */
bool hmac_equal(const unsigned char a[HMAC_BYTES],
    const unsigned char b[HMAC_BYTES]);

/*
 * Secrets that are stored only as a hash, "$pbkdf2-sha512$COUNT$SALT$HASH":
 * PBKDF2 (RFC 8018) with HMAC-SHA-512 and a random salt.
 */

enum {
	SECRET_SIZE = 64, /* longest secret, with NUL */
	SECRET_HASH_SIZE = 128,
	SECRET_KEY_BYTES = 32
};

/* Hash a secret for storing, with a new random salt. */
void secret_hash(const char *secret, char hash[SECRET_HASH_SIZE]);

/* Return true if the hash is the secret's.  A wrong secret takes as long as a
   right one, and so does the hash "", which never matches. */
bool secret_matches(const char *secret, const char *hash);

/* Compute the first block of PBKDF2 in `count` (at least 1) iterations, cut to
   SECRET_KEY_BYTES.  Only the salt's first 64 bytes are used. */
void secret_derive(const char *secret, const char *salt, unsigned count,
    unsigned char out[SECRET_KEY_BYTES]);

#endif
