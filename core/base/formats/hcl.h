/*
 * Configuration files in the flat part of HCL, read strictly: one `key = value`
 * per line.
 *
 *	# a comment; so are those of C, of either kind
 *	api-host="10.1.3.101"
 *	api-port = 8090
 *
 * A value is a string with the escapes \n \r \t \" \\ \uXXXX \UXXXXXXXX, a
 * number, or true or false; all become text.  Refused, with "FILE:LINE: text":
 * an unknown or repeated key, blocks, lists, ${...}, a NUL byte, a value that
 * is too long.
 */
#ifndef CORE_BASE_FORMATS_HCL_H
#define CORE_BASE_FORMATS_HCL_H

#include <stddef.h>

#include "core/base/error.h"

/* The targets of a key, of which a table has at most 32. */
struct hcl_row {
	const char *key;
	char *text;
	size_t size; /* of `text`, with NUL */
	int *line;   /* of the value; not NULL */
};

/* Read `size` bytes of text; `origin` names them in messages.  The rows end
   with a row of zeroes.  Targets of missing keys stay unchanged.  -1:
   ERROR_DAMAGED; the targets before the error are set, and that of the refused
   value may be unterminated. */
int hcl_read_text(const struct hcl_row *, const char *origin, const char *text,
    size_t size, struct error *);

/* Quote a value for hcl_read_text(); the caller frees it. */
char *hcl_quote(const char *value);

#endif
