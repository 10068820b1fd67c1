/*
 * Encodes and decodes messages of the collectives.  Each reader reads a body
 * through a struct reader, which remembers whether it was too short.
 */
#include "core/collective/collective_message.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/bits.h"

struct reader {
	const unsigned char *at;
	size_t left;
	bool bad;
};

struct writer {
	unsigned char *begin, *at;
};

const char *
collective_message_operation_name(int operation)
{
	switch (operation) {
	case COLLECTIVE_BARRIER:
		return "barrier";
	case COLLECTIVE_SUM:
	case COLLECTIVE_CHAIN:
		return "all-reduce";
	case COLLECTIVE_GATHER:
		return "all-gather";
	case COLLECTIVE_BROADCAST:
		return "broadcast";
	default:
		return NULL;
	}
}

/* Return the next bytes; NULL if fewer remain. */
static const unsigned char *
take(struct reader *r, size_t size)
{
	const unsigned char *at = r->at;

	if (size > r->left)
		r->bad = true;
	if (r->bad)
		return NULL;
	r->at += size;
	r->left -= size;
	return at;
}

static uint32_t
take_u8(struct reader *r)
{
	const unsigned char *at = take(r, 1);

	return at != NULL ? *at : 0;
}

static uint32_t
take_u16(struct reader *r)
{
	const unsigned char *at = take(r, 2);

	return at != NULL ? bits_get_le16(at) : 0;
}

static uint32_t
take_u32(struct reader *r)
{
	const unsigned char *at = take(r, 4);

	return at != NULL ? bits_get_le32(at) : 0;
}

static uint64_t
take_u64(struct reader *r)
{
	const unsigned char *at = take(r, 8);

	return at != NULL ? bits_get_le64(at) : 0;
}

/* Read a name of `size` bytes without NUL bytes into a string. */
static void
take_word(struct reader *r, char *name, size_t size, size_t max)
{
	const unsigned char *at = size <= max ? take(r, size) : NULL;

	name[0] = '\0';
	if (at == NULL || memchr(at, '\0', size) != NULL) {
		r->bad = true;
		return;
	}
	memcpy(name, at, size);
	name[size] = '\0';
}

/* Check that nothing of the body remains. */
static int
finish(const struct reader *r, const char *what, struct error *e)
{
	if (!r->bad && r->left == 0)
		return 0;
	return error_set_code(e, ERROR_INVALID, "%s is %s", what,
	    r->bad ? "too short, or has an invalid name" :
		     "longer than its contents");
}

int
collective_message_get_head(struct collective_head *h,
    const unsigned char bytes[COLLECTIVE_HEAD_BYTES], struct error *e)
{
	*h = (struct collective_head){ .size = bits_get_le32(bytes),
		.kind = bits_get_le16(bytes + 4),
		.flags = bits_get_le16(bytes + 6),
		.request = bits_get_le32(bytes + 8) };
	if (h->size >= COLLECTIVE_HEAD_BYTES &&
	    h->size <= COLLECTIVE_MESSAGE_MAX)
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "a message cannot have %lu bytes", (unsigned long)h->size);
}

int
collective_message_get_hello(struct collective_hello *h,
    const unsigned char *body, size_t size, struct error *e)
{
	struct reader r = { .at = body, .left = size };

	h->version = take_u32(&r);
	if (!r.bad && h->version != COLLECTIVE_VERSION)
		return 0;
	h->instance = take_u32(&r);
	h->pid = take_u32(&r);
	h->member = take_u32(&r);
	h->members = take_u32(&r);
	take_word(&r, h->group, r.left, COLLECTIVE_GROUP_MAX);
	if (finish(&r, "a hello", e) != 0)
		return -1;
	if (h->member >= h->members || h->members > COLLECTIVE_MEMBERS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "member %lu of %lu does not exist",
		    (unsigned long)h->member, (unsigned long)h->members);
	return 0;
}

int
collective_message_get_memory(uint64_t *bytes, const unsigned char *body,
    size_t size, struct error *e)
{
	struct reader r = { .at = body, .left = size };

	*bytes = take_u64(&r);
	return finish(&r, "a message about memory", e);
}

int
collective_message_get_call(struct collective_call *c,
    const unsigned char *body, size_t size, struct error *e)
{
	struct reader r = { .at = body, .left = size };
	uint32_t communicator_bytes, id_bytes;

	c->operation = (int)take_u8(&r);
	c->type = (int)take_u8(&r);
	communicator_bytes = take_u16(&r);
	id_bytes = take_u16(&r);
	(void)take_u16(&r);
	c->root = take_u32(&r);
	c->timeout_ms = take_u32(&r);
	c->count = take_u64(&r);
	c->vector = take_u64(&r);
	c->result = take_u64(&r);
	take_word(&r, c->communicator, communicator_bytes, COLLECTIVE_NAME_MAX);
	take_word(&r, c->id, id_bytes, COLLECTIVE_NAME_MAX);
	c->data_bytes = r.left;
	c->data = take(&r, r.left);
	if (finish(&r, "an operation", e) != 0)
		return -1;
	if (collective_message_operation_name(c->operation) == NULL)
		return error_set_code(e, ERROR_INVALID, "unknown operation %d",
		    c->operation);
	if (id_bytes == 0)
		return error_set_code(e, ERROR_INVALID,
		    "the operation has no id");
	return 0;
}

int
collective_message_get_set(struct collective_set *s, const unsigned char *body,
    size_t size, struct error *e)
{
	struct reader r = { .at = body, .left = size };
	const uint32_t name_bytes = take_u16(&r);

	(void)take_u16(&r);
	s->count = take_u32(&r);
	take_word(&r, s->name, name_bytes, COLLECTIVE_NAME_MAX);
	s->members = take(&r,
	    s->count <= COLLECTIVE_MEMBERS_MAX ? s->count * sizeof(uint32_t) :
						 SIZE_MAX);
	if (finish(&r, "a communicator", e) != 0)
		return -1;
	if (name_bytes == 0 || s->count == 0)
		return error_set_code(e, ERROR_INVALID,
		    "the communicator has no %s",
		    name_bytes == 0 ? "name" : "member");
	return 0;
}

uint32_t
collective_message_member(const struct collective_set *s, uint32_t i)
{
	return bits_get_le32(s->members + i * sizeof(uint32_t));
}

int
collective_message_get_bytes(const unsigned char *body, size_t size,
    unsigned char *memory, size_t memory_bytes, struct error *e)
{
	struct reader r = { .at = body, .left = size };
	const uint64_t offset = take_u64(&r);

	if (r.bad || r.left == 0 || offset > memory_bytes ||
	    r.left > memory_bytes - offset)
		return error_set_code(e, ERROR_INVALID,
		    "%zu bytes at %llu are not in the memory of %zu bytes",
		    r.left, (unsigned long long)offset, memory_bytes);
	memcpy(memory + offset, r.at, r.left);
	return 0;
}

enum error_code
collective_message_error_code(uint32_t code)
{
	switch ((enum collective_code)code) {
	case COLLECTIVE_MALFORMED:
	case COLLECTIVE_MISMATCH:
	case COLLECTIVE_TWICE:
		return ERROR_INVALID;
	case COLLECTIVE_OTHER_VERSION:
		return ERROR_UNSUPPORTED;
	case COLLECTIVE_TIMED_OUT:
		return ERROR_TIMED_OUT;
	case COLLECTIVE_GONE:
	case COLLECTIVE_LEFT:
		return ERROR_UNAVAILABLE;
	case COLLECTIVE_NO_COMMUNICATOR:
		return ERROR_NOT_FOUND;
	case COLLECTIVE_NO_ROOM:
		return ERROR_NO_ROOM;
	}
	return ERROR_UNAVAILABLE;
}

static void
put_u16(struct writer *w, uint16_t number)
{
	bits_put_le16(w->at, number);
	w->at += sizeof(number);
}

static void
put_u32(struct writer *w, uint32_t number)
{
	bits_put_le32(w->at, number);
	w->at += sizeof(number);
}

static void
put_u64(struct writer *w, uint64_t number)
{
	bits_put_le64(w->at, number);
	w->at += sizeof(number);
}

/* Write the head except for the size, which comes last. */
static struct writer
begin(unsigned char *to, uint16_t kind, uint16_t flags, uint32_t request)
{
	struct writer w = { .begin = to, .at = to };

	put_u32(&w, 0);
	put_u16(&w, kind);
	put_u16(&w, flags);
	put_u32(&w, request);
	put_u32(&w, 0);
	return w;
}

static void
put_bytes(struct writer *w, const char *text, size_t size)
{
	memcpy(w->at, text, size);
	w->at += size;
}

/* Return the length of the caller's name, limited to `max`. */
static size_t
name_bytes(const char *name, size_t max)
{
	return strnlen(name, max);
}

/* Write the size, including bytes after the message, to the head. */
static size_t
end(const struct writer *w, size_t extra)
{
	const size_t size = (size_t)(w->at - w->begin);

	bits_put_le32(w->begin, (uint32_t)(size + extra));
	return size;
}

void
collective_message_put_head(unsigned char to[COLLECTIVE_HEAD_BYTES],
    const struct collective_head *h)
{
	const struct writer w = begin(to, h->kind, h->flags, h->request);

	(void)end(&w, h->size - COLLECTIVE_HEAD_BYTES);
}

size_t
collective_message_put_hello(unsigned char *to, uint32_t request,
    const struct collective_hello *h)
{
	struct writer w = begin(to, COLLECTIVE_HELLO, 0, request);

	put_u32(&w, h->version);
	put_u32(&w, h->instance);
	put_u32(&w, h->pid);
	put_u32(&w, h->member);
	put_u32(&w, h->members);
	put_bytes(&w, h->group, name_bytes(h->group, COLLECTIVE_GROUP_MAX));
	return end(&w, 0);
}

size_t
collective_message_put_memory(unsigned char *to, uint32_t request,
    uint64_t size)
{
	struct writer w = begin(to, COLLECTIVE_MEMORY, 0, request);

	put_u64(&w, size);
	return end(&w, 0);
}

size_t
collective_message_put_call(unsigned char *to, uint32_t request, uint16_t flags,
    const struct collective_call *c)
{
	const size_t communicator = name_bytes(c->communicator,
	    COLLECTIVE_NAME_MAX);
	const size_t id = name_bytes(c->id, COLLECTIVE_NAME_MAX);
	struct writer w = begin(to, COLLECTIVE_OPERATION, flags, request);

	*w.at++ = (unsigned char)c->operation;
	*w.at++ = (unsigned char)c->type;
	put_u16(&w, (uint16_t)communicator);
	put_u16(&w, (uint16_t)id);
	put_u16(&w, 0);
	put_u32(&w, c->root);
	put_u32(&w, c->timeout_ms);
	put_u64(&w, c->count);
	put_u64(&w, c->vector);
	put_u64(&w, c->result);
	put_bytes(&w, c->communicator, communicator);
	put_bytes(&w, c->id, id);
	return end(&w, c->data_bytes);
}

size_t
collective_message_put_welcome(unsigned char *to, uint32_t request,
    uint32_t pid)
{
	struct writer w = begin(to, COLLECTIVE_DONE, 0, request);

	put_u32(&w, COLLECTIVE_VERSION);
	put_u32(&w, pid);
	return end(&w, 0);
}

size_t
collective_message_put_error(unsigned char *to, uint32_t request,
    enum collective_code code, const char *text)
{
	struct writer w = begin(to, COLLECTIVE_ERROR, 0, request);

	put_u32(&w, (uint32_t)code);
	put_bytes(&w, text,
	    name_bytes(text, sizeof(((struct error *)NULL)->text) - 1));
	return end(&w, 0);
}

size_t
collective_message_put_bytes(unsigned char *to, uint64_t offset, size_t bytes)
{
	struct writer w = begin(to, COLLECTIVE_BYTES, 0, 0);

	put_u64(&w, offset);
	return end(&w, bytes);
}
