/*
 * The proof at the start of a link.  Each end checks that the other knows the
 * secret before it sends or accepts anything else.
 */
#include "core/link/link_internal.h"

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

enum {
	MAGIC_BYTES = 4,
	ROLE_BYTES = 8,
	NUMBER_BYTES = sizeof(uint32_t),
	PROVED_BYTES = ROLE_BYTES + 2 * NUMBER_BYTES +
	    2 * LINK_PROOF_NONCE_BYTES
};

static const unsigned char magic[MAGIC_BYTES] = { 'i', 'p', 'u', 'L' };
static const char roles[2][ROLE_BYTES] = { "poprun", "process" };

/* Compute the proof of a side. */
static void
link_proof_make(const struct link_proof *p, enum link_side side,
    unsigned char proof[HMAC_BYTES])
{
	unsigned char text[PROVED_BYTES];

	memcpy(text, roles[side], ROLE_BYTES);
	bits_put_le32(text + ROLE_BYTES, LINK_VERSION);
	bits_put_le32(text + ROLE_BYTES + NUMBER_BYTES, (uint32_t)p->instance);
	memcpy(text + ROLE_BYTES + 2 * NUMBER_BYTES, p->nonces,
	    sizeof(p->nonces));
	hmac_compute(&p->key, text, sizeof(text), proof);
}

/* Check that these bytes are the proof of the other side. */
static int
link_proof_check(const struct link_proof *p, const unsigned char *received,
    struct error *e)
{
	unsigned char proof[HMAC_BYTES];

	link_proof_make(p, p->side == LINK_POPRUN ? LINK_PROCESS : LINK_POPRUN,
	    proof);
	if (hmac_equal(received, proof))
		return 0;
	return error_set_code(e, ERROR_UNAUTHENTICATED,
	    "the other end does not know the job's secret");
}

/* Write a side's first bytes, except the proof. */
static size_t
link_proof_greet(const struct link_proof *p, unsigned char *to)
{
	size_t used = LINK_PROOF_GREETING_BYTES;

	memcpy(to, magic, MAGIC_BYTES);
	bits_put_le32(to + MAGIC_BYTES, LINK_VERSION);
	if (p->side == LINK_PROCESS) {
		bits_put_le32(to + used, (uint32_t)p->instance);
		used += NUMBER_BYTES;
	}
	memcpy(to + used, p->nonces[p->side], LINK_PROOF_NONCE_BYTES);
	return used + LINK_PROOF_NONCE_BYTES;
}

/* Check the first bytes as soon as they arrive, so that a stranger may not send
   more. */
static int
link_proof_check_greeting(const unsigned char *from, size_t size,
    struct error *e)
{
	uint32_t version;

	if (memcmp(from, magic, size < MAGIC_BYTES ? size : MAGIC_BYTES) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "the other end sent something that is not the beginning of "
		    "a link");
	if (size < LINK_PROOF_GREETING_BYTES)
		return 0;
	version = bits_get_le32(from + MAGIC_BYTES);
	if (version == LINK_VERSION)
		return 0;
	return error_set_code(e, ERROR_UNSUPPORTED,
	    "the other end has version %u of the link and this one has %u: use "
	    "the same ipubox on both",
	    (unsigned)version, (unsigned)LINK_VERSION);
}

/* In the process: answer. */
static size_t
link_proof_take_hello(struct link_proof *p, const unsigned char *from,
    unsigned char *reply)
{
	size_t size;

	memcpy(p->nonces[LINK_POPRUN], from + LINK_PROOF_GREETING_BYTES,
	    LINK_PROOF_NONCE_BYTES);
	size = link_proof_greet(p, reply);
	link_proof_make(p, LINK_PROCESS, reply + size);
	p->stage = LINK_PROOF_WAITS_FOR_PROOF;
	return size + HMAC_BYTES;
}

/* In poprun: check the answer, and prove the same. */
static int
link_proof_take_answer(struct link_proof *p, const unsigned char *from,
    unsigned char *reply, struct error *e)
{
	from += LINK_PROOF_GREETING_BYTES;
	p->instance = (int)bits_get_le32(from);
	from += NUMBER_BYTES;
	memcpy(p->nonces[LINK_PROCESS], from, LINK_PROOF_NONCE_BYTES);
	if (link_proof_check(p, from + LINK_PROOF_NONCE_BYTES, e) != 0) {
		p->instance = -1;
		return -1;
	}
	link_proof_make(p, LINK_POPRUN, reply);
	return 0;
}

size_t
link_proof_init(struct link_proof *p, enum link_side side,
    const unsigned char secret[LINK_SECRET_BYTES], int instance,
    unsigned char first[LINK_PROOF_HELLO_BYTES])
{
	memset(p, 0, sizeof(*p));
	p->side = side;
	p->stage = side == LINK_POPRUN ?
	    LINK_PROOF_WAITS_FOR_ANSWER :
	    LINK_PROOF_WAITS_FOR_HELLO;
	p->instance = side == LINK_POPRUN ? -1 : instance;
	hmac_init(&p->key, secret, LINK_SECRET_BYTES);
	arc4random_buf(p->nonces[side], LINK_PROOF_NONCE_BYTES);
	return side == LINK_POPRUN ? link_proof_greet(p, first) : 0;
}

void
link_proof_release(struct link_proof *p)
{
	explicit_bzero(&p->key, sizeof(p->key));
}

size_t
link_proof_wants(const struct link_proof *p)
{
	static const size_t sizes[] = { [LINK_PROOF_WAITS_FOR_HELLO] =
					    LINK_PROOF_HELLO_BYTES,
		[LINK_PROOF_WAITS_FOR_ANSWER] = LINK_PROOF_ANSWER_BYTES,
		[LINK_PROOF_WAITS_FOR_PROOF] = HMAC_BYTES,
		[LINK_PROOF_DONE] = 0 };

	return sizes[p->stage];
}

int
link_proof_take(struct link_proof *p, const unsigned char *from, size_t size,
    unsigned char reply[LINK_PROOF_ANSWER_BYTES], size_t *reply_size,
    struct error *e)
{
	const int wanted = (int)link_proof_wants(p);

	*reply_size = 0;
	if (p->stage != LINK_PROOF_WAITS_FOR_PROOF &&
	    link_proof_check_greeting(from, size, e) != 0)
		return -1;
	if (size < (size_t)wanted)
		return 0;
	switch (p->stage) {
	case LINK_PROOF_WAITS_FOR_HELLO:
		*reply_size = link_proof_take_hello(p, from, reply);
		return wanted;
	case LINK_PROOF_WAITS_FOR_ANSWER:
		if (link_proof_take_answer(p, from, reply, e) != 0)
			return -1;
		*reply_size = HMAC_BYTES;
		break;
	default:
		if (link_proof_check(p, from, e) != 0)
			return -1;
	}
	p->stage = LINK_PROOF_DONE;
	link_proof_release(p);
	return wanted;
}
