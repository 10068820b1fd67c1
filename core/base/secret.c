#include "core/base/secret.h"

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <string.h>
#include <unistd.h>

enum { SALT_LENGTH = 16 };

/* "$6$" says SHA-512. */
static const char	method[] = "$6$";
static const char	nobody[] = "$6$0123456789abcdef";

int
secret_hash(const char *secret, char hash[SECRET_HASH_SIZE], struct error *e)
{
	static const char	digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUV"
	    "WXYZabcdefghijklmnopqrstuvwxyz";
	unsigned char		random[SALT_LENGTH];
	char			salt[sizeof(method) + SALT_LENGTH];
	const char		*result;
	size_t			at = sizeof(method) - 1, i;

	(void)strlcpy(salt, method, sizeof(salt));
	arc4random_buf(random, sizeof(random));
	for (i = 0; i < SALT_LENGTH; i++)
		salt[at + i] = digits[random[i] % 64];
	salt[at + i] = '\0';
	result = crypt(secret, salt);
	if (result == NULL || strncmp(result, method, at) != 0 ||
	    strlcpy(hash, result, SECRET_HASH_SIZE) >= SECRET_HASH_SIZE)
		return error_set(e, "this system has no SHA-512 for keys");
	return 0;
}

bool
secret_matches(const char *secret, const char *hash)
{
	const char	*result = crypt(secret, hash[0] == method[0] ? hash :
	    nobody);
	unsigned	 differ = 0;
	size_t		 i, len = strlen(hash);

	if (result == NULL || strlen(result) != len || len == 0)
		return false;
	for (i = 0; i < len; i++)
		differ |= (unsigned)(result[i] ^ hash[i]);
	return differ == 0;
}
