/*
 * Secrets of which only a hash is kept, "$pbkdf2-sha512$COUNT$SALT$HASH":
 * PBKDF2 (RFC 8018) with HMAC-SHA-512 and a random salt.
 */
#ifndef CORE_BASE_FORMATS_SECRET_H
#define CORE_BASE_FORMATS_SECRET_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SECRET_SIZE = 64, /* of the longest secret, with NUL */
	SECRET_HASH_SIZE = 128,
	SECRET_KEY_BYTES = 32
};

/* The hash to keep of a secret. */
void secret_hash(const char *secret, char hash[SECRET_HASH_SIZE]);

/*
 * Whether the hash is that of the secret.  It takes as long for a wrong one,
 * and as long for the hash "", which is that of none.
 */
bool secret_matches(const char *secret, const char *hash);

/* The first block of PBKDF2, cut to SECRET_KEY_BYTES. */
void secret_derive(const char *secret, const char *salt, unsigned count,
    unsigned char out[SECRET_KEY_BYTES]);

#endif
