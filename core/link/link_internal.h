/*
 * How both ends of a link prove to each other that they know the job's secret.
 * It does no input or output: the caller passes received bytes and sends the
 * reply.
 *
 *	poprun                                   the process
 *	  magic, version, nonce --------------->
 *	  <----- magic, version, instance, nonce, proof
 *	  proof ------------------------------->
 *
 * A proof is an HMAC keyed with the secret.  It covers the sender's role
 * ("poprun" or "process"), so that a reflected proof is worthless; the version;
 * the instance; and both nonces, so that it holds for this connection alone.
 * Numbers have 32 bits, little endian.
 */
#ifndef CORE_LINK_LINK_INTERNAL_H
#define CORE_LINK_LINK_INTERNAL_H

#include "core/base/formats/encoding.h"
#include "core/link/link.h"

enum {
	LINK_PROOF_NONCE_BYTES = 32,
	LINK_PROOF_GREETING_BYTES = 8, /* magic number and version */
	LINK_PROOF_HELLO_BYTES = LINK_PROOF_GREETING_BYTES +
	    LINK_PROOF_NONCE_BYTES,
	LINK_PROOF_ANSWER_BYTES = LINK_PROOF_GREETING_BYTES + 4 +
	    LINK_PROOF_NONCE_BYTES + HMAC_BYTES
};

enum {
	LINK_HUB_GUESTS = 64,	   /* connections that have not proved
				     themselves, besides one per instance */
	LINK_HUB_GUEST_MS = 10000, /* the time that they get for the proof */
	LINK_HUB_STAY_MS = 100 /* the part of it that no newcomer takes away */
};

enum link_proof_stage {
	LINK_PROOF_WAITS_FOR_HELLO,  /* at the process */
	LINK_PROOF_WAITS_FOR_ANSWER, /* at poprun */
	LINK_PROOF_WAITS_FOR_PROOF,  /* at the process */
	LINK_PROOF_DONE
};

struct link_proof {
	enum link_side side;
	enum link_proof_stage stage;
	int instance;					 /* -1: not known yet */
	struct hmac key;				 /* wiped at the end */
	unsigned char nonces[2][LINK_PROOF_NONCE_BYTES]; /* by side */
};

/* Begin, and fill `first` with the bytes to send first.  Returns their count: 0
   at the process, which waits.  poprun's `instance` is ignored. */
size_t link_proof_init(struct link_proof *, enum link_side,
    const unsigned char secret[LINK_SECRET_BYTES], int instance,
    unsigned char first[LINK_PROOF_HELLO_BYTES]);
/* Wipe the key. */
void link_proof_release(struct link_proof *);

/* Return the size of the next part to receive; 0: the proof is complete. */
size_t link_proof_wants(const struct link_proof *);

/* Take the bytes received so far.  Returns how many were used (0: call it again
   with these and more bytes), and the `reply` to send, if *reply_size is not 0.
   After the last part the key is wiped; after -1 link_proof_release() must do
   it.  -1: ERROR_UNAUTHENTICATED (wrong secret), ERROR_UNSUPPORTED (another
   version) or ERROR_INVALID (not this protocol). */
int link_proof_take(struct link_proof *, const unsigned char *, size_t,
    unsigned char reply[LINK_PROOF_ANSWER_BYTES], size_t *reply_size,
    struct error *);

/*
 * The guests of a hub: connections that have not proved themselves.  A stranger
 * may open any number and say nothing.  So each guest gets one of a fixed
 * number of places; if all are taken, the address with the most guests gives up
 * its oldest one.  Newcomers wait until that one has had time to prove itself.
 * For link_hub.c only.
 */

enum { LINK_GUESTS_ORIGINS = 256 }; /* counters of addresses, a power of two */

struct link_guest {
	struct link *link; /* NULL: unused */
	int64_t until_ms;  /* when its time to prove itself is over */
	short events;	   /* that epoll(7) watches for */
	unsigned origin;   /* index of the counter of its address */
};

struct link_guests {
	struct link_guest *all;
	size_t places, count;
	unsigned origins[LINK_GUESTS_ORIGINS];
	uint64_t seed;
};

/* _init: make the places.  _release: close the links of all guests and free the
   places. */
void link_guests_init(struct link_guests *, size_t places);
void link_guests_release(struct link_guests *);

/* Give a connection, which its link then owns, a free place.  A place must be
   free: call link_guests_leaving() before. */
struct link_guest *link_guests_add(struct link_guests *, int fd,
    const unsigned char *secret, int64_t now_ms);
/* Free the place of a guest.  The caller must have taken or closed its link. */
void link_guests_remove(struct link_guests *, struct link_guest *);

/* Return the guest that must be removed before link_guests_add().  NULL: a
   place is free. */
struct link_guest *link_guests_leaving(struct link_guests *);
/* Return when that guest may be removed; 0: now, or a place is free. */
int64_t link_guests_full_ms(struct link_guests *, int64_t now_ms);
/* Return a guest that has used up its time, or NULL. */
struct link_guest *link_guests_late(struct link_guests *, int64_t now_ms);
/* Return when the first guest's time is over; 0: no guest exists. */
int64_t link_guests_next_ms(const struct link_guests *);

#endif
