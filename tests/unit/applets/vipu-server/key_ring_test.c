/* Keys that were right are remembered, wrong ones are slowed. */
#include "applets/vipu-server/identity.h"

#include <bsd/string.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/tap.h"

enum { NOW = 1000000 };

static struct key_ring ring;

static struct caller
caller(const char *user, const char *key)
{
	struct caller c = { .admin = false };

	(void)strlcpy(c.user, user, sizeof(c.user));
	(void)strlcpy(c.key, key, sizeof(c.key));
	return c;
}

/* The hash that is known of a user and a key. */
static const char *
known(const char *user, const char *key)
{
	static struct caller c;

	c = caller(user, key);
	key_ring_find(&ring, &c);
	return c.hash;
}

static void
keep(const char *user, const char *key, const char *hash)
{
	const struct caller c = caller(user, key);

	key_ring_keep(&ring, &c, hash);
}

static void
remembers(void)
{
	char user[16];
	int i;

	memset(&ring, 0, sizeof(ring));
	is_str(known("", ""), "", "nothing is known of nobody");
	keep("ann", "k1", "h1");
	is_str(known("ann", "k1"), "h1", "a right key");
	is_str(known("ann", "k2"), "", "another key");
	is_str(known("bob", "k1"), "", "another user");
	is_str(known("ann", ""), "", "no key");
	keep("ann", "k2", "h2");
	is_str(known("ann", "k2"), "h2", "a new key");
	is_str(known("ann", "k1"), "", "takes the place of the old one");
	for (i = 1; i < KEY_RING_KEYS; i++) {
		(void)snprintf(user, sizeof(user), "u%d", i);
		keep(user, "k", "h");
	}
	is_str(known("ann", "k2"), "h2", "the oldest of as many as it holds");
	is_str(known("u1", "k"), "h", "the second");
	keep("last", "k", "h");
	is_str(known("ann", "k2"), "", "goes for one more");
	is_str(known("u1", "k"), "h", "and no other");
}

static void
slows(void)
{
	int i;

	memset(&ring, 0, sizeof(ring));
	for (i = 0; i < KEY_RING_BURST; i++) {
		ok(key_ring_may_try(&ring, 7, NOW), "a burst");
		key_ring_wrong(&ring, 7, NOW);
	}
	ok(!key_ring_may_try(&ring, 7, NOW), "and no more");
	ok(!key_ring_may_try(&ring, 7, NOW + 999), "nor a moment later");
	ok(key_ring_may_try(&ring, 8, NOW), "another address may");
	ok(key_ring_may_try(&ring, 7, NOW + 1000), "one a second");
	key_ring_wrong(&ring, 7, NOW + 1000);
	ok(!key_ring_may_try(&ring, 7, NOW + 1999), "not two");
	ok(key_ring_may_try(&ring, 7, NOW + 3600000), "later");
	memset(&ring, 0, sizeof(ring));
	for (i = 0; i < KEY_RING_ALL; i++) {
		ok(key_ring_may_try(&ring, (uint64_t)i, NOW), "many addresses");
		key_ring_wrong(&ring, (uint64_t)i, NOW);
	}
	ok(!key_ring_may_try(&ring, 99, NOW), "all of them together");
	ok(key_ring_may_try(&ring, 99, NOW + 50), "a little later");
}

int
main(void)
{
	remembers();
	slows();
	return tap_done();
}
