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
#ifndef CORE_LINK_LINK_PROOF_H
#define CORE_LINK_LINK_PROOF_H

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

#endif
