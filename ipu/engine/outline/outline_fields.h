/*
 * Objects of a JSON document by tables of their members: each is checked for
 * its type and range, none may be missing, twice or unknown, and a refusal
 * names it with its place, "stages[2].operations[14].forward_flops".
 */
#ifndef IPU_ENGINE_OUTLINE_OUTLINE_FIELDS_H
#define IPU_ENGINE_OUTLINE_OUTLINE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

#include "core/base/error.h"
#include "ipu/engine/outline/outline_file.h"

enum outline_kind {
	OUTLINE_BOOL,	/* bool */
	OUTLINE_INT,	/* int, from least to most */
	OUTLINE_BYTES,	/* size_t, from least to most */
	OUTLINE_REAL,	/* double, from least to most */
	OUTLINE_TEXT,	/* const char *, of the document; any text */
	OUTLINE_LINE,	/* the same, without control characters */
	OUTLINE_CHOICE, /* int: which of the words */
	OUTLINE_LIST,	/* yyjson_val *: an array */
	OUTLINE_OBJECT	/* yyjson_val *: an object */
};

struct outline_field {
	const char *name; /* NULL ends a table */
	enum outline_kind kind;
	bool required; /* else null and nothing leave what is there */
	size_t offset; /* in what is filled */
	double least, most;
	const char *const *words; /* ends with NULL */
};

enum { OUTLINE_PLACE_SIZE = 96 };

/* Where a value stands in the document; "" is the document itself. */
struct outline_place {
	char text[OUTLINE_PLACE_SIZE];
};

/* The place of an element of a member. */
struct outline_place outline_fields_element(const struct outline_place *,
    const char *name, size_t index);

/* Fill a struct from the object; -1: refused, and some of it is filled. */
int outline_fields_read(yyjson_val *object, const struct outline_place *,
    const struct outline_field *, void *into, struct error *);

/* A text of an array, without control characters; NULL: refused. */
const char *outline_fields_line(yyjson_val *, const struct outline_place *,
    struct error *);

/*
 * Read it into the outline, whose stages and configuration have been read.
 * Refused: what outline_fields.h refuses, and a step that the schedule does not
 * have.
 */
int outline_host_read(struct outline *, yyjson_val *host, struct error *);

/* Bytes of a tensor, 1 TiB: sums of all that is read still fit a size_t. */
#define OUTLINE_STAGES_BYTES_MAX 1099511627776.0

/* Read them into the outline, whose other members have been read.  -1: refused,
   and what was read belongs to the outline. */
int outline_stages_read(struct outline *, yyjson_val *stages, struct error *);

/* What a micro-batch takes at most: flop and bytes, weighed as cycles are. */
double outline_stages_work(const struct outline *);

#endif
