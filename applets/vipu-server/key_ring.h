/*
 * Keys that callers have shown: to look whether a key is right takes
 * milliseconds on purpose, so it is done once, and wrong keys are looked at
 * slowly.  Pure: the time is a parameter, in ms of clock_monotonic_ms().
 *
 * Each address may show KEY_RING_BURST wrong keys at once and one more each
 * second, and all of them together KEY_RING_ALL and as many each second.
 * Behind that, only keys that were right before are let in.
 */
#ifndef APPLETS_VIPU_SERVER_KEY_RING_H
#define APPLETS_VIPU_SERVER_KEY_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/control/control.h"

enum {
	KEY_RING_KEYS = 64,
	KEY_RING_ADDRESSES = 64,
	KEY_RING_BURST = 5,
	KEY_RING_ALL = 20,
	KEY_RING_ADDRESS_SIZE = 64
};

/* A bucket that empties: so many wrong keys came. */
struct key_ring_bucket {
	char	address[KEY_RING_ADDRESS_SIZE];
	int64_t	level;			/* thousandths of a key */
	int64_t	since_ms;
};

struct key_ring {
	struct {
		char	user[NAME_SIZE];
		char	key[SECRET_SIZE];
		char	hash[SECRET_HASH_SIZE];
	}			keys[KEY_RING_KEYS];
	int			next;	/* the oldest, to be replaced */
	struct key_ring_bucket	addresses[KEY_RING_ADDRESSES];
	struct key_ring_bucket	all;
};

/* Fill in caller->hash where the same key was right before. */
void	key_ring_find(const struct key_ring *, struct caller *);

/* The key was right: it is that of the hash. */
void	key_ring_keep(struct key_ring *, const struct caller *,
	    const char *hash);

/* Whether a key from that peer, "10.1.3.7:40312", is looked at now. */
bool	key_ring_may_try(const struct key_ring *, const char *peer,
	    int64_t now_ms);
/* It was wrong. */
void	key_ring_wrong(struct key_ring *, const char *peer, int64_t now_ms);

#endif
