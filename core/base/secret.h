/*
 * Secrets that are kept only as a hash: crypt(3) with SHA-512 and a random
 * salt.
 */
#ifndef CORE_BASE_SECRET_H
#define CORE_BASE_SECRET_H

#include <stdbool.h>

#include "core/base/error.h"

enum {
	SECRET_SIZE = 64,		/* of the longest secret, with NUL */
	SECRET_HASH_SIZE = 128
};

/* The hash to keep of a secret. */
int	secret_hash(const char *secret, char hash[SECRET_HASH_SIZE],
	    struct error *);

/*
 * Whether the hash is that of the secret.  It takes as long for a wrong one,
 * and as long for the hash "", which is that of none.
 */
bool	secret_matches(const char *secret, const char *hash);

#endif
