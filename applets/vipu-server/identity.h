/*
 * The identity of a caller, and its rights.
 *
 *	metadata	the user and key of server_put_caller(), on any socket
 *	unix socket	else from the kernel: root and the server's user are
 *			administrators; in a secure pod others are the user
 *			of their login name
 *	TCP		else no user
 *
 * A secure pod refuses a caller without a user.  In an open pod such a caller
 * sees and may change everything, as with the embedded controller.
 */
#ifndef APPLETS_VIPU_SERVER_IDENTITY_H
#define APPLETS_VIPU_SERVER_IDENTITY_H

#include "core/control/control.h"
#include "core/server/rpc/rpc.h"

enum { IDENTITY_TEXT_SIZE = 160 };

struct identity {
	struct caller caller;	       /* admin: sees and changes everything */
	bool may_administer;	       /* pods, users, allocations, faults:
				 administrators, and in an open pod callers
				 without a user name */
	char text[IDENTITY_TEXT_SIZE]; /* "ann, 10.1.3.7:40312", for a log */
};

struct identity_rules {
	const char *administrators; /* names separated by commas, or "" */
	bool secure;		    /* the pod is secure */
};

/* Return true if the list of administrators, as in struct identity_rules, has
   that user; "" is never in it. */
bool identity_administers(const char *list, const char *user);

/* Read the identity that the call claims.  -1: the user or key is malformed
   (ERROR_UNAUTHENTICATED).  Does not check the key: may_administer holds only
   after login_switch() accepted it. */
int identity_read(struct identity *, const struct rpc_call *,
    const struct identity_rules *, struct error *);

/*
 * Keys that callers have shown.  Checking a key takes milliseconds on purpose,
 * so a right key is checked once, and wrong keys are checked at a limited rate.
 * Pure: the time is a parameter, in ms of clock_monotonic_ms().
 *
 * Each address may show KEY_RING_BURST wrong keys at once and one more each
 * second; all addresses together KEY_RING_ALL, and as many more each second.
 * Beyond that, only keys that were right before are accepted.
 */
enum {
	KEY_RING_KEYS = 64,
	KEY_RING_ADDRESSES = 64,
	KEY_RING_BURST = 5,
	KEY_RING_ALL = 20
};

/* A leaky bucket that counts an address's wrong keys. */
struct key_ring_bucket {
	uint64_t origin; /* of struct rpc_peer */
	int64_t level;	 /* thousandths of a key, at since_ms */
	int64_t since_ms;
};

struct key_ring {
	struct {
		char user[NAME_SIZE];
		char key[SECRET_SIZE];
		char hash[SECRET_HASH_SIZE];
	} keys[KEY_RING_KEYS];
	int next; /* index of the oldest key, which a new user's replaces */
	struct key_ring_bucket addresses[KEY_RING_ADDRESSES];
	struct key_ring_bucket all; /* of all addresses together */
};

/* Fill in caller->hash if the ring has this key of this user (so it was right
   before); else leave the hash unchanged. */
void key_ring_find(const struct key_ring *, struct caller *);

/* Remember a right key with its hash, in place of the user's last one, or else
   of the oldest key. */
void key_ring_keep(struct key_ring *, const struct caller *, const char *hash);

/* Whether the limits of wrong keys allow checking a key from that address
   now. */
bool key_ring_may_try(const struct key_ring *, uint64_t origin, int64_t now_ms);
/* Record a wrong key from that address. */
void key_ring_wrong(struct key_ring *, uint64_t origin, int64_t now_ms);

#endif
