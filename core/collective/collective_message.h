/*
 * The messages between a program's library and the collectives of its job, as
 * ipubox-link(7) describes them: heads and bodies as bytes, both ways.  What a
 * reader returns has been checked: each length, and that names are texts.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_MESSAGE_H
#define CORE_COLLECTIVE_COLLECTIVE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum {
	COLLECTIVE_VERSION = 1,
	COLLECTIVE_HEAD_BYTES = 16,
	COLLECTIVE_MESSAGE_MAX = 64 * 1024,
	COLLECTIVE_INLINE_MAX = 32 * 1024, /* vectors in messages */
	COLLECTIVE_NAME_MAX = 255,	   /* of an id, a communicator */
	COLLECTIVE_GROUP_MAX = 63,
	COLLECTIVE_MEMBERS_MAX = 4096,
	/* of an operation without its vector */
	COLLECTIVE_CALL_MAX = COLLECTIVE_HEAD_BYTES + 40 +
	    2 * COLLECTIVE_NAME_MAX,
	COLLECTIVE_BYTES_HEAD = COLLECTIVE_HEAD_BYTES + 8,
	COLLECTIVE_BYTES_MAX = COLLECTIVE_MESSAGE_MAX - COLLECTIVE_BYTES_HEAD
};

enum collective_kind {
	COLLECTIVE_HELLO = 1,
	COLLECTIVE_MEMORY,
	COLLECTIVE_OPERATION,
	COLLECTIVE_COMMUNICATOR,
	COLLECTIVE_LEAVE,
	COLLECTIVE_MAILBOX,
	COLLECTIVE_WAKE,
	COLLECTIVE_BYTES = 64 /* between hosts */,
	COLLECTIVE_DONE = 128,
	COLLECTIVE_ERROR,
	COLLECTIVE_WOKEN
};
enum { COLLECTIVE_IN_MEMORY = 1, COLLECTIVE_FOR_GOOD = 1 }; /* flags */

enum collective_operation {
	COLLECTIVE_BARRIER = 1,
	COLLECTIVE_SUM,
	COLLECTIVE_GATHER,
	COLLECTIVE_BROADCAST,
	COLLECTIVE_CHAIN /* of relays */
};

enum collective_code {
	COLLECTIVE_MALFORMED = 1,
	COLLECTIVE_OTHER_VERSION,
	COLLECTIVE_MISMATCH,
	COLLECTIVE_TWICE,
	COLLECTIVE_TIMED_OUT,
	COLLECTIVE_GONE,
	COLLECTIVE_LEFT,
	COLLECTIVE_NO_COMMUNICATOR,
	COLLECTIVE_NO_ROOM
};

struct collective_head {
	uint32_t size, request; /* the size is the whole message's */
	uint16_t kind, flags;	/* enum collective_kind, or unknown */
};

struct collective_hello {
	uint32_t version; /* another one: the rest is not set */
	uint32_t instance, pid, member, members;
	char group[COLLECTIVE_GROUP_MAX + 1];
};

struct collective_call {
	int operation; /* enum collective_operation */
	int type;      /* enum element_type; 0: a barrier */
	uint32_t root;
	uint32_t timeout_ms;	 /* 0: none */
	uint64_t count;		 /* elements of each member */
	uint64_t vector, result; /* offsets, of COLLECTIVE_IN_MEMORY */
	char communicator[COLLECTIVE_NAME_MAX + 1];
	char id[COLLECTIVE_NAME_MAX + 1];
	size_t data_bytes;	   /* of the vector behind it */
	const unsigned char *data; /* in the body that was read */
};

struct collective_set {
	char name[COLLECTIVE_NAME_MAX + 1];
	uint32_t count;
	const unsigned char *members; /* collective_message_member() */
};

/* The head of a message.  ERROR_INVALID: its size is not that of one. */
int collective_message_get_head(struct collective_head *,
    const unsigned char bytes[COLLECTIVE_HEAD_BYTES], struct error *);
void collective_message_put_head(unsigned char to[COLLECTIVE_HEAD_BYTES],
    const struct collective_head *);
/* "barrier", "all-reduce", "all-gather", "broadcast". */
const char *collective_message_operation_name(int operation);

/*
 * Bodies of so many bytes; each -1 and ERROR_INVALID where they are not one.
 * A call's data are what stands behind the names, however long that has to be.
 */
int collective_message_get_hello(struct collective_hello *,
    const unsigned char *body, size_t, struct error *);
int collective_message_get_memory(uint64_t *size, const unsigned char *body,
    size_t, struct error *);
int collective_message_get_call(struct collective_call *,
    const unsigned char *body, size_t, struct error *);
int collective_message_get_set(struct collective_set *,
    const unsigned char *body, size_t, struct error *);
uint32_t collective_message_member(const struct collective_set *, uint32_t i);
int collective_message_get_error(uint32_t *code, struct error *why,
    const unsigned char *body, size_t, struct error *);

/* Whole messages, as bytes at `to`; they return how many.  A head also counts
   a call's data or a result, which goes after it. */
size_t collective_message_put_hello(unsigned char *to, uint32_t request,
    const struct collective_hello *);
size_t collective_message_put_memory(unsigned char *to, uint32_t request,
    uint64_t size);
size_t collective_message_put_call(unsigned char *to, uint32_t request,
    uint16_t flags, const struct collective_call *);
size_t collective_message_put_welcome(unsigned char *to, uint32_t request,
    uint32_t pid);
size_t collective_message_put_error(unsigned char *to, uint32_t request,
    enum collective_code, const char *text);

/* COLLECTIVE_BYTES_MAX bytes at most of a program's memory, between hosts: what
   goes before them; and put those of a body in their place in the memory. */
size_t collective_message_put_bytes(unsigned char *to, uint64_t offset,
    size_t bytes);
int collective_message_get_bytes(const unsigned char *body, size_t,
    unsigned char *memory, size_t memory_bytes, struct error *);

#endif
