/*
 * Remembers right keys and counts wrong ones.
 */
#include "applets/vipu-server/identity.h"

#include <bsd/string.h>

#include <string.h>

enum { KEY_WEIGHT = 1000 }; /* weight of one wrong key in a bucket */

/* Compare in constant time. */
static bool
ring_is_same(const char a[SECRET_SIZE], const char b[SECRET_SIZE])
{
	unsigned differ = 0;
	int i;

	for (i = 0; i < SECRET_SIZE; i++)
		differ |= (unsigned)(a[i] ^ b[i]);
	return differ == 0;
}

void
key_ring_find(const struct key_ring *r, struct caller *c)
{
	int i;

	for (i = 0; i < KEY_RING_KEYS && c->key[0] != '\0'; i++)
		if (strcmp(r->keys[i].user, c->user) == 0 &&
		    ring_is_same(r->keys[i].key, c->key))
			(void)strlcpy(c->hash, r->keys[i].hash,
			    sizeof(c->hash));
}

/* A new key of a user replaces the old one. */
void
key_ring_keep(struct key_ring *r, const struct caller *c, const char *hash)
{
	int i, at = r->next;

	for (i = 0; i < KEY_RING_KEYS; i++)
		if (strcmp(r->keys[i].user, c->user) == 0)
			at = i;
	if (at == r->next)
		r->next = (r->next + 1) % KEY_RING_KEYS;
	(void)strlcpy(r->keys[at].user, c->user, sizeof(r->keys[at].user));
	memcpy(r->keys[at].key, c->key, sizeof(r->keys[at].key));
	(void)strlcpy(r->keys[at].hash, hash, sizeof(r->keys[at].hash));
}

/* Return the level of a bucket that loses so many keys each second. */
static int64_t
ring_level(const struct key_ring_bucket *b, int64_t keys_per_s, int64_t now_ms)
{
	int64_t gone = (now_ms - b->since_ms) * keys_per_s;

	return b->level > gone ? b->level - gone : 0;
}

static void
ring_add(struct key_ring_bucket *b, int64_t keys_per_s, int64_t now_ms)
{
	b->level = ring_level(b, keys_per_s, now_ms) + KEY_WEIGHT;
	b->since_ms = now_ms;
}

/* Return the index of the address's bucket, or -1. */
static int
ring_find(const struct key_ring *r, uint64_t origin)
{
	int i;

	for (i = 0; i < KEY_RING_ADDRESSES; i++)
		if (r->addresses[i].origin == origin)
			return i;
	return -1;
}

bool
key_ring_may_try(const struct key_ring *r, uint64_t origin, int64_t now_ms)
{
	const int at = ring_find(r, origin);

	if (ring_level(&r->all, KEY_RING_ALL, now_ms) >
	    (KEY_RING_ALL - 1) * KEY_WEIGHT)
		return false;
	return at == -1 ||
	    ring_level(&r->addresses[at], 1, now_ms) <=
	    (KEY_RING_BURST - 1) * KEY_WEIGHT;
}

/* A new address replaces the one that was silent longest. */
void
key_ring_wrong(struct key_ring *r, uint64_t origin, int64_t now_ms)
{
	int at, i;

	ring_add(&r->all, KEY_RING_ALL, now_ms);
	if ((at = ring_find(r, origin)) == -1) {
		for (at = 0, i = 1; i < KEY_RING_ADDRESSES; i++)
			if (r->addresses[i].since_ms <
			    r->addresses[at].since_ms)
				at = i;
		r->addresses[at] = (struct key_ring_bucket){ .origin = origin };
	}
	ring_add(&r->addresses[at], 1, now_ms);
}
