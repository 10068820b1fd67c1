/*
 * HMAC-SHA-512: the vectors of RFC 4231, section 4, and the comparison.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/encoding.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

enum { KEY_MAX = 131 };

static const char larger[] =
    "This is a test using a larger than block-size key and a larger than "
    "block-size data. The key needs to be hashed before being used by the HMAC "
    "algorithm.";

/* A key is a text, or `repeat` times one byte, or the bytes 1, 2, ... 25. */
static const struct {
	const char *name, *key;
	int byte;
	size_t repeat;
	const char *text; /* NULL: 50 times text_byte */
	int text_byte;
	const char *wanted; /* 32 digits: cut to 128 bits */
} rows[] = {
	{ "case 1", NULL, 0x0b, 20, "Hi There", 0,
	    "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdeda"
	    "a833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854" },
	{ "case 2", "Jefe", 0, 0, "what do ya want for nothing?", 0,
	    "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea25055497"
	    "58bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737" },
	{ "case 3", NULL, 0xaa, 20, NULL, 0xdd,
	    "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf"
	    "3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb" },
	{ "case 4",
	    "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d"
	    "\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19",
	    0, 0, NULL, 0xcd,
	    "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba9"
	    "1ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd" },
	{ "case 5", NULL, 0x0c, 20, "Test With Truncation", 0,
	    "415fad6271580a531d4179bc891d87a6" },
	{ "case 6", NULL, 0xaa, KEY_MAX,
	    "Test Using Larger Than Block-Size Key - Hash Key First", 0,
	    "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b"
	    "56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598" },
	{ "case 7", NULL, 0xaa, KEY_MAX, larger, 0,
	    "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6"
	    "022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58" },
};

static void
test_vectors(void)
{
	unsigned char key[KEY_MAX], text[50], out[HMAC_BYTES];
	char hex[HEX_SIZE(HMAC_BYTES)];
	struct hmac h;
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		size = rows[i].repeat;
		memset(key, rows[i].byte, sizeof(key));
		if (rows[i].key != NULL) {
			size = strlen(rows[i].key);
			memcpy(key, rows[i].key, size);
		}
		hmac_init(&h, key, size);
		memset(text, rows[i].text_byte, sizeof(text));
		if (rows[i].text == NULL)
			hmac_compute(&h, text, sizeof(text), out);
		else
			hmac_compute(&h, rows[i].text, strlen(rows[i].text),
			    out);
		hex_text(out, sizeof(out), hex);
		hex[strlen(rows[i].wanted)] = '\0';
		is_str(hex, rows[i].wanted, rows[i].name);
	}
}

static void
test_in_place(void)
{
	unsigned char bytes[HMAC_BYTES] = "text", out[HMAC_BYTES];
	struct hmac h;

	hmac_init(&h, "key", 3);
	hmac_compute(&h, bytes, sizeof(bytes), out);
	hmac_compute(&h, bytes, sizeof(bytes), bytes);
	ok(hmac_equal(bytes, out), "over the text itself");
}

static void
test_equal(void)
{
	unsigned char a[HMAC_BYTES], b[HMAC_BYTES];
	size_t i, same = 0;

	memset(a, 0x5a, sizeof(a));
	memset(b, 0x5a, sizeof(b));
	ok(hmac_equal(a, b), "the same");
	for (i = 0; i < 8 * sizeof(b); i++) {
		b[i / 8] ^= (unsigned char)(1 << i % 8);
		same += hmac_equal(a, b);
		b[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	is_int((long long)same, 0, "each bit counts");
}

int
main(void)
{
	test_vectors();
	test_in_place();
	test_equal();
	return tap_done();
}
