/*
 * Tables that map fields of our structs to fields of messages, in both
 * directions.  Private to the wire_ files and their tests.
 *
 *	static const struct wire_field fields[] = {
 *		WIRE_NAME(struct cluster, ipubox_v1_Cluster, name),
 *		WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, ild_count, 1,
 *		    ILD_MAX),
 *		...
 *		WIRE_END
 *	};
 *
 * Peers may be hostile: each text is measured and each number checked before it
 * is stored in a struct.
 */
#ifndef CORE_SERVER_WIRE_FIELD_H
#define CORE_SERVER_WIRE_FIELD_H

#include <pb.h>

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum wire_kind {
	WIRE_KIND_END,
	WIRE_KIND_NAME,	  /* name_check() */
	WIRE_KIND_TEXT,	  /* any text that fits */
	WIRE_KIND_NUMBER, /* min to max; also an enumeration, a bool */
	WIRE_KIND_PLACE	  /* an index up to max, or -1: none; plus one in the
			     message */
};

struct wire_field {
	const char *name;
	enum wire_kind kind;
	size_t at, size;	   /* in the struct */
	size_t wire_at, wire_size; /* in the message */
	int64_t min, max;
};

#define WIRE_FIELD(kind, type, message, field, min, max) \
	{ \
#field, kind, offsetof(type, field), \
		    sizeof(((type *)NULL)->field), offsetof(message, field), \
		    sizeof(((message *)NULL)->field), min, max \
	}
#define WIRE_NAME(type, message, field) \
	WIRE_FIELD(WIRE_KIND_NAME, type, message, field, 0, 0)
#define WIRE_TEXT(type, message, field) \
	WIRE_FIELD(WIRE_KIND_TEXT, type, message, field, 0, 0)
#define WIRE_NUMBER(type, message, field, min, max) \
	WIRE_FIELD(WIRE_KIND_NUMBER, type, message, field, min, max)
#define WIRE_BOOL(type, message, field) WIRE_NUMBER(type, message, field, 0, 1)
/* Within the years of a calendar, even after additions. */
#define WIRE_TIME_MAX_MS (INT64_MAX / 2000)
#define WIRE_TIME(type, message, field) \
	WIRE_NUMBER(type, message, field, 0, WIRE_TIME_MAX_MS)
#define WIRE_PLACE(type, message, field, max) \
	WIRE_FIELD(WIRE_KIND_PLACE, type, message, field, 0, max)
#define WIRE_END \
	{ \
		NULL, WIRE_KIND_END, 0, 0, 0, 0, 0, 0 \
	}

/* Copy the struct into the message, which begins zeroed (_init_zero).  Its
   texts are allocated as by wire_field_text(), and cut after escaping if they
   exceed the struct's array; the owner calls rpc_message_release(). */
void wire_field_put(const struct wire_field *, const void *from, void *message);

/* Copy the message into the struct.  `what` names the object in the error.  -1,
   ERROR_INVALID: not valid, "WHAT: size is 70000, the limit is 65536"; the
   struct is then half filled. */
int wire_field_get(const struct wire_field *, const char *what,
    const void *message, void *to, struct error *);

/* Copy a text for a message; NULL for "".  A text that is not UTF-8, as some
   names of directories, is escaped: "\\xe9". */
char *wire_field_text(const char *);
/* Copy a message's text (NULL counts as "") into `size` bytes, the rest of
   which become 0.  -1: too long. */
int wire_field_copy(const char *what, const char *text, char *to, size_t size,
    struct error *);

/* Copy bytes for a message; NULL if empty. */
pb_bytes_array_t *wire_field_bytes(const void *, size_t size);
/* Copy exactly `size` bytes; all 0 if missing.  -1: another number of bytes. */
int wire_field_copy_bytes(const char *what, const pb_bytes_array_t *, void *to,
    size_t size, struct error *);

#endif
