/*
 * The memory of YAML trees, and the two readers of texts, by libyaml's events
 * and for JSON.  Users of trees need yaml.h alone.
 */
#ifndef CORE_KUBE_YAML_YAML_INTERNAL_H
#define CORE_KUBE_YAML_YAML_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <yaml.h>

#include "core/base/error.h"
#include "core/kube/yaml/yaml.h"

struct yaml_block;

struct yaml_arena {
	struct yaml_block *newest;
};

/* A text that is being read, and how much of the limits it has used. */
struct yaml_reading {
	struct yaml_arena *arena;
	const char *name;
	const char *text;
	size_t size;
	size_t nodes;		      /* with all aliases written out */
	size_t bytes;		      /* of texts and keys; the same */
	struct yaml_node **documents; /* the arena's */
	size_t count;
	size_t room;
	struct error *error;
};

/* Zeroed memory of the arena, aligned for everything. */
void *yaml_tree_alloc(struct yaml_arena *, size_t);

/* Frees all memory of the arena, and not the struct. */
void yaml_tree_release(struct yaml_arena *);

/* A copy of so many bytes, with a NUL at its end. */
const char *yaml_tree_text(struct yaml_arena *, const char *, size_t length);

/* A node without anything in it. */
struct yaml_node *yaml_tree_node(struct yaml_arena *, enum yaml_kind, int line,
    int column);

/* The array, or a copy of twice the room, so that one more element of `size`
   bytes fits. */
void *yaml_tree_grow(struct yaml_arena *, void *array, size_t count,
    size_t *room, size_t size);

/* Adds the next document. */
void yaml_tree_add_document(struct yaml_reading *, struct yaml_node *);

/* "NAME:LINE:COLUMN: ..." with ERROR_INVALID; -1.  _at: of the character that
   begins at a byte of the text.  yaml_words_refuse: with the parser's error. */
int yaml_tree_refuse(const struct yaml_reading *, int line, int column,
    const char *, ...) __attribute__((format(printf, 4, 5)));
int yaml_tree_refuse_at(const struct yaml_reading *, size_t offset,
    const char *, ...) __attribute__((format(printf, 3, 4)));
int yaml_words_refuse(const struct yaml_reading *, const yaml_parser_t *);

/* Counts so many nodes and bytes more; -1: the text is over a limit now. */
int yaml_tree_count(struct yaml_reading *, int line, int column, size_t nodes,
    size_t bytes);

/*
 * Makes a map of the items as they were read.  One without a key is a merge: a
 * map, or a list of maps, whose keys join where the map itself has not got
 * them; of several maps the first counts.  Of equal keys the later one counts.
 */
void yaml_tree_fill_map(struct yaml_reading *, struct yaml_node *map,
    const struct yaml_item *items, size_t count);
void yaml_tree_fill_list(struct yaml_reading *, struct yaml_node *list,
    const struct yaml_item *items, size_t count);

/* Adds all documents of the text, which is UTF-8 without NUL and without a byte
   order mark; 0, or -1 and the reason, as yaml_parse(). */
int yaml_events_read(struct yaml_reading *);

/* Returns whether the text is JSON, a document or several: then they are added,
   or *status is -1 and the reason of the refusal is set. */
bool yaml_json_read(struct yaml_reading *, int *status);

/*
 * Sets the kind of a node, and its number, by its text, as kubectl decides it
 * (YAML 1.1 without numbers of base 60):
 *
 *	null		~ null Null NULL, and nothing
 *	yes or no	y yes true on, n no false off; also Yes and YES
 *	integers	12 -12 +1_000 0x1f 0b101 0o17 017
 *	reals		1.5 1e3 .5 .inf -.inf .nan; integers beyond int64_t
 *	texts		all else: 1e400, 2001-01-01, 12:30
 */
void yaml_scalar_resolve(struct yaml_node *);

/* The same where a tag says what it has to be: "str", "null", "bool", "int",
   "float" or "timestamp" (which stays a text).  -1: it is not that, or the tag
   is another one. */
int yaml_scalar_resolve_as(struct yaml_node *, const char *tag);

/* Whether a text is read as something else where it stands plain: by the
   above, as a time or a merge, or by a reader that knows base 60. */
bool yaml_scalar_is_special(const char *);

#endif
