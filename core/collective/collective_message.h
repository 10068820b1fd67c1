/*
 * Encodes and decodes the messages between a program's library and its job's
 * collectives (ipubox-link(7)).  Decoders check every length, and that names
 * contain no NUL byte.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_MESSAGE_H
#define CORE_COLLECTIVE_COLLECTIVE_MESSAGE_H

#include "core/base/error.h"
#include "core/collective/collective_wire.h"

/* Decode the head of a message.  -1, ERROR_INVALID: impossible size. */
int collective_message_get_head(struct collective_head *,
    const unsigned char bytes[COLLECTIVE_HEAD_BYTES], struct error *);
void collective_message_put_head(unsigned char to[COLLECTIVE_HEAD_BYTES],
    const struct collective_head *);
/* Return "barrier", "all-reduce", "all-gather" or "broadcast", or NULL. */
const char *collective_message_operation_name(int operation);

/*
 * Decode a body of `size` bytes.  The data of a call and the members of a set
 * point into it.  -1, ERROR_INVALID: it is malformed.  A hello of another
 * version is not: it returns 0 with only the version set.
 *
 * A call's data are the bytes after the names; the caller checks their length.
 * _member returns member i of a set, i < count.
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

/* Translate an enum collective_code; others mean ERROR_UNAVAILABLE. */
enum error_code collective_message_error_code(uint32_t code);

/* Encode a message and return its length.  `to` has room for it:
   COLLECTIVE_MESSAGE_MAX is always enough.  The head of a call also counts the
   data_bytes that the caller sends after it.  A welcome answers a hello. */
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

/* Between hosts: _put_bytes encodes the COLLECTIVE_BYTES_HEAD bytes before a
   piece of a program's memory, which the caller sends after them; all together
   at most COLLECTIVE_MESSAGE_MAX.  _get_bytes copies the bytes of such a body
   to their place in the memory.  -1, ERROR_INVALID: the body has no such bytes,
   or they do not fit. */
size_t collective_message_put_bytes(unsigned char *to, uint64_t offset,
    size_t bytes);
int collective_message_get_bytes(const unsigned char *body, size_t,
    unsigned char *memory, size_t memory_bytes, struct error *);

#endif
