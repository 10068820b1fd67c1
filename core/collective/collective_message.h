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
#include "core/collective/collective_wire.h"

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
