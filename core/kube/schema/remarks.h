/*
 * Remarks on a manifest with their places: errors (the manifest is refused),
 * warnings, and notes on fields without effect.
 */
#ifndef CORE_KUBE_SCHEMA_REMARKS_H
#define CORE_KUBE_SCHEMA_REMARKS_H

#include "core/kube/yaml/yaml.h"

enum remark_level { REMARK_ERROR, REMARK_WARNING, REMARK_NOTE, REMARK_LEVELS };

enum { REMARKS_MAX = 200 }; /* of a level; further ones are only counted */

struct remark {
	enum remark_level level;
	bool is_local;	 /* an error of this host alone */
	int file_number; /* from 0, in the order of the files' first remarks */
	char *file;
	int line; /* 0: the whole file */
	int column;
	char *path; /* "spec.workers", or "" */
	char *text;
};

/* All zero: empty. */
struct remarks {
	struct remark *items;
	size_t count; /* of the items */
	size_t room;
	size_t found[REMARK_LEVELS]; /* of a level, with those not kept */
	size_t local;		     /* errors of this host */
};

/* Free all remarks; the list is empty again. */
void remarks_release(struct remarks *);

/* Return "error", "warning" or "note". */
const char *remarks_level_name(enum remark_level);

/* Add a remark at the node, or on the whole file if the node is NULL.  The path
   is the field's, or "".  All texts are copied. */
void remarks_add(struct remarks *, enum remark_level, const char *file,
    const struct yaml_node *, const char *path, const char *, ...)
    __attribute__((format(printf, 6, 7)));

/* Add the text of an error of manifest_read(), "FILE:LINE:COLUMN: TEXT";
   without such a place the remark has no file. */
void remarks_add_error(struct remarks *, const char *text);

/* Mark the last added remark, which must be an error, as one of this host
   alone. */
void remarks_mark_local(struct remarks *);

/* For lint: turn errors of this host alone into warnings, and add to their
   texts that create refuses the manifest. */
void remarks_yield_local(struct remarks *);

/* Whether no more of that level are kept, so that texts can be skipped. */
bool remarks_are_full(const struct remarks *, enum remark_level);

/* Sort by file in order of appearance, then by line and column. */
void remarks_sort(struct remarks *);

/* Print "FILE:LINE:COLUMN: error: PATH: TEXT" lines, with control characters
   escaped, and at the end "and 12 more errors" and the like. */
void remarks_print(FILE *, const struct remarks *);

/* Return "FILE:LINE:COLUMN: PATH: TEXT" for a remark, with control characters
   escaped; the caller frees it. */
char *remarks_text(const struct remark *);

#endif
