/*
 * HMAC (RFC 2104) with SHA-512: a proof that who sent a text knows a key.
 */
#ifndef CORE_BASE_FORMATS_HMAC_H
#define CORE_BASE_FORMATS_HMAC_H

#include <sys/types.h>

#include <sha512.h>
#include <stdbool.h>
#include <stddef.h>

enum { HMAC_BYTES = SHA512_DIGEST_LENGTH };

/* The key's two paddings already taken in: one key, many texts. */
struct hmac {
	SHA512_CTX	inner;
	SHA512_CTX	outer;
};

/* A key of any size; the caller wipes the struct, which is worth the key. */
void	hmac_init(struct hmac *, const void *key, size_t size);

/*
 * HMAC(key, text) = H(outer key || H(inner key || text)).  `out` may be the
 * same bytes as the text.
 */
void	hmac_compute(const struct hmac *, const void *text, size_t size,
	    unsigned char out[HMAC_BYTES]);

/*
 * Whether both are the same, in a time that does not tell how far a guess was
 * right.
 */
bool	hmac_equal(const unsigned char a[HMAC_BYTES],
	    const unsigned char b[HMAC_BYTES]);

#endif
