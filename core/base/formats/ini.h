/*
 * INI files, read strictly: a table of the allowed sections and keys fills
 * structs with their values.
 *
 *	; a comment, as is "#"; after a value only " ;" starts one
 *	[cluster cl0]
 *	ilds = 2
 *
 * Refused, with "FILE:LINE: text": an unknown or repeated section or key, a
 * missing or empty value, a value out of its range, a line over INI_LINE_MAX
 * bytes, a NUL byte.  inih(3) parses the lines.  An earlier pass handles what
 * inih would misread: NUL bytes, and section names over 49 bytes.
 */
#ifndef CORE_BASE_FORMATS_INI_H
#define CORE_BASE_FORMATS_INI_H

#include <stdio.h>

#include "core/base/files/directory.h"

enum {
	INI_LINE_MAX = 4096,  /* bytes, without the line end */
	INI_SECTION_MAX = 160 /* bytes between the brackets */
};

enum ini_type {
	INI_TEXT,   /* char[]: any text, %XX for odd bytes */
	INI_NAME,   /* char[]: a name, see name_check() */
	INI_NUMBER, /* integer of 1, 2, 4 or 8 bytes, min to max */
	INI_REAL,   /* float or double, low to high */
	INI_BOOL,   /* bool or uint8_t: yes, no, ... */
	INI_WORD,   /* integer, as INI_NUMBER: index into words */
	INI_HEX,    /* uint8_t[]: two digits for each byte */
	INI_CUSTOM  /* converted by parse() */
};

struct ini_row {
	const char *section; /* "pod", or "cluster *": named ones */
	const char *key;     /* NULL: the row only allows the section */
	enum ini_type type;
	bool required;	     /* in each present section of its kind */
	bool repeated;	     /* may appear several times */
	size_t offset, size; /* of the struct's member: INI_FIELD() */
	size_t line;	     /* offset of an int for the value's line; 0:
				none */
	long long min, max;
	double low, high;
	const char *const *words; /* ends with NULL */
	/* INI_CUSTOM: fills `target`, the section's struct, or refuses the
	   value (-1). */
	int (*parse)(void *target, const char *value, struct error *);
};

#define INI_FIELD(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

struct ini_section {
	const char *kind; /* "cluster" */
	const char *name; /* "cl0", or "" without a name */
	int line;
};

struct ini_schema {
	const struct ini_row *rows; /* ends with a row of zeroes */
	/* Called at the start of a section.  Returns the struct that its rows
	   fill, valid until the next section, or NULL with the error set to
	   refuse it. */
	void *(*begin)(void *context, const struct ini_section *,
	    struct error *);
	void *context;
};

/* Read `size` bytes of text, named `origin` in messages.  -1: ERROR_DAMAGED;
   values before the error may be set. */
int ini_read_text(const struct ini_schema *, const char *origin,
    const char *text, size_t size, struct error *);
/* Read a file of the directory, as file_read_at() does.  ERROR_NOT_FOUND if it
   is missing, ERROR_DAMAGED if its contents are refused. */
int ini_read_file(const struct ini_schema *, const struct directory *,
    const char *name, struct error *);

/* Read a file into `target`, for rows of a single section.  ERROR_NOT_FOUND:
   the file is missing; ERROR_DAMAGED: it is refused or lacks the section. */
int ini_read_section(const struct ini_row *, const struct directory *,
    const char *name, void *target, struct error *);

/* Set "ORIGIN:LINE: text", ERROR_DAMAGED, and return -1. */
int ini_refuse(struct error *, const char *origin, int line, const char *, ...)
    __attribute__((format(printf, 4, 5)));

/* Return a text of one section that ini_read_section() reads back.  Omits
   optional keys with the value 0 or "", and all INI_REAL and INI_CUSTOM.  The
   caller frees it. */
char *ini_text(const struct ini_row *, const void *source);
/* Write "key = value" so that INI_TEXT reads the same; nothing for "". */
void ini_text_put(FILE *, const char *key, const char *value);

#endif
