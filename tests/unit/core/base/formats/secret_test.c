/*
 * Hashes of secrets: vectors made with another program, and what matches.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/encoding.h"
#include "tests/unit/tap.h"

static void
test_vectors(void)
{
	/* hashlib.pbkdf2_hmac("sha512", ..., 32) of Python says so too. */
	static const struct {
		const char *secret, *salt;
		unsigned count;
		const char *wanted;
	} rows[] = {
		{ "password", "salt", 1,
		    "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c"
		    "8cf252" },
		{ "685X_K4uCzN", "0123456789abcdef0123456789abcdef", 1000,
		    "cc890e815ff446fe204e7ac6778f0f1f323bc893abab565d936ad04b0c"
		    "cbb8cd" },
	};
	unsigned char key[SECRET_KEY_BYTES];
	char hex[2 * SECRET_KEY_BYTES + 1];
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		secret_derive(rows[i].secret, rows[i].salt, rows[i].count, key);
		for (k = 0; k < sizeof(key); k++)
			(void)snprintf(hex + 2 * k, 3, "%02x", key[k]);
		is_str(hex, rows[i].wanted, rows[i].secret);
	}
}

static void
test_matches(void)
{
	static const char known[] =
	    "$pbkdf2-sha512$1000$0123456789abcdef0123456789abcdef$"
	    "cc890e815ff446fe204e7ac6778f0f1f323bc893abab565d936ad04b0ccbb8cd";
	char hash[SECRET_HASH_SIZE];
	char again[SECRET_HASH_SIZE];

	ok(secret_matches("685X_K4uCzN", known), "the right secret");
	ok(!secret_matches("685X_K4uCzn", known), "a wrong one");
	ok(!secret_matches("", known), "none");
	ok(!secret_matches("", ""), "the hash of none matches nothing");
	ok(!secret_matches("a", "a"), "what is no hash matches nothing");
	(void)snprintf(hash, sizeof(hash), "%.*s", (int)sizeof(known) - 2,
	    known);
	ok(!secret_matches("685X_K4uCzN", hash), "nor does half a hash");
	secret_hash("685X_K4uCzN", hash);
	secret_hash("685X_K4uCzN", again);
	ok(secret_matches("685X_K4uCzN", hash), "a new hash");
	ok(strcmp(hash, again) != 0, "has a salt of its own");
	ok(strstr(hash, "685X") == NULL, "and says nothing of the secret");
}

int
main(void)
{
	test_vectors();
	test_matches();
	return tap_done();
}
