/*
 * The memory of YAML trees, and the two readers of texts: libyaml's events and
 * JSON.  Users of trees need yaml.h alone.
 */
#ifndef CORE_KUBE_YAML_YAML_INTERNAL_H
#define CORE_KUBE_YAML_YAML_INTERNAL_H

#include <yaml.h>

#include "core/kube/yaml/yaml.h"

struct yaml_block;

struct yaml_arena {
	struct yaml_block *newest;
};

/* A text being read, and the used part of the limits. */
struct yaml_reading {
	struct yaml_arena *arena;
	const char *name;
	const char *text;
	size_t size;
	size_t nodes;		      /* with all aliases expanded */
	size_t bytes;		      /* of texts and keys, likewise */
	struct yaml_node **documents; /* in the arena */
	size_t count;
	size_t room;
	struct error *error;
};

/* Return zeroed memory of the arena, aligned for every type. */
void *yaml_tree_alloc(struct yaml_arena *, size_t);

/* Free all memory of the arena, but not the struct. */
void yaml_tree_release(struct yaml_arena *);

/* Return a copy, in the arena, of `length` bytes, with a NUL at its end. */
const char *yaml_tree_text(struct yaml_arena *, const char *, size_t length);

/* Return a new node of that kind and place, without contents. */
struct yaml_node *yaml_tree_node(struct yaml_arena *, enum yaml_kind, int line,
    int column);

/* Return an array in which another element of `size` bytes fits: the same one,
   or a copy in the arena, with *room changed. */
void *yaml_tree_grow(struct yaml_arena *, void *array, size_t count,
    size_t *room, size_t size);

/* Add the next document. */
void yaml_tree_add_document(struct yaml_reading *, struct yaml_node *);

/* Set the reading's error to "NAME:LINE:COLUMN: ..." with ERROR_INVALID; return
   -1.  _at: the place is that of the byte `offset` of the text. */
int yaml_tree_refuse(const struct yaml_reading *, int line, int column,
    const char *, ...) __attribute__((format(printf, 4, 5)));
int yaml_tree_refuse_at(const struct yaml_reading *, size_t offset,
    const char *, ...) __attribute__((format(printf, 3, 4)));

/* Count that many more nodes and bytes.  -1, with the error at that place: the
   text exceeds a limit. */
int yaml_tree_count(struct yaml_reading *, int line, int column, size_t nodes,
    size_t bytes);

/* Make a map of the items as they were read.  An item without a key is a merge:
   a map, or a list of maps.  Its keys are added unless the map has them; of
   several maps the first wins.  Of equal keys of items the later counts. */
void yaml_tree_fill_map(struct yaml_reading *, struct yaml_node *map,
    const struct yaml_item *items, size_t count);
void yaml_tree_fill_list(struct yaml_reading *, struct yaml_node *list,
    const struct yaml_item *items, size_t count);

/* Add all documents of the text, which is UTF-8 without NUL and without a byte
   order mark; 0, or -1 and the reason, like yaml_parse(). */
int yaml_events_read(struct yaml_reading *);

/* Return true if the text is JSON, of one or more documents.  Then *status is 0
   and the documents are added; or it is -1 with the reason, for JSON that
   exceeds a limit.  False: read it as YAML instead; the reading has not
   changed. */
bool yaml_json_read(struct yaml_reading *, int *status);

/*
 * Set the kind of a node, and its number, by its text, with kubectl's rules
 * (YAML 1.1 without numbers of base 60):
 *
 *	null		~ null Null NULL, and nothing
 *	yes or no	y yes true on, n no false off; also Yes and YES
 *	integers	12 -12 +1_000 0x1f 0b101 0o17 017
 *	reals		1.5 1e3 .5 .inf -.inf .nan; integers beyond int64_t
 *	texts		all else: 1e400, 2001-01-01, 12:30
 */
void yaml_scalar_resolve(struct yaml_node *);

/* Resolve a scalar by its tag: "str", "null", "bool", "int", "float" or
   "timestamp" (stays a text).  -1: the text does not match the tag, or the tag
   is unknown. */
int yaml_scalar_resolve_as(struct yaml_node *, const char *tag);

/* Whether a plain text would be read as something else: by the rules above, as
   a time or a merge, or by a reader that knows base 60. */
bool yaml_scalar_is_special(const char *);

#endif
