/*
 * Templates of kubectl's -o jsonpath:
 *
 *	{.items[*].metadata.name}
 *	{range .items[?(@.status.phase=="Running")]}{.metadata.name}{"\n"}{end}
 *
 * A template has pieces: text, and actions in braces.  An action is a text in
 * quotes, a path, "range PATH" or "end".  A path has the steps .FIELD,
 * ['FIELD'], [INDEX], [*] and [?(@.FIELD==VALUE)]; a backslash makes a dot part
 * of a field's name.  Other syntax of kubectl is refused by its name.
 *
 * Source: the Kubernetes documentation, "JSONPath Support"; details were
 * tried with kubectl 1.30.
 */
#ifndef APPLETS_IPUBOX_JOB_JSONPATH_H
#define APPLETS_IPUBOX_JOB_JSONPATH_H

#include "core/kube/kube.h"

enum jsonpath_kind {
	JSONPATH_TEXT, /* {"text"}, or text outside actions */
	JSONPATH_PATH,
	JSONPATH_RANGE,
	JSONPATH_END
};

struct jsonpath_steps {
	struct jsonpath_step *items;
	size_t count;
};

struct jsonpath_piece {
	enum jsonpath_kind kind;
	char *text;		     /* for JSONPATH_TEXT, else NULL */
	struct jsonpath_steps steps; /* of a path or range */
	size_t next; /* of a range: index of its END, or the count */
};

struct jsonpath {
	struct yaml_arena *arena; /* holds the values in filters */
	struct jsonpath_piece *pieces;
	size_t count;
};

/* Found values, which belong to the object. */
struct jsonpath_found {
	const struct yaml_node **items; /* owned array */
	size_t count;
	size_t room; /* allocated items */
};

/* Parse a template, which the caller frees in any case.  -1: the reason, in
   kubectl's words if kubectl refuses it too, such as "unclosed action". */
int jsonpath_read(const char *text, struct jsonpath *, struct error *);
void jsonpath_free(struct jsonpath *);

/* Find the values of the template's paths.  Each path starts at the given
   value; so does one within a range, not at the range's elements.  The caller
   releases the values in any case.  A missing field is not an error.  -1: a
   reason in kubectl's words, such as "array index out of bounds: index 2,
   length 0". */
int jsonpath_find(const struct jsonpath *, const struct yaml_node *,
    struct jsonpath_found *, struct error *);
void jsonpath_release(struct jsonpath_found *);

/* Print the texts and the paths' values, those of one path separated by blanks;
   the pieces of a range are repeated for each of its elements, at which their
   paths start.  -1: as jsonpath_find(), and nothing was printed. */
int jsonpath_print(const struct jsonpath *, const struct yaml_node *, FILE *,
    struct error *);

#endif
