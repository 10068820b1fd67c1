/*
 * Remarks on a manifest, each with its place: errors, for which it is refused,
 * warnings, and notes of what has no effect.
 */
#ifndef CORE_KUBE_SCHEMA_REMARKS_H
#define CORE_KUBE_SCHEMA_REMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/kube/yaml/yaml.h"

enum remark_level { REMARK_ERROR, REMARK_WARNING, REMARK_NOTE, REMARK_LEVELS };

enum {
	REMARKS_MAX = 200
}; /* of a level; of what follows only the number is kept */

struct remark {
	enum remark_level level;
	bool is_local;	 /* an error of this host alone: a cluster would take
			    it */
	int file_number; /* from 0, in the order of the files' first remarks */
	char *file;
	int line; /* 0: of the file as a whole */
	int column;
	char *path; /* "spec.workers", or "" */
	char *text;
};

/* Empty: all zero. */
struct remarks {
	struct remark *items;
	size_t count; /* of the items */
	size_t room;
	size_t found[REMARK_LEVELS]; /* with what was not kept */
	size_t local;		     /* errors of this host */
};

/* Frees all; it is empty again. */
void remarks_release(struct remarks *);

/* "error", "warning", "note". */
const char *remarks_level_name(enum remark_level);

/* Adds one where the node stands, NULL: on the file as a whole.  The path is
   that of the field, or "". */
void remarks_add(struct remarks *, enum remark_level, const char *file,
    const struct yaml_node *, const char *path, const char *, ...)
    __attribute__((format(printf, 6, 7)));

/* Adds an error of manifest_read(), "FILE:LINE:COLUMN: TEXT"; without such a
   place it belongs to no file. */
void remarks_add_error(struct remarks *, const char *text);

/* Marks the last one as an error of this host: the manifest is refused here,
   and may be right elsewhere. */
void remarks_mark_local(struct remarks *);

/* Turns errors of this host into warnings, which say that create refuses the
   manifest: for lint. */
void remarks_yield_local(struct remarks *);

/* Whether no more of them are kept, so that their texts need no work. */
bool remarks_are_full(const struct remarks *, enum remark_level);

/* Sorts by file as they came, then by line and column. */
void remarks_sort(struct remarks *);

/* Prints a line each, "FILE:LINE:COLUMN: error: PATH: TEXT", with control
   characters escaped, and at the end "and 12 more errors" and the like. */
void remarks_print(FILE *, const struct remarks *);

/* "FILE:LINE:COLUMN: PATH: TEXT" of one, to be freed. */
char *remarks_text(const struct remark *);

#endif
