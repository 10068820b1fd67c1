/*
 * How both ends of a link prove to each other that they know the job's secret.
 * No input and no output: bytes come in, and bytes to be sent go out.
 *
 *	poprun                                   the process
 *	  magic, version, nonce --------------->
 *	  <----- magic, version, instance, nonce, proof
 *	  proof ------------------------------->
 *
 * A proof is the HMAC, with the secret as its key, of the role of who sends it
 * ("poprun" or "process"), so that one that is sent back proves nothing; the
 * version; the instance; and both nonces, so that it is of this connection
 * alone.  Numbers have 32 bits, little endian.
 */
#ifndef CORE_LINK_LINK_PROOF_H
#define CORE_LINK_LINK_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
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
	LINK_PROOF_WAITS_FOR_HELLO,  /* the process */
	LINK_PROOF_WAITS_FOR_ANSWER, /* poprun */
	LINK_PROOF_WAITS_FOR_PROOF,  /* the process */
	LINK_PROOF_DONE
};

struct link_proof {
	enum link_side side;
	enum link_proof_stage stage;
	int instance;	 /* -1: not known yet */
	struct hmac key; /* wiped when it is done */
	unsigned char nonces[2][LINK_PROOF_NONCE_BYTES];
};

/* Begin.  The bytes to send first, of which there may be none. */
size_t link_proof_init(struct link_proof *, enum link_side,
    const unsigned char secret[LINK_SECRET_BYTES], int instance,
    unsigned char first[LINK_PROOF_HELLO_BYTES]);
/* Wipe the key. */
void link_proof_release(struct link_proof *);

/* How many bytes the next part that comes has; 0: it is done. */
size_t link_proof_wants(const struct link_proof *);

/*
 * Take what has come, all that is there.  The number of bytes that were used,
 * 0: more has to come; and `reply`, to be sent.  -1: ERROR_UNAUTHENTICATED,
 * ERROR_UNSUPPORTED (another version), ERROR_INVALID (something else).
 */
int link_proof_take(struct link_proof *, const unsigned char *, size_t,
    unsigned char reply[LINK_PROOF_ANSWER_BYTES], size_t *reply_size,
    struct error *);

#endif
