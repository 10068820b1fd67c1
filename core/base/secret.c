/*
 * Hashes of secrets: PBKDF2 over HMAC-SHA-512, whose SHA-512 is libmd's.
 * Source: RFC 2104 (HMAC), RFC 8018 (PBKDF2).
 */
#include "core/base/secret.h"

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <sha512.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hex.h"

/*
 * What a new hash costs: some milliseconds.  Access keys are random and long,
 * so this need not make up for bad passwords.
 */
enum { COUNT = 10000, COUNT_MAX = 10000000, SALT_BYTES = 16 };

static const char	method[] = "pbkdf2-sha512";

/* HMAC (RFC 2104) with the key's two paddings already taken in. */
struct hmac {
	SHA512_CTX	inner;
	SHA512_CTX	outer;
};

static void
hmac_init(struct hmac *h, const char *key)
{
	unsigned char	inner[SHA512_BLOCK_LENGTH];
	unsigned char	outer[SHA512_BLOCK_LENGTH];
	size_t		i, len = strlen(key);

	/* A longer key would have to be hashed first: none is. */
	for (i = 0; i < SHA512_BLOCK_LENGTH; i++) {
		inner[i] = 0x36 ^ (i < len ? (unsigned char)key[i] : 0);
		outer[i] = 0x5c ^ (i < len ? (unsigned char)key[i] : 0);
	}
	SHA512Init(&h->inner);
	SHA512Update(&h->inner, inner, sizeof(inner));
	SHA512Init(&h->outer);
	SHA512Update(&h->outer, outer, sizeof(outer));
	explicit_bzero(inner, sizeof(inner));
	explicit_bzero(outer, sizeof(outer));
}

/*
 * HMAC(key, text) = H(outer key || H(inner key || text)).  `out` may be the
 * same bytes as the text.
 */
static void
hmac(const struct hmac *h, const void *text, size_t size,
    unsigned char out[SHA512_DIGEST_LENGTH])
{
	SHA512_CTX	c = h->inner;

	SHA512Update(&c, text, size);
	SHA512Final(out, &c);
	c = h->outer;
	SHA512Update(&c, out, SHA512_DIGEST_LENGTH);
	SHA512Final(out, &c);
}

/*
 * PBKDF2: U1 = HMAC(salt || 1), Un = HMAC(Un-1), and the key is U1 xor U2 ...
 * xor Ucount.  One block is enough: SHA-512 gives 64 bytes, of which
 * SECRET_KEY_BYTES are kept.
 */
void
secret_derive(const char *secret, const char *salt, unsigned count,
    unsigned char out[SECRET_KEY_BYTES])
{
	static const unsigned char	first_block[4] = { 0, 0, 0, 1 };
	unsigned char			first[64 + sizeof(first_block)];
	unsigned char			u[SHA512_DIGEST_LENGTH];
	struct hmac			h;
	size_t				i, len = strnlen(salt, 64);

	memcpy(first, salt, len);
	memcpy(first + len, first_block, sizeof(first_block));
	hmac_init(&h, secret);
	hmac(&h, first, len + sizeof(first_block), u);
	memcpy(out, u, SECRET_KEY_BYTES);
	while (--count > 0) {
		hmac(&h, u, sizeof(u), u);
		for (i = 0; i < SECRET_KEY_BYTES; i++)
			out[i] ^= u[i];
	}
	explicit_bzero(&h, sizeof(h));
}

/* "$pbkdf2-sha512$COUNT$SALT$HASH" of these three. */
static void
write_hash(const char *secret, const char *salt, unsigned count,
    char hash[SECRET_HASH_SIZE])
{
	unsigned char	key[SECRET_KEY_BYTES];
	char		hex[HEX_SIZE(SECRET_KEY_BYTES)];

	secret_derive(secret, salt, count, key);
	hex_text(key, sizeof(key), hex);
	(void)snprintf(hash, SECRET_HASH_SIZE, "$%s$%u$%s$%s", method, count,
	    salt, hex);
}

void
secret_hash(const char *secret, char hash[SECRET_HASH_SIZE])
{
	unsigned char	random[SALT_BYTES];
	char		salt[HEX_SIZE(SALT_BYTES)];

	arc4random_buf(random, sizeof(random));
	hex_text(random, sizeof(random), salt);
	write_hash(secret, salt, COUNT, hash);
}

/*
 * A hash that cannot be read costs as much work as a good one, and all bytes
 * are compared: the time tells nobody how far a guess was right.
 */
bool
secret_matches(const char *secret, const char *hash)
{
	char		again[SECRET_HASH_SIZE], salt[2 * SALT_BYTES + 1] = "";
	unsigned	count = 0, differ = 0;
	size_t		i, len = strlen(hash);

	if (sscanf(hash, "$pbkdf2-sha512$%8u$%32[0-9a-f]$", &count,
	    salt) != 2 || count < 1 || count > COUNT_MAX)
		count = COUNT;
	write_hash(secret, salt, count, again);
	if (strlen(again) != len)
		return false;
	for (i = 0; i < len; i++)
		differ |= (unsigned)(again[i] ^ hash[i]);
	return differ == 0;
}
