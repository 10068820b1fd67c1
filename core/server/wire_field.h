/*
 * Fields of our structs and the fields of messages that carry them, as tables:
 * one row serves both ways.  Private to the wire_ files and their tests.
 *
 *	static const struct wire_field fields[] = {
 *		WIRE_NAME(struct cluster, ipubox_v1_Cluster, name),
 *		WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, ild_count, 1,
 *		    ILD_MAX),
 *		...
 *		WIRE_END
 *	};
 *
 * Messages come from peers who may be hostile: each text is measured and each
 * number looked at before it is in a struct.
 */
#ifndef CORE_SERVER_WIRE_FIELD_H
#define CORE_SERVER_WIRE_FIELD_H

#include <pb.h>

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum wire_kind {
	WIRE_KIND_END,
	WIRE_KIND_NAME,	  /* name_check(), a text of the message */
	WIRE_KIND_TEXT,	  /* any text that has room */
	WIRE_KIND_NUMBER, /* min to max, an enumeration, a bool */
	WIRE_KIND_PLACE	  /* an index of at most max, -1: none; in the message
			     one more */
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
/* Of the years that a calendar has, whatever is added to it. */
#define WIRE_TIME_MAX_MS (INT64_MAX / 2000)
#define WIRE_TIME(type, message, field) \
	WIRE_NUMBER(type, message, field, 0, WIRE_TIME_MAX_MS)
#define WIRE_PLACE(type, message, field, max) \
	WIRE_FIELD(WIRE_KIND_PLACE, type, message, field, 0, max)
#define WIRE_END \
	{ \
		NULL, WIRE_KIND_END, 0, 0, 0, 0, 0, 0 \
	}

/*
 * From the struct into the message, whose texts are allocated: who has the
 * message releases it (rpc_message_release()).
 */
void wire_field_put(const struct wire_field *, const void *from, void *message);

/*
 * And back.  -1, ERROR_INVALID: what the message says cannot be, "what NAME:
 * field size is 70000, which is over 65536".  The struct is half filled then.
 */
int wire_field_get(const struct wire_field *, const char *what,
    const void *message, void *to, struct error *);

/* A copy of a text for a message; NULL: it is "".  Bytes that are not UTF-8, as
   a directory may have, are escaped there: "\\xe9". */
char *wire_field_text(const char *);
/* A text of a message into so many bytes; -1: it has no room. */
int wire_field_copy(const char *what, const char *text, char *to, size_t size,
    struct error *);

/* Bytes of a message; NULL: there are none. */
pb_bytes_array_t *wire_field_bytes(const void *, size_t size);
/* Exactly so many bytes; all of them 0 where there are none.  -1: it is
   another number of them. */
int wire_field_copy_bytes(const char *what, const pb_bytes_array_t *, void *to,
    size_t size, struct error *);

#endif
