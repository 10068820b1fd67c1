/*
 * A member of a job's collectives in a test's hands: it sends what a test wants
 * and looks at what comes.  What cannot fail ends the program where it does.
 */
#ifndef TESTS_UNIT_MEMBER_UTIL_H
#define TESTS_UNIT_MEMBER_UTIL_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/collective/collective_message.h"

struct member {
	int fd;
	uint32_t request; /* the last one */
	unsigned char message[COLLECTIVE_MESSAGE_MAX];
};

struct answer {
	uint32_t request;
	int kind; /* 0: poprun has gone */
	size_t size;
	const unsigned char *body; /* in the member's message */
	uint32_t code;		   /* of an error, and its text */
	struct error why;
};

/* Connect in that directory; say nothing. */
void member_connect(struct member *, const char *directory);

/* The same, and say hello as an instance of so many. */
void member_open(struct member *, const char *directory, uint32_t instance,
    uint32_t count);

/* Send bytes, and perhaps a descriptor (-1: none). */
void member_put(const struct member *, const void *, size_t, int fd);

/* Send a call; its number. */
uint32_t member_send(struct member *, int flags, const struct collective_call *,
    const void *data);

/* The next answer. */
void member_receive(struct member *, struct answer *);

/* Both; -1 where it fails. */
int member_call(struct member *, int flags, const struct collective_call *,
    const void *data, struct answer *);

/* A call of so many elements of a type. */
struct collective_call member_a_call(int operation, const char *id, int type,
    uint64_t count);

/* Give memory of so many bytes, with these seals. */
void *member_share(struct member *, size_t, int seals, struct answer *);

/* Leave, and close the connection. */
void member_leave(struct member *, int flags);

#endif
