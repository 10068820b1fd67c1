/*
 * Reads objects of a JSON document by tables of their members.  Checks the type
 * and range of each; a duplicate, an unknown or a missing required member is
 * refused.  Errors name the place: "stages[2].operations[14].forward_flops".
 */
#ifndef IPU_ENGINE_OUTLINE_OUTLINE_FIELDS_H
#define IPU_ENGINE_OUTLINE_OUTLINE_FIELDS_H

#include "ipu/engine/outline/outline_file.h"

enum outline_kind {
	OUTLINE_BOOL,	/* bool */
	OUTLINE_INT,	/* int, limited by least and most */
	OUTLINE_BYTES,	/* size_t, limited */
	OUTLINE_REAL,	/* double, limited */
	OUTLINE_TEXT,	/* const char * into the document; no NUL in it */
	OUTLINE_LINE,	/* OUTLINE_TEXT; control characters are refused */
	OUTLINE_CHOICE, /* int: index of the word */
	OUTLINE_LIST,	/* yyjson_val *: an array */
	OUTLINE_OBJECT	/* yyjson_val *: an object */
};

/* A row of a table, which has at most 64 rows. */
struct outline_field {
	const char *name; /* NULL ends a table */
	enum outline_kind kind;
	/* If false, null or absence keeps the old value; if true, both are
	   refused. */
	bool required;
	size_t offset;		  /* in the filled struct */
	double least, most;	  /* of INT, BYTES and REAL */
	const char *const *words; /* of CHOICE; ends with NULL */
};

enum { OUTLINE_PLACE_SIZE = 96 };

/* The place of a value in the document; "" is the document. */
struct outline_place {
	char text[OUTLINE_PLACE_SIZE];
};

/* Return the place of an element of a member. */
struct outline_place outline_fields_element(const struct outline_place *,
    const char *name, size_t index);

/* Fill a struct from the object.  -1: refused, and partly filled. */
int outline_fields_read(yyjson_val *object, const struct outline_place *,
    const struct outline_field *, void *into, struct error *);

/* Return an element's text.  NULL: it has control characters, or is none. */
const char *outline_fields_line(yyjson_val *, const struct outline_place *,
    struct error *);

/* Read the host's measurements into the outline, which must have its stages and
   configuration.  -1: refused, for example for a step that is not in the
   schedule; the outline owns the part read so far. */
int outline_host_read(struct outline *, yyjson_val *host, struct error *);

/* Limit of a tensor, 1 TiB: all sums still fit a size_t. */
#define OUTLINE_STAGES_BYTES_MAX 1099511627776.0

#endif
