/*
 * Who calls: what a call says of its caller, and what that allows.
 *
 *	through the unix socket		the kernel says who: root and the
 *					server's own user are administrators,
 *					others the user of their name
 *	over TCP			the rows of server_put_caller(); or none
 *
 * Nobody is let in where the pod is secure.  In an open pod, whoever names no
 * user sees all of it and may change it, as with the embedded controller.
 */
#ifndef APPLETS_VIPU_SERVER_IDENTITY_H
#define APPLETS_VIPU_SERVER_IDENTITY_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"

enum { IDENTITY_TEXT_SIZE = 160 };

struct identity {
	struct caller caller; /* in whose name a controller is asked; admin:
				 sees and changes all */
	bool may_administer;  /* pods, users, allocations, faults: an
				 administrator, or, in an open pod, anybody who
				 names no user */
	/* For a log: "ann, 10.1.3.7:40312". */
	char text[IDENTITY_TEXT_SIZE];
};

/* Who is an administrator: names between commas, "" for none. */
struct identity_rules {
	const char *administrators;
	bool secure; /* the pod is */
};

/*
 * What the call says.  -1: the words of a user or a key are none
 * (ERROR_UNAUTHENTICATED).  Whether the key is right, the controller says; an
 * administrator over TCP is therefore one only behind login_switch().
 */
int identity_read(struct identity *, const struct rpc_call *,
    const struct identity_rules *, struct error *);

/*
 * Keys that callers have shown: to look whether a key is right takes
 * milliseconds on purpose, so it is done once, and wrong keys are looked at
 * slowly.  Pure: the time is a parameter, in ms of clock_monotonic_ms().
 *
 * Each address may show KEY_RING_BURST wrong keys at once and one more each
 * second, and all of them together KEY_RING_ALL and as many each second.
 * Behind that, only keys that were right before are let in.
 */
enum {
	KEY_RING_KEYS = 64,
	KEY_RING_ADDRESSES = 64,
	KEY_RING_BURST = 5,
	KEY_RING_ALL = 20,
	KEY_RING_ADDRESS_SIZE = 64
};

/* A bucket that empties: so many wrong keys came. */
struct key_ring_bucket {
	char address[KEY_RING_ADDRESS_SIZE];
	int64_t level; /* thousandths of a key */
	int64_t since_ms;
};

struct key_ring {
	struct {
		char user[NAME_SIZE];
		char key[SECRET_SIZE];
		char hash[SECRET_HASH_SIZE];
	} keys[KEY_RING_KEYS];
	int next; /* the oldest, to be replaced */
	struct key_ring_bucket addresses[KEY_RING_ADDRESSES];
	struct key_ring_bucket all;
};

/* Fill in caller->hash where the same key was right before. */
void key_ring_find(const struct key_ring *, struct caller *);

/* The key was right: it is that of the hash. */
void key_ring_keep(struct key_ring *, const struct caller *, const char *hash);

/* Whether a key from that peer, "10.1.3.7:40312", is looked at now. */
bool key_ring_may_try(const struct key_ring *, const char *peer,
    int64_t now_ms);
/* It was wrong. */
void key_ring_wrong(struct key_ring *, const char *peer, int64_t now_ms);

#endif
