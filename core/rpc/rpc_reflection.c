/*
 * Server reflection.  The descriptors are walked as they are, by tags and
 * lengths: their own messages are many, and little of them is asked for.
 *
 * Source of the tags: google/protobuf/descriptor.proto.
 */
#include "core/rpc/rpc_reflection.h"

#include <pb_decode.h>
#include <reflection.pb.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/rpc/rpc_message.h"

enum {
	SET_FILE = 1,
	FILE_NAME = 1, FILE_PACKAGE = 2, FILE_NEEDS = 3, FILE_MESSAGE = 4,
	FILE_ENUM = 5, FILE_SERVICE = 6,
	ANY_NAME = 1,			/* of messages, enums and services */
	MESSAGE_MESSAGE = 3, MESSAGE_ENUM = 4,
	SERVICE_METHOD = 2,
	FILES_MAX = 32
};

/* Which of its fields a request and an answer have: reflection.proto. */
enum { ASKS_FILE = 3, ASKS_SYMBOL = 4, ASKS_EXTENSION = 5, ASKS_NUMBERS = 6,
    ASKS_SERVICES = 7 };
enum { TELLS_FILES = 4, TELLS_SERVICES = 6, TELLS_ERROR = 7 };


/* Some bytes of the descriptors: a message, or a text. */
struct reflection_piece {
	const pb_byte_t	*bytes;
	size_t		 size;
};

struct reflection_files {
	struct reflection_piece	at[FILES_MAX];
	size_t			count;
};

/* The next field that has a length, of what is left.  False: there is none. */
static bool
reflection_next(struct reflection_piece *rest, uint32_t *tag,
    struct reflection_piece *value)
{
	pb_istream_t	in = pb_istream_from_buffer(rest->bytes, rest->size);
	pb_wire_type_t	type;
	uint32_t	size;
	bool		eof;

	while (pb_decode_tag(&in, &type, tag, &eof)) {
		if (type != PB_WT_STRING) {
			if (!pb_skip_field(&in, type))
				return false;
			continue;
		}
		if (!pb_decode_varint32(&in, &size) || size > in.bytes_left)
			return false;
		value->bytes = rest->bytes + (rest->size - in.bytes_left);
		value->size = size;
		rest->bytes = value->bytes + size;
		rest->size = in.bytes_left - size;
		return true;
	}
	return false;
}

/* The first field of that tag, empty where there is none. */
static struct reflection_piece
reflection_get(struct reflection_piece of, uint32_t wanted)
{
	struct reflection_piece	value;
	uint32_t		tag;

	while (reflection_next(&of, &tag, &value))
		if (tag == wanted)
			return value;
	return (struct reflection_piece){ .size = 0 };
}

static bool
reflection_is(struct reflection_piece piece, const char *text)
{
	return strlen(text) == piece.size && piece.size > 0 &&
	    memcmp(piece.bytes, text, piece.size) == 0;
}

/* What follows "NAME." in a symbol; NULL: it begins otherwise. */
static const char *
reflection_below(struct reflection_piece name, const char *symbol)
{
	if (name.size == 0)
		return symbol;
	return strlen(symbol) > name.size && symbol[name.size] == '.' &&
	    memcmp(name.bytes, symbol, name.size) == 0 ?
	    symbol + name.size + 1 : NULL;
}

/* Whether a service has the method, or a message the enum. */
static bool
reflection_has_leaf(struct reflection_piece of, uint32_t wanted,
    const char *name)
{
	struct reflection_piece	value;
	uint32_t		tag;

	while (reflection_next(&of, &tag, &value))
		if (tag == wanted &&
		    reflection_is(reflection_get(value, ANY_NAME), name))
			return true;
	return false;
}

/*
 * Whether a message, or what stands in it, is the symbol.  Our files are nested
 * as deep as they are written.
 */
static bool
reflection_is_message(struct reflection_piece message, const char *symbol)
{
	const struct reflection_piece	name = reflection_get(message,
	    ANY_NAME);
	const char			*below = reflection_below(name,
	    symbol);
	struct reflection_piece		value;
	uint32_t			tag;

	if (reflection_is(name, symbol))
		return true;
	if (below == NULL)
		return false;
	if (reflection_has_leaf(message, MESSAGE_ENUM, below))
		return true;
	while (reflection_next(&message, &tag, &value))
		if (tag == MESSAGE_MESSAGE &&
		    reflection_is_message(value, below))
			return true;
	return false;
}

/* Whether a file defines the symbol. */
static bool
reflection_defines(struct reflection_piece file, const char *symbol)
{
	const char		*below = reflection_below(
	    reflection_get(file, FILE_PACKAGE), symbol), *method;
	struct reflection_piece	value, name;
	uint32_t		tag;

	if (below == NULL)
		return false;
	while (reflection_next(&file, &tag, &value)) {
		if (tag == FILE_MESSAGE && reflection_is_message(value, below))
			return true;
		if (tag != FILE_ENUM && tag != FILE_SERVICE)
			continue;
		name = reflection_get(value, ANY_NAME);
		if (reflection_is(name, below))
			return true;
		method = reflection_below(name, below);
		if (tag == FILE_SERVICE && method != NULL &&
		    reflection_has_leaf(value, SERVICE_METHOD, method))
			return true;
	}
	return false;
}

static bool
reflection_has_name(struct reflection_piece file, const char *name)
{
	return reflection_is(reflection_get(file, FILE_NAME), name);
}

/* The first file that `suits` says yes to; an empty one: there is none. */
static struct reflection_piece
reflection_find(bool (*suits)(struct reflection_piece, const char *),
    const char *text)
{
	struct reflection_piece	set = {
		.bytes = embedded_descriptors, .size = embedded_descriptors_size
	}, file;
	uint32_t		tag;

	while (reflection_next(&set, &tag, &file))
		if (tag == SET_FILE && suits(file, text))
			return file;
	return (struct reflection_piece){ .size = 0 };
}

/* The file and those that it needs, each once. */
static void
reflection_collect(struct reflection_files *all, struct reflection_piece file)
{
	struct reflection_piece	value;
	char			name[256];
	uint32_t		tag;
	size_t			i;

	for (i = 0; i < all->count; i++)
		if (all->at[i].bytes == file.bytes)
			return;
	if (file.size == 0 || all->count == FILES_MAX)
		return;
	all->at[all->count++] = file;
	while (reflection_next(&file, &tag, &value)) {
		if (tag != FILE_NEEDS || value.size >= sizeof(name))
			continue;
		memcpy(name, value.bytes, value.size);
		name[value.size] = '\0';
		reflection_collect(all,
		    reflection_find(reflection_has_name, name));
	}
}

/* ---- answers ---- */

static void
reflection_answer_files(grpc_reflection_v1_ServerReflectionResponse *r,
    struct reflection_piece file)
{
	grpc_reflection_v1_FileDescriptorResponse	*f =
	    &r->message_response.file_descriptor_response;
	struct reflection_files				 all = { .count = 0 };
	pb_bytes_array_t				*bytes;
	size_t						 i;

	reflection_collect(&all, file);
	r->which_message_response = TELLS_FILES;
	f->file_descriptor_proto = xcalloc(all.count, sizeof(bytes));
	f->file_descriptor_proto_count = (pb_size_t)all.count;
	for (i = 0; i < all.count; i++) {
		bytes = xmalloc(PB_BYTES_ARRAY_T_ALLOCSIZE(all.at[i].size));
		bytes->size = (pb_size_t)all.at[i].size;
		memcpy(bytes->bytes, all.at[i].bytes, all.at[i].size);
		f->file_descriptor_proto[i] = bytes;
	}
}

/* "/PACKAGE.SERVICE/METHOD" of each method, each service once. */
static void
reflection_answer_services(const struct rpc_reflection *all,
    grpc_reflection_v1_ServerReflectionResponse *r)
{
	grpc_reflection_v1_ListServiceResponse	*l =
	    &r->message_response.list_services_response;
	const char				*path, *before = "";
	size_t					 i, size;

	r->which_message_response = TELLS_SERVICES;
	l->service = xcalloc(all->count, sizeof(*l->service));
	for (i = 0; i < all->count; i++, before = path) {
		path = all->methods[i].path;
		size = (size_t)(strrchr(path, '/') - path);
		if (strncmp(path, before, size + 1) != 0)
			l->service[l->service_count++].name = xasprintf(
			    "%.*s", (int)size - 1, path + 1);
	}
}

static void
reflection_answer_error(grpc_reflection_v1_ServerReflectionResponse *r,
    enum rpc_status status, const char *text)
{
	grpc_reflection_v1_ErrorResponse	*e =
	    &r->message_response.error_response;

	r->which_message_response = TELLS_ERROR;
	e->error_code = (int32_t)status;
	e->error_message = xstrdup(text);
}

static const char *
reflection_text(const char *text)
{
	return text == NULL ? "" : text;
}

static void
reflection_answer(const struct rpc_reflection *all,
    const grpc_reflection_v1_ServerReflectionRequest *q,
    grpc_reflection_v1_ServerReflectionResponse *r)
{
	struct reflection_piece	file = { .size = 0 };

	switch (q->which_message_request) {
	case ASKS_FILE:
		file = reflection_find(reflection_has_name,
		    reflection_text(q->message_request.file_by_filename));
		break;
	case ASKS_SYMBOL:
		file = reflection_find(reflection_defines, reflection_text(
		    q->message_request.file_containing_symbol));
		break;
	case ASKS_SERVICES:
		reflection_answer_services(all, r);
		return;
	case ASKS_EXTENSION:
	case ASKS_NUMBERS:
		break;
	default:
		reflection_answer_error(r, RPC_INVALID_ARGUMENT,
		    "a request that asks nothing");
		return;
	}
	if (file.size > 0)
		reflection_answer_files(r, file);
	else
		reflection_answer_error(r, RPC_NOT_FOUND,
		    "no file has that, and there are no extensions");
}

/* Both versions have the same messages. */
static void
reflection_take(struct rpc_call *call, const void *bytes, size_t size)
{
	grpc_reflection_v1_ServerReflectionRequest	request;
	grpc_reflection_v1_ServerReflectionResponse	answer =
	    grpc_reflection_v1_ServerReflectionResponse_init_zero;

	if (rpc_message_take(call,
	    grpc_reflection_v1_ServerReflectionRequest_fields, bytes, size,
	    &request) != 0)
		return;
	reflection_answer(rpc_call_context(call), &request, &answer);
	answer.valid_host = request.host;
	answer.has_original_request = true;
	answer.original_request = request;
	rpc_message_send(call,
	    grpc_reflection_v1_ServerReflectionResponse_fields, &answer);
	/* With the answer goes the request that stands in it. */
	answer.valid_host = NULL;
	rpc_message_release(grpc_reflection_v1_ServerReflectionResponse_fields,
	    &answer);
}

void
rpc_reflection_methods(struct rpc_reflection *all,
    struct rpc_method methods[RPC_REFLECTION_METHODS])
{
	methods[0] = (struct rpc_method){
		.path = "/grpc.reflection.v1.ServerReflection/"
		    "ServerReflectionInfo",
		.is_stream = true, .take = reflection_take, .context = all
	};
	methods[1] = methods[0];
	methods[1].path = "/grpc.reflection.v1alpha.ServerReflection/"
	    "ServerReflectionInfo";
}
