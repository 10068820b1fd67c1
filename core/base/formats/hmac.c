/*
 * HMAC with libmd's SHA-512.  Source: RFC 2104.
 */
#include "core/base/formats/encoding.h"

#include <bsd/string.h>

#include <string.h>

/* A key longer than a block is replaced by its hash. */
static void
hmac_pad(const void *key, size_t size,
    unsigned char padded[SHA512_BLOCK_LENGTH])
{
	SHA512_CTX c;

	memset(padded, 0, SHA512_BLOCK_LENGTH);
	if (size <= SHA512_BLOCK_LENGTH) {
		memcpy(padded, key, size);
		return;
	}
	SHA512Init(&c);
	SHA512Update(&c, key, size);
	SHA512Final(padded, &c);
	explicit_bzero(&c, sizeof(c));
}

void
hmac_init(struct hmac *h, const void *key, size_t size)
{
	unsigned char inner[SHA512_BLOCK_LENGTH];
	unsigned char outer[SHA512_BLOCK_LENGTH];
	size_t i;

	hmac_pad(key, size, inner);
	for (i = 0; i < SHA512_BLOCK_LENGTH; i++) {
		outer[i] = inner[i] ^ 0x5c;
		inner[i] ^= 0x36;
	}
	SHA512Init(&h->inner);
	SHA512Update(&h->inner, inner, sizeof(inner));
	SHA512Init(&h->outer);
	SHA512Update(&h->outer, outer, sizeof(outer));
	explicit_bzero(inner, sizeof(inner));
	explicit_bzero(outer, sizeof(outer));
}

void
hmac_compute(const struct hmac *h, const void *text, size_t size,
    unsigned char out[HMAC_BYTES])
{
	SHA512_CTX c = h->inner;

	SHA512Update(&c, text, size);
	SHA512Final(out, &c);
	c = h->outer;
	SHA512Update(&c, out, HMAC_BYTES);
	SHA512Final(out, &c);
}

bool
hmac_equal(const unsigned char a[HMAC_BYTES], const unsigned char b[HMAC_BYTES])
{
	unsigned differ = 0;
	size_t i;

	for (i = 0; i < HMAC_BYTES; i++)
		differ |= (unsigned)(a[i] ^ b[i]);
	return differ == 0;
}
