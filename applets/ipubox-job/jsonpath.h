/*
 * Templates of kubectl's -o jsonpath, read into steps:
 *
 *	{.items[*].metadata.name}
 *	{range .items[?(@.status.phase=="Running")]}{.metadata.name}{"\n"}{end}
 *
 * A template has pieces: text, and actions in braces.  An action has steps,
 * each of which makes of every value it gets none, one or more.  A backslash
 * makes a dot part of a field's name; ['a.b'] does as well.
 *
 * Source: the Kubernetes documentation, "JSONPath Support"; what it does not
 * say was tried with kubectl 1.30.
 */
#ifndef APPLETS_IPUBOX_JOB_JSONPATH_H
#define APPLETS_IPUBOX_JOB_JSONPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/yaml.h"

enum jsonpath_kind {
	JSONPATH_LITERAL,	/* "text", 5, true */
	JSONPATH_FIELD,		/* .name */
	JSONPATH_SLICE,		/* [0] [-1] [1:3] [::2] [*] */
	JSONPATH_FILTER,	/* [?(@.a=="b")] */
	JSONPATH_UNION,		/* [0,2] ['a','b'] */
	JSONPATH_EVERY,		/* .* */
	JSONPATH_BELOW,		/* .. */
	JSONPATH_RANGE,		/* {range ...} */
	JSONPATH_END,		/* {end} */
	JSONPATH_UNKNOWN	/* another word: refused when it is met */
};

struct jsonpath_steps {
	struct jsonpath_step	*items;
	size_t			 count;
};

struct jsonpath_step {
	enum jsonpath_kind	 kind;
	const struct yaml_node	*literal;
	char			*word;		/* the field; the operator of a
						   filter, NULL: it exists */
	int64_t			 begin;		/* of a slice */
	int64_t			 end;
	int64_t			 stride;
	bool			 has_begin;
	bool			 has_end;
	bool			 is_index;	/* one element: end is begin
						   and one */
	struct jsonpath_steps	*parts;		/* of a union; of a filter its
						   two sides */
	size_t			 part_count;
};

struct jsonpath_piece {
	struct jsonpath_steps	steps;
	size_t			next;	/* of a range: the piece of its end, or
					   the number of pieces */
};

struct jsonpath {
	struct yaml_arena	*arena;	/* of the literals */
	struct jsonpath_piece	*pieces;
	size_t			 count;
};

/*
 * Read a template, which is to be freed in any case.  -1: the reason in
 * kubectl's words, "unclosed action".
 */
int	jsonpath_read(const char *text, struct jsonpath *, struct error *);
void	jsonpath_free(struct jsonpath *);

/*
 * The template that a short path means: "status.phase", ".status.phase" and
 * "{status.phase}" are "{.status.phase}".  The caller frees it.  NULL: it
 * cannot be one.
 */
char	*jsonpath_complete(const char *path, struct error *);

#endif
