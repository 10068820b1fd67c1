/*
 * Secrets that are stored only as a hash, "$pbkdf2-sha512$COUNT$SALT$HASH":
 * PBKDF2 (RFC 8018) with HMAC-SHA-512 and a random salt.
 */
#ifndef CORE_BASE_FORMATS_SECRET_H
#define CORE_BASE_FORMATS_SECRET_H

#include <stdbool.h>

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
