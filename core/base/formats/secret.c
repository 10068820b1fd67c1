/*
 * Hashes of secrets: PBKDF2 over HMAC-SHA-512.  Source: RFC 8018 (PBKDF2).
 */

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/formats/encoding.h"
#include "core/base/text.h"

/* The cost of a new hash: a millisecond or two, since a server has no time for
   other callers meanwhile.  Access keys are random and long, so it need not
   protect weak passwords. */
enum { COUNT = 1000, COUNT_MAX = 10000000, SALT_BYTES = 16 };

static const char method[] = "pbkdf2-sha512";

/* PBKDF2: U1 = HMAC(salt || 1), Un = HMAC(Un-1), and the key is U1 xor U2 ...
   xor Ucount.  One block is enough: HMAC gives 64 bytes, of which
   SECRET_KEY_BYTES are kept. */
void
secret_derive(const char *secret, const char *salt, unsigned count,
    unsigned char out[SECRET_KEY_BYTES])
{
	static const unsigned char first_block[4] = { 0, 0, 0, 1 };
	unsigned char first[64 + sizeof(first_block)];
	unsigned char u[HMAC_BYTES];
	struct hmac h;
	size_t i, len = strnlen(salt, 64);

	memcpy(first, salt, len);
	memcpy(first + len, first_block, sizeof(first_block));
	hmac_init(&h, secret, strlen(secret));
	hmac_compute(&h, first, len + sizeof(first_block), u);
	memcpy(out, u, SECRET_KEY_BYTES);
	while (--count > 0) {
		hmac_compute(&h, u, sizeof(u), u);
		for (i = 0; i < SECRET_KEY_BYTES; i++)
			out[i] ^= u[i];
	}
	explicit_bzero(&h, sizeof(h));
}

/* Write "$pbkdf2-sha512$COUNT$SALT$HASH". */
static void
write_hash(const char *secret, const char *salt, unsigned count,
    char hash[SECRET_HASH_SIZE])
{
	unsigned char key[SECRET_KEY_BYTES];
	char hex[HEX_SIZE(SECRET_KEY_BYTES)];

	secret_derive(secret, salt, count, key);
	hex_text(key, sizeof(key), hex);
	(void)snprintf(hash, SECRET_HASH_SIZE, "$%s$%u$%s$%s", method, count,
	    salt, hex);
}

void
secret_hash(const char *secret, char hash[SECRET_HASH_SIZE])
{
	unsigned char random[SALT_BYTES];
	char salt[HEX_SIZE(SALT_BYTES)];

	arc4random_buf(random, sizeof(random));
	hex_text(random, sizeof(random), salt);
	write_hash(secret, salt, COUNT, hash);
}

/* An unreadable hash costs as much work as a good one, and all bytes are
   compared, so the time does not reveal how far a guess was right. */
bool
secret_matches(const char *secret, const char *hash)
{
	char again[SECRET_HASH_SIZE], salt[2 * SALT_BYTES + 1] = "";
	unsigned count = 0, differ = 0;
	size_t i, len = strlen(hash);

	if (sscanf(hash, "$pbkdf2-sha512$%8u$%32[0-9a-f]$", &count, salt) !=
		2 ||
	    count < 1 || count > COUNT_MAX)
		count = COUNT;
	write_hash(secret, salt, count, again);
	if (strlen(again) != len)
		return false;
	for (i = 0; i < len; i++)
		differ |= (unsigned)(again[i] ^ hash[i]);
	return differ == 0;
}
