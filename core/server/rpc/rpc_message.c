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
	    "the request cannot be decoded: %s", PB_GET_ERROR(&in));
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
 * byte.  nanopb also unpacks the description of each field for each message;
 * here it is unpacked once per encoding.
 */

/* A field of a type of message. */
struct message_field {
	const pb_msgdesc_t *submessage; /* its type, if it is a message */
	size_t offset;	     /* of its value, or of a pointer to it */
	size_t count_offset; /* of its count or presence flag; 0: has none */
	size_t size;	     /* of one value, in bytes */
	pb_type_t type;
	bool is_number; /* one number without a presence flag */
	uint32_t tag;
};

/* The fields of a type. */
struct message_layout {
	struct message_layout *next;
	const pb_msgdesc_t *type;
	size_t count;
	bool is_allocated;
	struct message_field fields[];
};

enum { OUT_ROOM = 1024, VARINT_MAX = 10, LAYOUT_ROOM = 4096 };

/* A growing buffer. */
struct message_out {
	unsigned char *bytes;
	size_t size, room;
	bool is_bad;			/* a text is not UTF-8 */
	struct message_layout *layouts; /* of the types met so far */
	/* Layouts are allocated once this is full. */
	size_t layout_size;
	_Alignas(struct message_layout) unsigned char layout_room[LAYOUT_ROOM];
};

/* Return the offset of a part of a message plus one; 0 for NULL. */
static size_t
message_offset(const void *message, const void *part)
{
	return part == NULL ?
	    0 :
	    (size_t)((const char *)part - (const char *)message) + 1;
}

/* Add a layout without fields. */
static struct message_layout *
message_layout_new(struct message_out *o, const pb_msgdesc_t *type)
{
	const size_t size = sizeof(struct message_layout) +
	    type->field_count * sizeof(struct message_field);
	struct message_layout *l =
	    (struct message_layout *)(void *)(o->layout_room + o->layout_size);
	const bool is_allocated = size > LAYOUT_ROOM - o->layout_size;

	if (is_allocated)
		l = xmalloc(size);
	else
		o->layout_size += size;
	*l = (struct message_layout){ .next = o->layouts,
		.type = type,
		.is_allocated = is_allocated };
	o->layouts = l;
	return l;
}

/* Return the layout of a type, of which `message` is one. */
static const struct message_layout *
message_layout(struct message_out *o, const pb_msgdesc_t *type,
    const void *message)
{
	struct message_layout *l = o->layouts;
	pb_field_iter_t f;

	for (; l != NULL; l = l->next)
		if (l->type == type)
			return l;
	l = message_layout_new(o, type);
	if (!pb_field_iter_begin_const(&f, type, message))
		return l;
	do
		l->fields[l->count++] =
		    (struct message_field){ .submessage = f.submsg_desc,
			    .offset = message_offset(message, f.pField) - 1,
			    .count_offset = message_offset(message, f.pSize),
			    .size = f.data_size,
			    .type = f.type,
			    .is_number = PB_LTYPE(f.type) <= PB_LTYPE_UVARINT &&
				PB_ATYPE(f.type) == PB_ATYPE_STATIC &&
				PB_HTYPE(f.type) != PB_HTYPE_REPEATED &&
				f.pSize == NULL,
			    .tag = f.tag };
	while (pb_field_iter_next(&f));
	return l;
}

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

static inline void
message_put_varint(struct message_out *o, uint64_t n)
{
	if (o->room - o->size < VARINT_MAX)
		(void)message_room(o, VARINT_MAX);
	if (n < 0x80)
		o->bytes[o->size++] = (unsigned char)n;
	else
		o->size += message_varint(o->bytes + o->size, n);
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
message_number(const struct message_field *f, const void *data)
{
	const bool is_signed = PB_LTYPE(f->type) == PB_LTYPE_VARINT;
	uint32_t small;
	uint64_t big;

	if (PB_LTYPE(f->type) == PB_LTYPE_BOOL)
		return *(const bool *)data;
	if (f->size == sizeof(big)) {
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
		if ((n = *at < 0x80 ? 1 : text_character_size(at)) == 0) {
			o->is_bad = true;
			return;
		}
	message_put_bytes(o, text, (size_t)(at - (const unsigned char *)text));
}

static void message_put_fields(struct message_out *, const pb_msgdesc_t *,
    const void *);

/* Write a field's value with its tag. */
static void
message_put_value(struct message_out *o, const struct message_field *f,
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
		message_put_fields(o, f->submessage, data);
		message_finish(o, begin);
		break;
	default:
		message_put_varint(o, message_number(f, data));
		break;
	}
}

/* Write a list: numbers share a tag, as in proto3. */
static void
message_put_list(struct message_out *o, const struct message_field *f,
    const char *data, pb_size_t count)
{
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
	for (i = 0; i < count; i++, data += f->size) {
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
message_is_set(const struct message_field *f, const void *data)
{
	if (data == NULL)
		return false;
	switch (PB_LTYPE(f->type)) {
	case PB_LTYPE_STRING:
		return *(const char *)data != '\0';
	case PB_LTYPE_BYTES:
		return ((const pb_bytes_array_t *)data)->size > 0;
	case PB_LTYPE_SUBMESSAGE:
		return true;
	default:
		return message_number(f, data) != 0;
	}
}

static void
message_put_fields(struct message_out *o, const pb_msgdesc_t *type,
    const void *message)
{
	const struct message_layout *layout = message_layout(o, type, message);
	const struct message_field *f = layout->fields;
	const char *const start = message;
	const void *data, *count;
	uint64_t n;

	for (; f < layout->fields + layout->count; f++) {
		data = start + f->offset;
		if (f->is_number) {
			if ((n = message_number(f, data)) != 0) {
				message_put_varint(o, (uint64_t)f->tag << 3);
				message_put_varint(o, n);
			}
			continue;
		}
		if (PB_ATYPE(f->type) == PB_ATYPE_POINTER)
			memcpy(&data, start + f->offset, sizeof(data));
		count = f->count_offset == 0 ? NULL :
					       start + f->count_offset - 1;
		if (PB_HTYPE(f->type) == PB_HTYPE_REPEATED)
			message_put_list(o, f, data, *(const pb_size_t *)count);
		/* A message of proto3 is optional and has a flag. */
		else if (PB_HTYPE(f->type) == PB_HTYPE_OPTIONAL &&
			    count != NULL ?
			*(const bool *)count :
			message_is_set(f, data))
			message_put_value(o, f, data);
	}
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
	struct message_out o;
	struct message_layout *l, *next;

	o.bytes = NULL;
	o.size = o.room = o.layout_size = 0;
	o.layouts = NULL;
	o.is_bad = false;
	(void)message_room(&o, 1);
	message_put_fields(&o, type, message);
	*size = o.size;
	for (l = o.layouts; l != NULL; l = next) {
		next = l->next;
		if (l->is_allocated)
			free(l);
	}
	if (!o.is_bad)
		return o.bytes;
	(void)error_set_code(e, ERROR_INVALID,
	    "the message cannot be sent: a text in it is not UTF-8");
	free(o.bytes);
	return NULL;
}

/* Take a field's entries of a list from those that are left.  Packed numbers
   share a tag: each has a byte at least. */
static bool
message_spend(const pb_field_iter_t *f, pb_istream_t *in, pb_wire_type_t wire,
    size_t *left)
{
	pb_istream_t part = *in;
	uint32_t count = 1;

	if (PB_HTYPE(f->type) != PB_HTYPE_REPEATED)
		return true;
	if (wire == PB_WT_STRING && PB_LTYPE(f->type) <= PB_LTYPE_UVARINT &&
	    !pb_decode_varint32(&part, &count))
		return true;
	if (count > *left)
		return false;
	*left -= count;
	return true;
}

/* Whether the lists of a message have no more entries than are left: each may
   take a hundred times its bytes.  What is malformed is found later. */
static bool
message_fits(const pb_msgdesc_t *type, pb_istream_t *in, size_t *left)
{
	pb_field_iter_t f;
	pb_istream_t part;
	pb_wire_type_t wire;
	uint32_t tag;
	bool fits = true, ends;

	(void)pb_field_iter_begin_const(&f, type, NULL);
	while (fits && pb_decode_tag(in, &wire, &tag, &ends)) {
		if (!pb_field_iter_find(&f, tag)) {
			if (!pb_skip_field(in, wire))
				break;
			continue;
		}
		fits = message_spend(&f, in, wire, left);
		if (!PB_LTYPE_IS_SUBMSG(f.type) || wire != PB_WT_STRING) {
			if (!pb_skip_field(in, wire))
				break;
			continue;
		}
		if (!pb_make_string_substream(in, &part))
			break;
		fits = fits && message_fits(f.submsg_desc, &part, left);
		if (!pb_close_string_substream(in, &part))
			break;
	}
	return fits;
}

int
rpc_message_read(const struct rpc_call *call, const pb_msgdesc_t *type,
    const void *bytes, size_t size, void *message, struct error *e)
{
	const size_t max = rpc_call_entries_max(call);
	size_t left = max;
	pb_istream_t in =
	    pb_istream_from_buffer(size == 0 ? (const pb_byte_t *)"" : bytes,
		size);

	return message_fits(type, &in, &left) ?
	    rpc_message_decode(type, bytes, size, message, e) :
	    error_set_code(e, ERROR_NO_ROOM,
		"the lists of the request have more than %zu entries", max);
}

int
rpc_message_take(struct rpc_call *call, const pb_msgdesc_t *type,
    const void *bytes, size_t size, void *message)
{
	struct error e;

	if (rpc_message_read(call, type, bytes, size, message, &e) == 0)
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
