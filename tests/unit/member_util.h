/*
 * A member of a job's collectives, driven by a test: it sends and receives
 * single messages.  A step that must succeed ends the program if it fails.
 */
#ifndef TESTS_UNIT_MEMBER_UTIL_H
#define TESTS_UNIT_MEMBER_UTIL_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/collective/collective_message.h"

struct member {
	int fd;
	uint32_t request; /* latest */
	unsigned char message[COLLECTIVE_MESSAGE_MAX];
};

struct answer {
	uint32_t request;
	int kind; /* 0: poprun has closed */
	size_t size;
	const unsigned char *body; /* in the member's message */
	uint32_t code;		   /* of an error, with its text */
	struct error why;
};

/* Connect in that directory without a greeting. */
void member_connect(struct member *, const char *directory);

/* Connect, and greet as an instance of a job of `count`. */
void member_open(struct member *, const char *directory, uint32_t instance,
    uint32_t count);

/* Send bytes, with a descriptor unless fd is -1. */
void member_put(const struct member *, const void *, size_t, int fd);

/* Send a call; return its number. */
uint32_t member_send(struct member *, int flags, const struct collective_call *,
    const void *data);

/* Receive the next answer. */
void member_receive(struct member *, struct answer *);

/* Send and receive.  -1: it failed. */
int member_call(struct member *, int flags, const struct collective_call *,
    const void *data, struct answer *);

/* Return a call with that many elements of a type. */
struct collective_call member_a_call(int operation, const char *id, int type,
    uint64_t count);

/* Share memory of that many bytes, with these seals. */
void *member_share(struct member *, size_t, int seals, struct answer *);

/* Leave, and close the connection. */
void member_leave(struct member *, int flags);

#endif
