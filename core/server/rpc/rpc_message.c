/*
 * Encoding and decoding messages.
 */
#include "core/server/rpc/rpc.h"

#include <pb_common.h>
#include <pb_decode.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

int
rpc_message_decode(const pb_msgdesc_t *type, const void *bytes, size_t size,
    void *message, struct error *e)
{
	/* nanopb reads nothing from an empty buffer, but needs an address. */
	pb_istream_t in =
	    pb_istream_from_buffer(size == 0 ? (const pb_byte_t *)"" : bytes,
		size);

	if (pb_decode(&in, type, message))
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "the request is not a message of its kind: %s", PB_GET_ERROR(&in));
}

void
rpc_message_release(const pb_msgdesc_t *type, void *message)
{
	pb_release(type, message);
}

/*
 * Encoding.  nanopb asks each message for its size before writing it, and that
 * message asks its members: three levels deep, each is encoded eight times.
 * Here a message is written once, and moved if its length needs more than a
 * byte.
 */

/* A growing buffer. */
struct message_out {
	unsigned char *bytes;
	size_t size, room;
	bool is_bad; /* a text is not UTF-8 */
};

enum { OUT_ROOM = 256, VARINT_MAX = 10 };

/* Make room for more bytes; return their place. */
static unsigned char *
message_room(struct message_out *o, size_t more)
{
	size_t room = o->room == 0 ? OUT_ROOM : o->room;

	while (room - o->size < more)
		room *= 2;
	if (room > o->room) {
		o->bytes = xreallocarray(o->bytes, room, 1);
		o->room = room;
	}
	return o->bytes + o->size;
}

/* Write a number; return its size. */
static size_t
message_varint(unsigned char *to, uint64_t n)
{
	size_t size = 0;

	for (; n >= 0x80; n >>= 7)
		to[size++] = (unsigned char)(n | 0x80);
	to[size++] = (unsigned char)n;
	return size;
}

static void
message_put_varint(struct message_out *o, uint64_t n)
{
	unsigned char *to = message_room(o, VARINT_MAX);

	o->size += message_varint(to, n);
}

static void
message_put_bytes(struct message_out *o, const void *bytes, size_t size)
{
	message_put_varint(o, size);
	if (size > 0)
		memcpy(message_room(o, size), bytes, size);
	o->size += size;
}

/* Begin a part with its length in front, for which a byte is reserved. */
static size_t
message_begin(struct message_out *o)
{
	(void)message_room(o, 1);
	return ++o->size;
}

/* End the part: most lengths fit the byte, others move it. */
static void
message_finish(struct message_out *o, size_t begin)
{
	const size_t size = o->size - begin;
	unsigned char length[VARINT_MAX];
	const size_t more = message_varint(length, size) - 1;

	if (more > 0) {
		(void)message_room(o, more);
		memmove(o->bytes + begin + more, o->bytes + begin, size);
		memcpy(o->bytes + begin, length + 1, more);
		o->size += more;
	}
	o->bytes[begin - 1] = length[0];
}

/* Return a field's number for the wire: negative ones have 64 bits. */
static uint64_t
message_number(const pb_field_iter_t *f, const void *data)
{
	const bool is_signed = PB_LTYPE(f->type) == PB_LTYPE_VARINT;
	uint32_t small;
	uint64_t big;

	if (PB_LTYPE(f->type) == PB_LTYPE_BOOL)
		return *(const bool *)data;
	if (f->data_size == sizeof(big)) {
		memcpy(&big, data, sizeof(big));
		return big;
	}
	memcpy(&small, data, sizeof(small));
	return is_signed ? (uint64_t)(int64_t)(int32_t)small : small;
}

static void
message_put_text(struct message_out *o, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t n;

	for (; *at != '\0'; at += n)
		if ((n = text_character_size(at)) == 0) {
			o->is_bad = true;
			return;
		}
	message_put_bytes(o, text, (size_t)(at - (const unsigned char *)text));
}

static void message_put_fields(struct message_out *, const pb_msgdesc_t *,
    const void *);

/* Write a field's value with its tag. */
static void
message_put_value(struct message_out *o, const pb_field_iter_t *f,
    const void *data)
{
	const pb_bytes_array_t *bytes;
	size_t begin;
	const bool is_number = PB_LTYPE(f->type) <= PB_LTYPE_UVARINT;

	message_put_varint(o,
	    (uint64_t)f->tag << 3 | (is_number ? PB_WT_VARINT : PB_WT_STRING));
	switch (PB_LTYPE(f->type)) {
	case PB_LTYPE_STRING:
		message_put_text(o, data);
		break;
	case PB_LTYPE_BYTES:
		bytes = data;
		message_put_bytes(o, bytes->bytes, bytes->size);
		break;
	case PB_LTYPE_SUBMESSAGE:
		begin = message_begin(o);
		message_put_fields(o, f->submsg_desc, data);
		message_finish(o, begin);
		break;
	default:
		message_put_varint(o, message_number(f, data));
		break;
	}
}

/* Write a list: numbers share a tag, as in proto3. */
static void
message_put_list(struct message_out *o, const pb_field_iter_t *f)
{
	const char *data = f->pData;
	const pb_size_t count = *(const pb_size_t *)f->pSize;
	const bool is_number = PB_LTYPE(f->type) <= PB_LTYPE_UVARINT,
		   is_pointer = PB_LTYPE(f->type) == PB_LTYPE_STRING;
	const void *pointer;
	size_t begin = 0;
	pb_size_t i;

	if (count == 0)
		return;
	if (is_number) {
		message_put_varint(o, (uint64_t)f->tag << 3 | PB_WT_STRING);
		begin = message_begin(o);
	}
	for (i = 0; i < count; i++, data += f->data_size) {
		pointer = data;
		if (is_pointer)
			memcpy(&pointer, data, sizeof(pointer));
		if (is_number)
			message_put_varint(o, message_number(f, data));
		else
			message_put_value(o, f, pointer);
	}
	if (is_number)
		message_finish(o, begin);
}

/* Whether a field without a presence flag differs from its default. */
static bool
message_is_set(const pb_field_iter_t *f)
{
	if (f->pData == NULL)
		return false;
	switch (PB_LTYPE(f->type)) {
	case PB_LTYPE_STRING:
		return *(const char *)f->pData != '\0';
	case PB_LTYPE_BYTES:
		return ((const pb_bytes_array_t *)f->pData)->size > 0;
	case PB_LTYPE_SUBMESSAGE:
		return true;
	default:
		return message_number(f, f->pData) != 0;
	}
}

static void
message_put_fields(struct message_out *o, const pb_msgdesc_t *type,
    const void *message)
{
	pb_field_iter_t f;

	if (!pb_field_iter_begin_const(&f, type, message))
		return;
	do {
		switch (PB_HTYPE(f.type)) {
		case PB_HTYPE_REPEATED:
			message_put_list(o, &f);
			break;
		case PB_HTYPE_OPTIONAL:
			/* Includes messages of proto3, which may be absent. */
			if (f.pSize == NULL ? message_is_set(&f) :
					      *(const bool *)f.pSize)
				message_put_value(o, &f, f.pData);
			break;
		default:
			if (message_is_set(&f))
				message_put_value(o, &f, f.pData);
			break;
		}
	} while (pb_field_iter_next(&f));
}

char *
rpc_message_text(const char *text)
{
	union {
		const char *from;
		char *to;
	} both = { .from = text };

	return both.to;
}

unsigned char *
rpc_message_encode(const pb_msgdesc_t *type, const void *message, size_t *size,
    struct error *e)
{
	struct message_out o = { .bytes = NULL };

	(void)message_room(&o, 1);
	message_put_fields(&o, type, message);
	*size = o.size;
	if (!o.is_bad)
		return o.bytes;
	(void)error_set_code(e, ERROR_INVALID,
	    "the message cannot be sent: a text in it is not UTF-8");
	free(o.bytes);
	return NULL;
}

int
rpc_message_take(struct rpc_call *call, const pb_msgdesc_t *type,
    const void *bytes, size_t size, void *message)
{
	struct error e;

	if (rpc_message_decode(type, bytes, size, message, &e) == 0)
		return 0;
	rpc_call_refuse(call, &e);
	return -1;
}

/* Encode and pass the bytes to put(), or end the call. */
static void
message_put(struct rpc_call *call, const pb_msgdesc_t *type,
    const void *message, void (*put)(struct rpc_call *, const void *, size_t))
{
	struct error e;
	size_t size;
	unsigned char *bytes = rpc_message_encode(type, message, &size, &e);

	if (bytes == NULL) {
		rpc_call_finish(call, RPC_INTERNAL, e.text);
		return;
	}
	put(call, bytes, size);
	free(bytes);
}

void
rpc_message_reply(struct rpc_call *call, const pb_msgdesc_t *type,
    const void *message)
{
	message_put(call, type, message, rpc_call_reply);
}

void
rpc_message_send(struct rpc_call *call, const pb_msgdesc_t *type,
    const void *message)
{
	message_put(call, type, message, rpc_call_send);
}
